/** The table of indices. Draws only visible rows; ARIA attributes carry the number and position of all. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { icons } from '../../webview/page/icons.ts';
import type { OverviewRow } from '../protocol.ts';
import { rowTabIndex } from './cellParts.ts';
import { visibleColumns, type TableColumn } from './columns.ts';
import type { OverviewPage } from './overviewPage.ts';
import { indexNameOf } from './rowOrder.ts';
import { drawnRows } from './rowWindow.ts';

export function indexTable(page: OverviewPage): TemplateResult {
  const { rows, inSight, active } = page;
  const columns = visibleColumns(page);
  const kept = rows.findIndex(({ id }) => id === active);
  const drawn = drawnRows(inSight, rows.length, kept < 0 ? undefined : kept);
  return html`<table class="indices" aria-rowcount=${rows.length + 1} aria-label=${l10n.t('Time series indices')}>
    <thead>
      <tr aria-rowindex="1">
        ${columns.map((column) => headerCell(column, page))}
        <td class="actions"></td>
      </tr>
    </thead>
    <tbody>
      ${repeat(
        drawn,
        (one, index) => ('row' in one ? (rows[one.row]?.id ?? '') : `gap ${index}`),
        (one) => {
          const row = 'row' in one ? rows[one.row] : undefined;
          return row === undefined || !('row' in one)
            ? gapTableRow('gap' in one ? one.gap * page.rowHeight : 0)
            : indexRow(row, one.row, columns, page);
        },
      )}
    </tbody>
  </table>`;
}

function headerCell({ id, title, sortKey, header }: TableColumn, page: OverviewPage): TemplateResult {
  const { sorting, sortBy } = page;
  if (header !== undefined) {
    return html`<td class=${id}>${header(page)}</td>`;
  }
  if (sortKey === undefined) {
    return html`<th scope="col" class=${id}>${title()}</th>`;
  }
  const isSorted = sorting.by === sortKey;
  const direction = sorting.descending ? 'descending' : 'ascending';
  return html`<th scope="col" class=${id} aria-sort=${isSorted ? direction : nothing}>
    <button type="button" class="sort" @click=${() => sortBy(sortKey)}>
      <span>${title()}</span>${isSorted ? html`<span class="direction ${direction}">${icons.chevron}</span>` : nothing}
    </button>
  </th>`;
}

/** As high as the rows that it replaces. Set as a property, because the page's policy forbids style attributes. */
function gapTableRow(height: number): TemplateResult {
  // A single cell: spanning columns that a narrow page hides would show them again.
  return html`<tr aria-hidden="true" class="gap">
    <td .style=${`height: ${height}px`}></td>
  </tr>`;
}

function indexRow(
  row: OverviewRow,
  place: number,
  columns: readonly TableColumn[],
  page: OverviewPage,
): TemplateResult {
  return html`<tr
    class="row ${place % 2 === 1 ? 'odd' : ''} ${row.canTruncate ? '' : 'quiet'}"
    aria-rowindex=${place + 2}
    @focusin=${() => page.activate(row.id)}
  >
    ${columns.map((column) =>
      column.id === 'name'
        ? html`<th scope="row" class="name">${column.cell(row, page, place)}</th>`
        : html`<td class=${column.id}>${column.cell(row, page, place)}</td>`,
    )}
    <td class="actions">${rowActions(row, page)}</td>
  </tr>`;
}

function rowActions(row: OverviewRow, page: OverviewPage): TemplateResult {
  const truncate = l10n.t('Truncate {0}', indexNameOf(row));
  const copy = l10n.t('Copy Index Name');
  return html`${row.canTruncate ? html`<button type="button" class="tool" tabindex=${rowTabIndex(row, page)} title=${truncate} aria-label=${truncate} @click=${() => page.send({ type: 'truncate', id: row.id })}>${icons.truncate}</button>` : nothing}<button type="button" class="tool" tabindex=${rowTabIndex(row, page)} title=${copy} aria-label=${copy} @click=${() => page.send({ type: 'copyName', id: row.id })}>${icons.copy}</button>`;
}

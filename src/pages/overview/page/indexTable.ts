/** The table of indices. Draws only visible rows; ARIA attributes carry the number and position of all. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { icons } from '../../kit/page/icons.ts';
import type { OverviewTableRow } from '../protocol.ts';
import type { IndexTableColumn } from './cellParts.ts';
import { visibleColumns } from './indexColumns.ts';
import type { OverviewPageModel } from './overviewPage.ts';
import { drawnTableRows } from './tableRows.ts';

export function indexTable(page: OverviewPageModel): TemplateResult {
  const { rows, inSight, active } = page;
  const columns = visibleColumns(page);
  const kept = rows.findIndex(({ id }) => id === active);
  const drawn = drawnTableRows(inSight, rows.length, kept < 0 ? undefined : kept);
  const precision = page.view.sizePrecision === 'exact' ? '' : 'approximate';
  return html`<table class="indices ${precision}" aria-rowcount=${rows.length + 1} aria-label=${l10n.t('Time series indices')}>
    <thead>
      <tr aria-rowindex="1">
        ${columns.map((column) => columnHeaderCell(column, page))}
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
            : indexTableRow(row, one.row, columns, page);
        },
      )}
    </tbody>
  </table>`;
}

function columnHeaderCell(
  { id, columnTitle, sortKey, headerContent }: IndexTableColumn,
  page: OverviewPageModel,
): TemplateResult {
  const { sorting, sortByColumn } = page;
  if (headerContent !== undefined) {
    return html`<td class=${id}>${headerContent(page)}</td>`;
  }
  if (sortKey === undefined) {
    return html`<th scope="col" class=${id}>${columnTitle(page)}</th>`;
  }
  const isSorted = sorting.by === sortKey;
  const direction = sorting.descending ? 'descending' : 'ascending';
  const sign = html`<span class="direction ${direction}">${icons.chevron}</span>`;
  return html`<th scope="col" class=${id} aria-sort=${isSorted ? direction : nothing}>
    <button type="button" class="sort" @click=${() => sortByColumn(sortKey)}>
      <span>${columnTitle(page)}</span>${isSorted ? sign : nothing}
    </button>
  </th>`;
}

/** As high as the rows that it replaces. Set as a property, because the page's policy forbids style attributes. */
function gapTableRow(height: number): TemplateResult {
  // One cell: spanning would show columns that narrow pages hide.
  return html`<tr aria-hidden="true" class="gap">
    <td .style=${`height: ${height}px`}></td>
  </tr>`;
}

function indexTableRow(
  row: OverviewTableRow,
  place: number,
  columns: readonly IndexTableColumn[],
  page: OverviewPageModel,
): TemplateResult {
  return html`<tr
    class="row ${place % 2 === 1 ? 'odd' : ''} ${row.canTruncate ? '' : 'quiet'}"
    aria-rowindex=${place + 2}
    @focusin=${() => page.activateRow(row.id)}
  >
    ${columns.map((column) =>
      column.id === 'name'
        ? html`<th scope="row" class="name">${column.cell(row, page, place)}</th>`
        : html`<td class=${column.id}>${column.cell(row, page, place)}</td>`,
    )}
  </tr>`;
}

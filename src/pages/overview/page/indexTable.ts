/** The table of indices. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { icons } from '../../kit/page/icons.ts';
import type { OverviewTableRow } from '../protocol.ts';
import type { IndexTableColumn } from './cellParts.ts';
import { visibleColumns } from './indexColumns.ts';
import type { OverviewPageModel } from './overviewPage.ts';

export function indexTable(page: OverviewPageModel): TemplateResult {
  const columns = visibleColumns(page);
  const precision = page.view.sizePrecision === 'exact' ? '' : 'approximate';
  return html`<table class="indices ${precision}" aria-label=${l10n.t('Time series indices')}>
    <thead>
      <tr>
        ${columns.map((column) => columnHeaderCell(column, page))}
      </tr>
    </thead>
    <tbody>
      ${repeat(
        page.rows,
        ({ id }) => id,
        (row, place) => indexTableRow(row, place, columns, page),
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

function indexTableRow(
  row: OverviewTableRow,
  place: number,
  columns: readonly IndexTableColumn[],
  page: OverviewPageModel,
): TemplateResult {
  return html`<tr
    class="row ${place % 2 === 1 ? 'odd' : ''} ${row.canTruncate ? '' : 'quiet'}"
    @focusin=${() => page.activateRow(row.id)}
  >
    ${columns.map((column) =>
      column.id === 'name'
        ? html`<th scope="row" class="name">${column.cell(row, page, place)}</th>`
        : html`<td class=${column.id}>${column.cell(row, page, place)}</td>`,
    )}
  </tr>`;
}

/** The table of indices. Draws only visible rows; ARIA attributes carry the number and position of all. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { icons } from '../../kit/page/icons.ts';
import type { OverviewTableRow } from '../protocol.ts';
import { JOB_COLUMNS, jobTotalRow, exclusionCell } from './jobColumns.ts';
import type { IndexTableColumn } from './cellParts.ts';
import { visibleColumns } from './indexColumns.ts';
import type { OverviewPageModel } from './overviewPage.ts';
import { drawnTableRows } from './tableRows.ts';

export function indexTable(page: OverviewPageModel): TemplateResult {
  const { rows, inSight, active } = page;
  const columns = visibleColumns(page);
  const kept = rows.findIndex(({ id }) => id === active);
  const drawn = drawnTableRows(inSight, rows.length, kept < 0 ? undefined : kept);
  const total = jobTotalRow(page);
  const rowCount = rows.length + (total === nothing ? 1 : 2);
  return html`<table
    class="indices ${tableState(page)}"
    aria-rowcount=${rowCount}
    aria-label=${l10n.t('Time series indices')}
  >
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
    ${total}
  </table>`;
}

/** Decides which columns narrow pages show. */
function tableState({ view }: OverviewPageModel): 'choosing' | 'planned' | 'executing' | 'ended' {
  switch (view.job.phase) {
    case 'confirming':
      return 'planned';
    case 'dryRunning':
      return 'executing';
    default:
      return view.job.phase;
  }
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
  const excluded = exclusionCell(row, page, place);
  const shown = excluded === undefined ? columns : columns.filter((column) => !JOB_COLUMNS.includes(column));
  return html`<tr
    class="row ${place % 2 === 1 ? 'odd' : ''} ${isQuiet(row, page) ? 'quiet' : ''}"
    aria-rowindex=${place + 2}
    @focusin=${() => page.activateRow(row.id)}
  >
    ${shown.map((column) =>
      column.id === 'name'
        ? html`<th scope="row" class="name">${column.cell(row, page, place)}</th>`
        : html`<td class=${column.id}>${column.cell(row, page, place)}</td>`,
    )}
    ${excluded ?? nothing}
  </tr>`;
}

/** True if it can't be truncated, or isn't part of the job. */
function isQuiet({ id, canTruncate }: OverviewTableRow, { view, items }: OverviewPageModel): boolean {
  const { phase } = view.job;
  if (phase === 'choosing') {
    return !canTruncate;
  }
  const placed = items.get(id);
  return placed === undefined || !placed.item.isSelected || view.job.outdated !== undefined;
}

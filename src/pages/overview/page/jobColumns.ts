/** Columns of the table while it shows the dry runs and the progress of a job. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { JobItemView } from '../jobProtocol.ts';
import { plural } from '../../../language.ts';
import { icons } from '../../kit/page/icons.ts';
import type { OverviewTableRow } from '../protocol.ts';
import { rowTabIndex, textThatMayBeCut, type IndexTableColumn, type TableCellContent } from './cellParts.ts';
import { deletedText } from './bottomBar.ts';
import type { OverviewPageModel } from './overviewPage.ts';

/** Beside the boxes and the names. */
export const JOB_COLUMNS: readonly IndexTableColumn[] = [
  {
    id: 'count',
    columnTitle: ({ view }) =>
      html`<span class="long">${
        isEnded(view) ? l10n.t('Rows deleted') : l10n.t('Rows to delete')
      }</span><span class="short">${l10n.t('Rows')}</span>`,
    cell: (row, page) => figureOf(row, page, ({ toDelete }) => page.formats.number(toDelete)),
  },
  {
    id: 'part',
    columnTitle: () => l10n.t('Share'),
    cell: (row, page) => figureOf(row, page, ({ percent }) => page.formats.percent(percent)),
  },
  {
    id: 'kept',
    columnTitle: ({ view }) => (isEnded(view) ? l10n.t('Rows left') : l10n.t('Rows to keep')),
    cell: (row, page) => figureOf(row, page, ({ toDelete, total }) => page.formats.number(total - toDelete)),
  },
  { id: 'status', columnTitle: () => l10n.t('Status'), cell: statusCell },
];

function isEnded({ job }: OverviewPageModel['view']): boolean {
  return job.phase === 'ended';
}

function figureOf(
  { id }: OverviewTableRow,
  { items }: OverviewPageModel,
  text: (rows: NonNullable<JobItemView['rows']>) => string,
): TableCellContent {
  const rows = items.get(id)?.item.rows;
  return rows === undefined ? nothing : text(rows);
}

function statusCell(row: OverviewTableRow, page: OverviewPageModel, place: number): TableCellContent {
  const { status, remark } = page.items.get(row.id)?.item ?? {};
  if (status === undefined) {
    return remark === undefined ? nothing : remarkText(row, page, place, { text: remark, sentence: remark });
  }
  const icon = status.kind === 'done' ? icons.done : status.kind === 'trouble' ? icons.error : nothing;
  const text = remarkText(row, page, place, { text: status.text, sentence: remark });
  return html`<span class="status ${status.kind}">${icon}${text}</span>`;
}

/** Why an item is excluded, across the columns of figures that it has none for. Undefined for any other row. */
export function exclusionCell(
  row: OverviewTableRow,
  page: OverviewPageModel,
  place: number,
): TemplateResult | undefined {
  const { item } = page.items.get(row.id) ?? {};
  if (item === undefined || item.isSelected || item.rows !== undefined || item.remark === undefined) {
    return undefined;
  }
  const truncateAlone = html`<button
    type="button"
    class="link alone"
    tabindex=${rowTabIndex(row, page)}
    @click=${() => page.send({ type: 'truncate', id: row.id })}
  >${l10n.t('Truncate Alone')}</button>`;
  return html`<td class="excluded" colspan=${JOB_COLUMNS.length}>
    <div>
      ${remarkText(row, page, place, { text: item.remark, sentence: item.remark })}
      ${item.canUseWizard && row.canTruncate ? truncateAlone : nothing}
    </div>
  </td>`;
}

/** The column may cut it off, so it opens the whole sentence. */
function remarkText(
  row: OverviewTableRow,
  page: OverviewPageModel,
  place: number,
  { text, sentence }: { readonly text: string; readonly sentence: string | undefined },
): TemplateResult {
  return textThatMayBeCut({ id: `remark-${place}`, text, sentence, tabIndex: rowTabIndex(row, page) });
}

/** Sums of the selected rows, which stay in sight. Nothing before the first dry run has ended. */
export function jobTotalRow(page: OverviewPageModel): TemplateResult | typeof nothing {
  const { view, formats, rows } = page;
  const { phase, sum } = view.job;
  if (phase === 'choosing' || phase === 'dryRunning' || sum.count === 0) {
    return nothing;
  }
  const count = formats.number(sum.count);
  const deleted = formats.number(sum.rows);
  const isUnknown = sum.isLeast && sum.rows === 0;
  // Instead of the rows on narrow pages.
  const isStatusShown = phase === 'executing' || phase === 'ended';
  return html`<tfoot>
    <tr class=${view.job.outdated === undefined ? '' : 'quiet'} aria-rowindex=${rows.length + 2}>
      <td class="tick"></td>
      <th scope="row" class="name">
        <div>
          ${plural(sum.count, l10n.t('Total of {0} index', count), l10n.t('Total of {0} indices', count))}
          ${isStatusShown ? html`<span class="short">${rowsText(page)}</span>` : nothing}
        </div>
      </th>
      <td class="count">${isUnknown ? nothing : sum.isLeast ? l10n.t('at least {0}', deleted) : deleted}</td>
      <td class="part">${sum.isLeast ? nothing : formats.percent(sum.percent)}</td>
      <td class="kept">${sum.isLeast ? nothing : formats.number(sum.total - sum.rows)}</td>
      <td class="status"></td>
    </tr>
  </tfoot>`;
}

function rowsText({ view, formats }: OverviewPageModel): string {
  const { sum } = view.job;
  const count = formats.number(sum.rows);
  return isEnded(view)
    ? deletedText(sum, formats)
    : plural(sum.rows, l10n.t('{0} row to delete', count), l10n.t('{0} rows to delete', count));
}

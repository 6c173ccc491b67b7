/** The table of indices. Draws only visible rows; ARIA attributes carry the number and position of all. */
import * as l10n from '@vscode/l10n';
import { html, nothing, svg, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { icons } from '../../webview/page/icons.ts';
import type { OverviewTableRow } from '../protocol.ts';
import { rowTabIndex, iconWithSentence, sizeSparkline, textWithSentence, type TableCellContent } from './cellParts.ts';
import type { OverviewPageModel } from './overviewPage.ts';
import { shownIndexName, type SortKey, drawnTableRows } from './tableRows.ts';
import { plural } from '../../language.ts';
import { canSelectRow, selectAllCell, selectRowCell } from './batchSelection.ts';
import { aboutText, sizeText } from '../../ui/formats.ts';

export function indexTable(page: OverviewPageModel): TemplateResult {
  const { rows, inSight, active } = page;
  const columns = visibleColumns(page);
  const kept = rows.findIndex(({ id }) => id === active);
  const drawn = drawnTableRows(inSight, rows.length, kept < 0 ? undefined : kept);
  return html`<table class="indices" aria-rowcount=${rows.length + 1} aria-label=${l10n.t('Time series indices')}>
    <thead>
      <tr aria-rowindex="1">
        ${columns.map((column) => columnHeaderCell(column, page))}
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
    return html`<th scope="col" class=${id}>${columnTitle()}</th>`;
  }
  const isSorted = sorting.by === sortKey;
  const direction = sorting.descending ? 'descending' : 'ascending';
  const sign = html`<span class="direction ${direction}">${icons.chevron}</span>`;
  return html`<th scope="col" class=${id} aria-sort=${isSorted ? direction : nothing}>
    <button type="button" class="sort" @click=${() => sortByColumn(sortKey)}>
      <span>${columnTitle()}</span>${isSorted ? sign : nothing}
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
    <td class="actions">${rowActionButtons(row, page)}</td>
  </tr>`;
}

function rowActionButtons(row: OverviewTableRow, page: OverviewPageModel): TemplateResult {
  const truncate = (): void => page.send({ type: 'truncate', id: row.id });
  const copyName = (): void => page.send({ type: 'copyName', id: row.id });
  const tabIndex = rowTabIndex(row, page);
  const truncateLabel = l10n.t('Truncate {0}', shownIndexName(row));
  const truncateButton = rowIconButton(icons.truncate, truncateLabel, tabIndex, truncate);
  const copyButton = rowIconButton(icons.copy, l10n.t('Copy Index Name'), tabIndex, copyName);
  return html`${row.canTruncate ? truncateButton : nothing}${copyButton}`;
}

function rowIconButton(icon: TemplateResult, label: string, tabIndex: 0 | -1, press: () => void): TemplateResult {
  return html`<button
    type="button"
    class="tool"
    tabindex=${tabIndex}
    title=${label}
    aria-label=${label}
    @click=${press}
  >${icon}</button>`;
}

interface IndexTableColumn {
  /** Its CSS class. */
  readonly id: string;
  columnTitle(): string;
  readonly sortKey?: SortKey;
  /** Replaces the title. */
  headerContent?(page: OverviewPageModel): TableCellContent;
  /** True if the column has content. Always shown without it. */
  isColumnShown?(page: OverviewPageModel): boolean;
  /** @param place Position of the row in the table. */
  cell(row: OverviewTableRow, page: OverviewPageModel, place: number): TableCellContent;
}

const COLUMNS: readonly IndexTableColumn[] = [
  {
    id: 'tick',
    columnTitle: () => l10n.t('Select'),
    isColumnShown: ({ view, all }) => view.batch.phase === 'choosing' && all.some(canSelectRow),
    headerContent: selectAllCell,
    cell: selectRowCell,
  },
  { id: 'name', columnTitle: () => l10n.t('Index'), sortKey: 'name', cell: indexNameCell },
  { id: 'bytes', columnTitle: () => l10n.t('Size'), sortKey: 'size', cell: indexSizeCell },
  {
    id: 'portion',
    columnTitle: () => l10n.t('Share'),
    isColumnShown: ({ view, totalBytes }) => totalBytes > 0 && view.sizePrecision === 'exact',
    cell: sizeShareCell,
  },
  {
    id: 'growth',
    columnTitle: () => l10n.t('Growth'),
    sortKey: 'growth',
    isColumnShown: ({ all }) => all.some(({ growth }) => growth !== undefined),
    cell: sizeGrowthCell,
  },
  {
    id: 'rows',
    columnTitle: () => l10n.t('Rows'),
    sortKey: 'rows',
    isColumnShown: ({ all }) => all.some(({ counted }) => counted !== undefined),
    cell: countedRowsCell,
  },
  {
    id: 'oldest',
    columnTitle: () => l10n.t('Oldest row'),
    sortKey: 'oldest',
    isColumnShown: ({ all }) => all.some(({ counted }) => counted?.oldest !== undefined),
    cell: oldestRowCell,
  },
  {
    id: 'truncation',
    columnTitle: () => l10n.t('Last truncation'),
    sortKey: 'truncation',
    isColumnShown: ({ all }) => all.some(({ truncation }) => truncation !== undefined),
    cell: truncationCell,
  },
  {
    id: 'limit',
    columnTitle: () => l10n.t('Retention'),
    sortKey: 'limit',
    isColumnShown: ({ all }) => all.some(({ limit }) => limit !== undefined),
    cell: retentionCell,
  },
];

/** The columns with content. */
function visibleColumns(page: OverviewPageModel): readonly IndexTableColumn[] {
  return COLUMNS.filter(({ isColumnShown }) => isColumnShown?.(page) ?? true);
}

/** The name takes the keyboard focus and opens the wizard. */
function indexNameCell(row: OverviewTableRow, page: OverviewPageModel, place: number): TableCellContent {
  const name =
    row.entityType === undefined || row.aspect === undefined
      ? html`<bdi>${row.indexName}</bdi>`
      : html`<bdi class="quiet">${row.entityType}</bdi><span class="quiet"> / </span><bdi>${row.aspect}</bdi>`;
  const label = row.canTruncate
    ? html`<button
        type="button"
        class="link"
        tabindex=${rowTabIndex(row, page)}
        title=${row.indexName}
        @click=${() => page.send({ type: 'truncate', id: row.id })}
      >
        ${name}
      </button>`
    : html`<span class="label" title=${row.indexName}>${name}</span>`;
  const note = row.note === undefined ? nothing : html`<span class="quiet note">${row.note.text}</span>`;
  return html`<div class="named" title=${row.note?.detail ?? nothing}>
    ${label}${note}${row.purpose === undefined ? nothing : purposeIconButton(row, row.purpose, page, place)}
  </div>`;
}

function purposeIconButton(
  row: OverviewTableRow,
  purpose: string,
  page: OverviewPageModel,
  place: number,
): TemplateResult {
  return iconWithSentence({
    id: `about-${place}`,
    icon: icons.info,
    label: l10n.t('About {0}', shownIndexName(row)),
    sentence: purpose,
    tabIndex: rowTabIndex(row, page),
  });
}

function indexSizeCell(
  { bytes }: OverviewTableRow,
  { view, formats, largestBytes }: OverviewPageModel,
): TableCellContent {
  if (bytes === undefined) {
    return unknownSizeCell();
  }
  const width = largestBytes === 0 ? 0 : (bytes / largestBytes) * 100;
  return html`<svg class="bar" aria-hidden="true">
      ${svg`<rect width="${width}%" height="100%"></rect>`}
    </svg>
    <span>${sizeText(bytes, view.sizePrecision, formats)}</span>`;
}

function sizeShareCell({ bytes }: OverviewTableRow, { formats, totalBytes }: OverviewPageModel): TableCellContent {
  return bytes === undefined || totalBytes === 0 ? nothing : formats.share((bytes / totalBytes) * 100);
}

function sizeGrowthCell(row: OverviewTableRow, page: OverviewPageModel, place: number): TableCellContent {
  const { growth } = row;
  return growth === undefined
    ? nothing
    : html`<span class="trend"
        >${sizeSparkline(growth.figures)}${textWithSentence({
          id: `growth-${place}`,
          text: sizeChangeText(growth.bytes, page),
          sentence: growthSentence(growth, page),
          tabIndex: rowTabIndex(row, page),
        })}</span
      >`;
}

function sizeChangeText(bytes: number, { view, formats }: OverviewPageModel): string {
  return aboutText(formats.change(bytes), view.sizePrecision === 'exact');
}

function growthSentence({ bytes, days }: NonNullable<OverviewTableRow['growth']>, page: OverviewPageModel): string {
  const [change, count] = [sizeChangeText(bytes, page), page.formats.number(days)];
  return plural(days, l10n.t('{0} in {1} day', change, count), l10n.t('{0} in {1} days', change, count));
}

function retentionCell(row: OverviewTableRow, page: OverviewPageModel, place: number): TableCellContent {
  const { limit } = row;
  return limit === undefined
    ? nothing
    : textWithSentence({
        id: `limit-${place}`,
        text: limit.text,
        sentence: limit.detail,
        tabIndex: rowTabIndex(row, page),
      });
}

function countedRowsCell({ counted }: OverviewTableRow, { formats, now }: OverviewPageModel): TableCellContent {
  return counted === undefined
    ? nothing
    : html`<span title=${l10n.t('as of {0}', formats.moment(counted.at, now))}>${formats.number(counted.rows)}</span>`;
}

function oldestRowCell({ counted }: OverviewTableRow, { formats }: OverviewPageModel): TableCellContent {
  if (counted?.oldest === undefined) {
    return nothing;
  }
  const date = formats.date(counted.oldest.upTo);
  return counted.oldest.isExact ? date : l10n.t('before {0}', date);
}

/** Result first, because the column may cut off the date. */
function truncationCell(row: OverviewTableRow, page: OverviewPageModel): TableCellContent {
  const { truncation } = row;
  return truncation === undefined
    ? nothing
    : html`<button
        type="button"
        class="link ${truncation.isTrouble ? 'trouble' : ''}"
        tabindex=${rowTabIndex(row, page)}
        title=${`${page.formats.time(truncation.sentAt)} · ${truncation.detail}`}
        @click=${() => page.send({ type: 'showTruncation', id: row.id })}
      >
        ${truncation.result} · ${page.formats.date(truncation.sentAt)}
      </button>`;
}

function unknownSizeCell(): TableCellContent {
  return html`<span class="quiet">${l10n.t('Unknown')}</span>`;
}

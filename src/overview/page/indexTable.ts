/** The table of indices. Draws only visible rows; ARIA attributes carry the number and position of all. */
import * as l10n from '@vscode/l10n';
import { html, nothing, svg, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { icons } from '../../webview/page/icons.ts';
import type { OverviewRow } from '../protocol.ts';
import { rowTabIndex, signWithSentence, sparkline, withSentence, type CellContent } from './cellParts.ts';
import type { OverviewPage } from './overviewPage.ts';
import { indexNameOf, type SortKey, drawnRows } from './tableRows.ts';
import { plural } from '../../language.ts';
import { canSelect, selectAllCell, selectCell } from './batchSelection.ts';
import { aboutText, sizeText } from '../../ui/formats.ts';

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
  const truncate = (): void => page.send({ type: 'truncate', id: row.id });
  const copyName = (): void => page.send({ type: 'copyName', id: row.id });
  const tabIndex = rowTabIndex(row, page);
  const truncateLabel = l10n.t('Truncate {0}', indexNameOf(row));
  return html`${row.canTruncate ? iconButton(icons.truncate, truncateLabel, tabIndex, truncate) : nothing}${iconButton(
    icons.copy,
    l10n.t('Copy Index Name'),
    tabIndex,
    copyName,
  )}`;
}

function iconButton(icon: TemplateResult, label: string, tabIndex: 0 | -1, press: () => void): TemplateResult {
  return html`<button
    type="button"
    class="tool"
    tabindex=${tabIndex}
    title=${label}
    aria-label=${label}
    @click=${press}
  >${icon}</button>`;
}

interface TableColumn {
  /** Its CSS class. */
  readonly id: string;
  title(): string;
  readonly sortKey?: SortKey;
  /** Replaces the title. */
  header?(page: OverviewPage): CellContent;
  /** True if the column has content. Always shown without it. */
  isShown?(page: OverviewPage): boolean;
  /** @param place Position of the row in the table. */
  cell(row: OverviewRow, page: OverviewPage, place: number): CellContent;
}

const COLUMNS: readonly TableColumn[] = [
  {
    id: 'tick',
    title: () => l10n.t('Select'),
    isShown: ({ view, all }) => view.batch.phase === 'choosing' && all.some(canSelect),
    header: selectAllCell,
    cell: selectCell,
  },
  { id: 'name', title: () => l10n.t('Index'), sortKey: 'name', cell: indexNameCell },
  { id: 'bytes', title: () => l10n.t('Size'), sortKey: 'size', cell: indexSizeCell },
  {
    id: 'portion',
    title: () => l10n.t('Share'),
    isShown: ({ view, totalBytes }) => totalBytes > 0 && view.sizePrecision === 'exact',
    cell: shareCell,
  },
  {
    id: 'growth',
    title: () => l10n.t('Growth'),
    sortKey: 'growth',
    isShown: ({ all }) => all.some(({ growth }) => growth !== undefined),
    cell: growthCell,
  },
  {
    id: 'rows',
    title: () => l10n.t('Rows'),
    sortKey: 'rows',
    isShown: ({ all }) => all.some(({ counted }) => counted !== undefined),
    cell: rowsCell,
  },
  {
    id: 'oldest',
    title: () => l10n.t('Oldest row'),
    sortKey: 'oldest',
    isShown: ({ all }) => all.some(({ counted }) => counted?.oldest !== undefined),
    cell: oldestCell,
  },
  {
    id: 'truncation',
    title: () => l10n.t('Last truncation'),
    sortKey: 'truncation',
    isShown: ({ all }) => all.some(({ truncation }) => truncation !== undefined),
    cell: truncationCell,
  },
  {
    id: 'limit',
    title: () => l10n.t('Retention'),
    sortKey: 'limit',
    isShown: ({ all }) => all.some(({ limit }) => limit !== undefined),
    cell: limitCell,
  },
];

/** The columns with content. */
function visibleColumns(page: OverviewPage): readonly TableColumn[] {
  return COLUMNS.filter(({ isShown }) => isShown?.(page) ?? true);
}

/** The name takes the keyboard focus and opens the wizard. */
function indexNameCell(row: OverviewRow, page: OverviewPage, place: number): CellContent {
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
    ${label}${note}${row.purpose === undefined ? nothing : purposeSign(row, row.purpose, page, place)}
  </div>`;
}

function purposeSign(row: OverviewRow, purpose: string, page: OverviewPage, place: number): TemplateResult {
  return signWithSentence({
    id: `about-${place}`,
    icon: icons.info,
    label: l10n.t('About {0}', indexNameOf(row)),
    sentence: purpose,
    tabIndex: rowTabIndex(row, page),
  });
}

function indexSizeCell({ bytes }: OverviewRow, { view, formats, largestBytes }: OverviewPage): CellContent {
  if (bytes === undefined) {
    return unknownSize();
  }
  const width = largestBytes === 0 ? 0 : (bytes / largestBytes) * 100;
  return html`<svg class="bar" aria-hidden="true">
      ${svg`<rect width="${width}%" height="100%"></rect>`}
    </svg>
    <span>${sizeText(bytes, view.sizePrecision, formats)}</span>`;
}

function shareCell({ bytes }: OverviewRow, { formats, totalBytes }: OverviewPage): CellContent {
  return bytes === undefined || totalBytes === 0 ? nothing : formats.share((bytes / totalBytes) * 100);
}

function growthCell(row: OverviewRow, page: OverviewPage, place: number): CellContent {
  const { growth } = row;
  return growth === undefined
    ? nothing
    : html`<span class="trend"
        >${sparkline(growth.figures)}${withSentence({
          id: `growth-${place}`,
          text: changeText(growth.bytes, page),
          sentence: growthSentence(growth, page),
          tabIndex: rowTabIndex(row, page),
        })}</span
      >`;
}

function changeText(bytes: number, { view, formats }: OverviewPage): string {
  return aboutText(formats.change(bytes), view.sizePrecision === 'exact');
}

function growthSentence({ bytes, days }: NonNullable<OverviewRow['growth']>, page: OverviewPage): string {
  const [change, count] = [changeText(bytes, page), page.formats.number(days)];
  return plural(days, l10n.t('{0} in {1} day', change, count), l10n.t('{0} in {1} days', change, count));
}

function limitCell(row: OverviewRow, page: OverviewPage, place: number): CellContent {
  const { limit } = row;
  return limit === undefined
    ? nothing
    : withSentence({
        id: `limit-${place}`,
        text: limit.text,
        sentence: limit.detail,
        tabIndex: rowTabIndex(row, page),
      });
}

function rowsCell({ counted }: OverviewRow, { formats, now }: OverviewPage): CellContent {
  return counted === undefined
    ? nothing
    : html`<span title=${l10n.t('as of {0}', formats.moment(counted.at, now))}>${formats.number(counted.rows)}</span>`;
}

function oldestCell({ counted }: OverviewRow, { formats }: OverviewPage): CellContent {
  if (counted?.oldest === undefined) {
    return nothing;
  }
  const date = formats.date(counted.oldest.upTo);
  return counted.oldest.isExact ? date : l10n.t('before {0}', date);
}

/** The result comes first, because the column may cut off the date. */
function truncationCell(row: OverviewRow, page: OverviewPage): CellContent {
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

function unknownSize(): CellContent {
  return html`<span class="quiet">${l10n.t('Unknown')}</span>`;
}

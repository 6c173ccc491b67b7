/** The table of indices: its columns, and the content of their cells. */
import * as l10n from '@vscode/l10n';
import { html, nothing, svg, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import { plural } from '../../../language.ts';
import { MAX_ITEMS } from '../../../truncation/jobState.ts';
import type { OverviewTableRow } from '../protocol.ts';
import { icons, type OptionalTemplate } from '../../kit/page/elements.ts';
import type { OverviewPageModel } from './frame.ts';
import { canSelectRow, shownIndexName, toggleSorting, type SortKey } from './tableRows.ts';

interface IndexTableColumn {
  /** Its CSS class. */
  readonly id: 'tick' | SortKey;
  header(page: OverviewPageModel): TemplateResult;
  /** True if the column has content. Always shown without it. */
  isShown?(rows: readonly OverviewTableRow[]): boolean;
  cell(row: OverviewTableRow, page: OverviewPageModel): OptionalTemplate;
}

/** From left to right. */
const COLUMNS: readonly IndexTableColumn[] = [
  {
    id: 'tick',
    header: (page) => html`<td class="tick">${selectAllCell(page)}</td>`,
    isShown: (rows) => rows.some(canSelectRow),
    cell: selectRowCell,
  },
  { id: 'name', header: (page) => sortHeaderCell('name', l10n.t('Index'), page), cell: indexNameCell },
  { id: 'size', header: (page) => sortHeaderCell('size', l10n.t('Size'), page), cell: indexSizeCell },
  {
    id: 'growth',
    header: (page) => sortHeaderCell('growth', l10n.t('Growth'), page),
    isShown: (rows) => rows.some(({ bytes }) => bytes !== undefined),
    cell: sizeGrowthCell,
  },
  {
    id: 'truncation',
    header: (page) => sortHeaderCell('truncation', l10n.t('Last truncation'), page),
    isShown: (rows) => rows.some(({ truncation }) => truncation !== undefined),
    cell: truncationCell,
  },
];

export function indexTable(page: OverviewPageModel): TemplateResult {
  const columns = COLUMNS.filter(({ isShown }) => isShown?.(page.view.rows) ?? true);
  return html`<table class="indices" aria-label=${l10n.t('Time series indices')}>
    <thead>
      <tr>
        ${columns.map(({ header }) => header(page))}
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

/** Sorts by the column, or reverses it. */
function sortHeaderCell(key: SortKey, title: string, page: OverviewPageModel): TemplateResult {
  const { sorting } = page;
  const isSorted = sorting.by === key;
  const direction = sorting.descending ? 'descending' : 'ascending';
  const sign = html`<span class="direction ${direction}">${icons.chevron}</span>`;
  return html`<th scope="col" class=${key} aria-sort=${isSorted ? direction : nothing}>
    <button type="button" class="sort" @click=${() => (page.sorting = toggleSorting(key, sorting))}>
      <span>${title}</span>${isSorted ? sign : nothing}
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
    @focusin=${() => (page.active = row.id)}
  >
    ${columns.map((column) =>
      column.id === 'name'
        ? html`<th scope="row" class="name">${column.cell(row, page)}</th>`
        : html`<td class=${column.id}>${column.cell(row, page)}</td>`,
    )}
  </tr>`;
}

/** Selects an index, or says why it can't be. */
function selectRowCell(row: OverviewTableRow, page: OverviewPageModel): OptionalTemplate {
  const { ticked } = page;
  const isTicked = ticked.includes(row.id);
  return row.canTruncate
    ? html`<label class="check"
        ><input
          type="checkbox"
          tabindex=${rowTabIndex(row, page)}
          aria-label=${l10n.t('Select {0}', shownIndexName(row))}
          title=${row.onlyAlone ?? nothing}
          ?disabled=${!canSelectRow(row) || (!isTicked && ticked.length >= MAX_ITEMS)}
          .checked=${live(isTicked)}
          @change=${({ target }: Event & { target: HTMLInputElement }) => page.tickIndices([row.id], target.checked)}
      /></label>`
    : nothing;
}

/** Selects all filtered indices, up to the limit. */
function selectAllCell(page: OverviewPageModel): TemplateResult {
  const { rows, ticked } = page;
  const ids = rows.filter(canSelectRow).map(({ id }) => id);
  const all = ids.slice(0, MAX_ITEMS);
  return html`<label class="check"
    ><input
      type="checkbox"
      aria-label=${l10n.t('Select all')}
      ?disabled=${all.length === 0}
      .checked=${all.length > 0 && all.every((id) => ticked.includes(id))}
      .indeterminate=${ids.some((id) => ticked.includes(id)) && !all.every((id) => ticked.includes(id))}
      @change=${(event: Event & { target: HTMLInputElement }) => page.tickIndices(ids, event.target.checked)}
  /></label>`;
}

/** The name takes the keyboard focus and opens the wizard. Screen readers read its hover as its description. */
function indexNameCell(row: OverviewTableRow, page: OverviewPageModel): OptionalTemplate {
  const name =
    row.entityType === undefined || row.aspect === undefined
      ? html`<bdi>${row.indexName}</bdi>`
      : html`<span class="quiet entity"><bdi>${row.entityType}</bdi> / </span><bdi>${row.aspect}</bdi>`;
  const about = [row.indexName, row.purpose, row.onlyAlone].filter((text) => text !== undefined).join('\n');
  const label = row.canTruncate
    ? html`<button
        type="button"
        class="link"
        tabindex=${rowTabIndex(row, page)}
        title=${about}
        @click=${() => page.send({ type: 'truncate', id: row.id })}
      >
        ${name}
      </button>`
    : html`<span class="label" tabindex=${rowTabIndex(row, page)} title=${about}>${name}</span>`;
  const note = row.note === undefined ? nothing : html`<span class="quiet note">${row.note.text}</span>`;
  return html`<div class="named" title=${row.note?.detail ?? nothing}>${label}${note}</div>`;
}

function indexSizeCell({ bytes }: OverviewTableRow, page: OverviewPageModel): OptionalTemplate {
  const { formats, largestBytes } = page;
  if (bytes === undefined) {
    return html`<span class="quiet">${l10n.t('Unknown')}</span>`;
  }
  const width = largestBytes === 0 ? 0 : (bytes / largestBytes) * 100;
  return html`<svg class="bar" aria-hidden="true">
      ${svg`<rect x="${100 - width}%" width="${width}%" height="100%"></rect>`}
    </svg>
    <span>${formats.size(bytes)}</span>`;
}

/** Needs sizes of two days. */
function sizeGrowthCell({ growth, bytes, canTruncate }: OverviewTableRow, page: OverviewPageModel): OptionalTemplate {
  if (growth === undefined) {
    // Of other indices, no sizes are kept.
    return bytes === undefined || !canTruncate ? nothing : html`<span class="quiet">${l10n.t('from tomorrow')}</span>`;
  }
  const sentence = growthSentence(growth, page);
  // Screen readers don't read the hover of plain text.
  return html`<span aria-hidden="true" title=${sentence}>${page.formats.change(growth.bytes)}</span>
    <span class="unseen">${sentence}</span>`;
}

function growthSentence(
  { bytes, days }: NonNullable<OverviewTableRow['growth']>,
  { formats }: OverviewPageModel,
): string {
  const [change, count] = [formats.change(bytes), formats.number(days)];
  return plural(days, l10n.t('{0} in {1} day', change, count), l10n.t('{0} in {1} days', change, count));
}

/** The date; before it the result of one that isn't done. */
function truncationCell(row: OverviewTableRow, page: OverviewPageModel): OptionalTemplate {
  const { truncation } = row;
  if (truncation === undefined) {
    return nothing;
  }
  const { recordId, mark, result, detail, sentAt } = truncation;
  const date = page.formats.date(sentAt);
  return html`<button
    type="button"
    class="link ${mark}"
    tabindex=${rowTabIndex(row, page)}
    title=${`${page.formats.time(sentAt)} · ${detail}`}
    @click=${() => page.send({ type: 'showTruncation', recordId })}
  >
    ${mark === 'done' ? date : `${result} · ${date}`}
  </button>`;
}

/** The Tab key reaches one row, arrow keys the others. */
function rowTabIndex(row: OverviewTableRow, page: OverviewPageModel): 0 | -1 {
  return row.id === page.active ? 0 : -1;
}

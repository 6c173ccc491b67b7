/** The input for a job: its indices with their check boxes, and the age that sets its cutoff. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import * as v from 'valibot';
import { live } from 'lit/directives/live.js';
import { MAX_ITEMS } from '../../../truncation/jobSize.ts';
import type { JobItemView, JobView } from '../jobProtocol.ts';
import { plural } from '../../../language.ts';
import { readDays } from '../../../truncation/cutoff.ts';
import { controlNamesFor } from '../../kit/page/field.ts';
import type { OverviewTableRow } from '../protocol.ts';
import type { PlacedJobItem } from './jobRows.ts';
import { shownIndexName } from './tableRows.ts';
import { icons } from '../../kit/page/icons.ts';
import { iconWithSentence, rowTabIndex, type TableCellContent } from './cellParts.ts';
import type { OverviewPageModel } from './overviewPage.ts';

const TICKED = v.array(v.string());

/** True if an index can be part of a job. */
export function canSelectRow({ canTruncate, onlyAlone }: OverviewTableRow): boolean {
  return canTruncate && onlyAlone === undefined;
}

/** Adds or removes IDs in order, up to the limit. */
export function toggleSelection(
  before: readonly string[],
  ids: readonly string[],
  isTicked: boolean,
): readonly string[] {
  const others = before.filter((id) => !ids.includes(id));
  return isTicked ? [...new Set([...before, ...ids])].slice(0, MAX_ITEMS) : others;
}

/**
 * IDs from one row to another that can be selected, in either direction.
 * @param from The row that was ticked last. Only `to`, if it is not in the table any more.
 */
export function selectableRange(
  rows: readonly OverviewTableRow[],
  from: string | undefined,
  to: string,
): readonly string[] {
  const places = [from, to].map((id) => rows.findIndex((row) => row.id === id));
  return places.includes(-1)
    ? [to]
    : rows
        .slice(Math.min(...places), Math.max(...places) + 1)
        .filter(canSelectRow)
        .map(({ id }) => id);
}

/**
 * Selection as the job has changed it. Before it is confirmed, it follows the boxes of what was counted; at its
 * end, only those stay that were not truncated.
 */
export function selectionAfterJob(
  before: readonly string[],
  phase: JobView['phase'],
  items: ReadonlyMap<string, PlacedJobItem>,
): readonly string[] {
  const idsWith = (matches: (item: JobItemView) => boolean): string[] =>
    [...items].flatMap(([id, { item }]) => (matches(item) ? id : []));
  switch (phase) {
    case 'planned': {
      const kept = toggleSelection(
        before,
        idsWith(({ isSelected, isCounted }) => isCounted && !isSelected),
        false,
      );
      return toggleSelection(
        kept,
        idsWith(({ isSelected }) => isSelected),
        true,
      );
    }
    case 'ended':
      return toggleSelection(
        before,
        idsWith(({ isSelected, status }) => !isSelected || status?.kind !== 'trouble'),
        false,
      );
    default:
      return before;
  }
}

/** Parses the page's stored state. */
export function parseSelection(kept: unknown): readonly string[] {
  const parsed = v.safeParse(TICKED, kept);
  return parsed.success ? toggleSelection([], parsed.output, true) : [];
}

/** Selects an index for the job, or shows whether it is part of it. */
export function selectRowCell(row: OverviewTableRow, page: OverviewPageModel, place: number): TableCellContent {
  const { view, items, ticked } = page;
  if (view.job.phase !== 'choosing') {
    const placed = items.get(row.id);
    return placed === undefined ? nothing : selectItemBox(row, placed, page);
  }
  if (row.onlyAlone !== undefined) {
    return iconWithSentence({
      id: `alone-${place}`,
      icon: icons.lock,
      label: l10n.t("Why {0} can't be selected", shownIndexName(row)),
      sentence: row.onlyAlone,
      tabIndex: rowTabIndex(row, page),
    });
  }
  const isTicked = ticked.has(row.id);
  return canSelectRow(row)
    ? rowBox(row, page, {
        isTicked,
        isEnabled: isTicked || ticked.size < MAX_ITEMS,
        toggle: (isNowTicked, isRange) => page.tickRow(row.id, isNowTicked, isRange),
      })
    : nothing;
}

/** The box of an item, which the user can change before the job is confirmed. */
function selectItemBox(row: OverviewTableRow, { item, place }: PlacedJobItem, page: OverviewPageModel): TemplateResult {
  return rowBox(row, page, {
    isTicked: item.isSelected,
    isEnabled: page.view.job.phase === 'planned' && item.canBeSelected,
    toggle: (isSelected) => page.send({ type: 'job', intent: { type: 'select', place, isSelected } }),
  });
}

interface RowBoxOptions {
  readonly isTicked: boolean;
  readonly isEnabled: boolean;
  readonly toggle: (isTicked: boolean, isRange: boolean) => void;
}

function rowBox(
  row: OverviewTableRow,
  page: OverviewPageModel,
  { isTicked, isEnabled, toggle }: RowBoxOptions,
): TemplateResult {
  return html`<label class="check"
    ><input
      type="checkbox"
      tabindex=${rowTabIndex(row, page)}
      aria-label=${l10n.t('Select {0}', shownIndexName(row))}
      ?disabled=${!isEnabled}
      .checked=${live(isTicked)}
      @click=${(event: MouseEvent & { target: HTMLInputElement }) => toggle(event.target.checked, event.shiftKey)}
  /></label>`;
}

/** Selects all filtered indices, up to the limit. */
export function selectAllCell({ view, rows, ticked, tickIndices }: OverviewPageModel): TableCellContent {
  if (view.job.phase !== 'choosing') {
    return nothing;
  }
  const ids = rows.filter(canSelectRow).map(({ id }) => id);
  const all = ids.slice(0, MAX_ITEMS);
  return html`<label class="check"
    ><input
      type="checkbox"
      aria-label=${l10n.t('Select all')}
      ?disabled=${all.length === 0}
      .checked=${all.length > 0 && all.every((id) => ticked.has(id))}
      .indeterminate=${ids.some((id) => ticked.has(id)) && !all.every((id) => ticked.has(id))}
      @change=${(event: Event & { target: HTMLInputElement }) => tickIndices(ids, event.target.checked)}
  /></label>`;
}

export const AGE_ID = 'age';

/** Why the age can't be used. An empty field is no problem until the user continues. */
export function cutoffAgeProblem({ age, isAgeAsked }: OverviewPageModel): string | undefined {
  const read = readDays(age);
  return 'problem' in read && (isAgeAsked || age.trim() !== '') ? read.problem : undefined;
}

/** Stands for the field in the text around it. */
const FIELD = '\uE000';

/** "older than [90] days". @param submit Called on Enter. */
export function cutoffAgeField(page: OverviewPageModel, submit: () => void): TemplateResult {
  const read = readDays(page.age);
  const days = 'days' in read ? read.days : 0;
  const [before, after] = plural(days, l10n.t('older than {0} day', FIELD), l10n.t('older than {0} days', FIELD)).split(
    FIELD,
  );
  const { describedBy, invalid } = controlNamesFor(AGE_ID, undefined, cutoffAgeProblem(page));
  return html`<label class="age">
    <span>${before}</span>
    <input
      id=${AGE_ID}
      type="text"
      inputmode="numeric"
      autocomplete="off"
      maxlength=${LONGEST_AGE}
      aria-label=${l10n.t('Older than (days)')}
      aria-describedby=${describedBy === '' ? nothing : describedBy}
      aria-invalid=${invalid}
      .value=${page.age}
      @input=${(event: Event & { target: HTMLInputElement }) => page.setCutoffAge(event.target.value)}
      @keydown=${(event: KeyboardEvent) => event.key === 'Enter' && !event.isComposing && !event.repeat && submit()}
    />
    <span>${after}</span>
  </label>`;
}

/** The wizard's proposal as well. */
export const USUAL_AGE = '90';

/** In characters. */
export const LONGEST_AGE = 32;

/** Parses the page's stored age. */
export function parseStoredAge(kept: unknown): string {
  return typeof kept === 'string' && kept.length <= LONGEST_AGE ? kept : USUAL_AGE;
}

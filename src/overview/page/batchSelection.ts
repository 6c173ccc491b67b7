/** The input for a batch: its indices with their check boxes, and the age that sets its cutoff. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import * as v from 'valibot';
import { MAX_BATCH_ITEMS, type BatchView } from '../../batch/protocol.ts';
import { readDays } from '../../rowsByAge/fitGoal.ts';
import { labelledField } from '../../webview/page/field.ts';
import type { OverviewTableRow } from '../protocol.ts';
import { shownIndexName } from './tableRows.ts';
import { icons } from '../../webview/page/icons.ts';
import { iconWithSentence, rowTabIndex, type TableCellContent } from './cellParts.ts';
import type { OverviewPageModel } from './overviewPage.ts';

const TICKED = v.array(v.string());

/** True if an index can be part of a batch. */
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
  return isTicked ? [...new Set([...before, ...ids])].slice(0, MAX_BATCH_ITEMS) : others;
}

/** Removes truncated and running indices. Others may be wanted again. */
export function remainingSelection(
  before: readonly string[],
  { phase, items }: Pick<BatchView, 'phase' | 'items'>,
  rows: readonly OverviewTableRow[],
): readonly string[] {
  const done = new Set(
    items.flatMap(({ name, isSelected, status }) =>
      isSelected && status?.kind !== 'trouble' ? name.toLowerCase() : [],
    ),
  );
  return phase === 'ended'
    ? before.filter((id) => !rows.some((row) => row.id === id && done.has(shownIndexName(row).toLowerCase())))
    : before;
}

/** Parses the page's stored state. */
export function parseSelection(kept: unknown): readonly string[] {
  const parsed = v.safeParse(TICKED, kept);
  return parsed.success ? toggleSelection([], parsed.output, true) : [];
}

/** Selects an index for the batch. */
export function selectRowCell(row: OverviewTableRow, page: OverviewPageModel, place: number): TableCellContent {
  if (row.onlyAlone !== undefined) {
    return iconWithSentence({
      id: `alone-${place}`,
      icon: icons.lock,
      label: l10n.t("Why {0} can't be selected", shownIndexName(row)),
      sentence: row.onlyAlone,
      tabIndex: rowTabIndex(row, page),
    });
  }
  const isTicked = page.ticked.has(row.id);
  return canSelectRow(row)
    ? html`<label class="check"
        ><input
          type="checkbox"
          tabindex=${rowTabIndex(row, page)}
          aria-label=${l10n.t('Select {0}', shownIndexName(row))}
          ?disabled=${!isTicked && page.ticked.size >= MAX_BATCH_ITEMS}
          .checked=${isTicked}
          @change=${(event: Event & { target: HTMLInputElement }) => page.tickIndices([row.id], event.target.checked)}
      /></label>`
    : nothing;
}

/** Selects all filtered indices, up to the limit. */
export function selectAllCell({ rows, ticked, tickIndices }: OverviewPageModel): TableCellContent {
  const ids = rows.filter(canSelectRow).map(({ id }) => id);
  const all = ids.slice(0, MAX_BATCH_ITEMS);
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

/** @param submit Called on Enter. */
export function cutOffAgeField(
  { age, isAgeAsked, setCutOffAge }: OverviewPageModel,
  submit: () => void,
): TemplateResult {
  const read = readDays(age);
  return labelledField({
    id: AGE_ID,
    label: l10n.t('Older than (days)'),
    // An empty field is no problem until the user continues.
    problem: 'problem' in read && (isAgeAsked || age.trim() !== '') ? read.problem : undefined,
    renderControl: ({ id, describedBy, invalid }) => html`<input
      id=${id}
      class="short"
      type="text"
      inputmode="numeric"
      autocomplete="off"
      maxlength=${LONGEST_AGE}
      aria-describedby=${describedBy === '' ? nothing : describedBy}
      aria-invalid=${invalid}
      .value=${age}
      @input=${(event: Event & { target: HTMLInputElement }) => setCutOffAge(event.target.value)}
      @keydown=${(event: KeyboardEvent) => event.key === 'Enter' && !event.isComposing && submit()}
    />`,
  });
}

/** The wizard's proposal as well. */
export const USUAL_AGE = '90';

/** In characters. */
export const LONGEST_AGE = 32;

/** Parses the page's stored age. */
export function parseStoredAge(kept: unknown): string {
  return typeof kept === 'string' && kept.length <= LONGEST_AGE ? kept : USUAL_AGE;
}

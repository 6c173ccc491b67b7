/** The cut-off as it is being entered, and the page's memory of it while the page is hidden or reloaded. */
import { isTime } from '../../ui/formats.ts';
import { parseDraft, type WizardView } from '../protocol.ts';
import type { PlanDraft } from '../../truncation/plan.ts';
import { daysBefore, readLocalText, toLocalText, type LocalText } from '../../webview/page/localTime.ts';

/** The texts of the two inputs, and the preset in days that filled them, until a person changes them. */
export interface CutOffText extends LocalText {
  readonly preset?: number;
  /** By hand, so that no proposal replaces it. */
  readonly isTyped?: true;
}

/** Everything that a person entered: the draft holds the point in time only, so a half-typed date would be lost with it. */
interface PageState {
  readonly draft: PlanDraft;
  readonly cutOff: CutOffText;
  readonly advancedOpen: boolean;
  readonly indexFields: IndexFieldsState;
}

/** Where the fields of the index are: needed from the start, unfolded to change it, or folded because the heading names it. */
export type IndexFieldsState = 'needed' | 'unfolded' | 'folded';

export const EMPTY_CUT_OFF: CutOffText = { date: '', time: '' };

/** So many days before now (Unix time in ms). */
export function cutOffBefore(days: number, now: number): CutOffText {
  return { ...toLocalText(daysBefore(days, now)), preset: days };
}

/**
 * Fills in a new proposal. A typed date stays; any other gives way if it was chosen for another index.
 * @param before Undefined if the page was just opened.
 * @param now Unix time in ms.
 */
export function proposedCutOff(
  before: Pick<WizardView, 'proposal'> | undefined,
  { proposal }: Pick<WizardView, 'proposal'>,
  cutOff: CutOffText,
  now: number,
): CutOffText | undefined {
  if (proposal === undefined || before?.proposal !== undefined) {
    return undefined;
  }
  const isEmpty = cutOff.date === '' && cutOff.time === '';
  const wasForAnother = before !== undefined && cutOff.isTyped === undefined;
  return isEmpty || wasForAnother ? cutOffBefore(proposal.days, now) : undefined;
}

/** The point in time (Unix time in ms, UTC) that the texts mean; undefined while they are incomplete. */
export function cutOffMillis(text: LocalText): number | undefined {
  return readLocalText(text)?.millis;
}

/** The texts for a draft: those at hand when they mean the same (a half-typed date, a preset), else those of its point in time. */
export function cutOffTextFor(endTimeMillis: number | undefined, atHand: CutOffText): CutOffText {
  if (cutOffMillis(atHand) === endTimeMillis) {
    return atHand;
  }
  return endTimeMillis === undefined || !isTime(endTimeMillis) ? EMPTY_CUT_OFF : toLocalText(endTimeMillis);
}

/** The state as the page kept it, or undefined when it is of another shape (an older version's, for example). */
export function parsePageState(data: unknown): PageState | undefined {
  if (!isRecord(data) || !isRecord(data['cutOff'])) {
    return undefined;
  }
  const draft = parseDraft(data['draft']);
  const { date, time, preset, isTyped } = data['cutOff'];
  const { indexFields } = data;
  if (draft === undefined || typeof date !== 'string' || typeof time !== 'string') {
    return undefined;
  }
  return {
    draft,
    cutOff: { date, time, ...(typeof preset === 'number' ? { preset } : {}), ...(isTyped === true ? { isTyped } : {}) },
    advancedOpen: data['advancedOpen'] === true,
    indexFields: indexFields === 'needed' || indexFields === 'unfolded' ? indexFields : 'folded',
  };
}

function isRecord(data: unknown): data is Record<string, unknown> {
  return typeof data === 'object' && data !== null;
}

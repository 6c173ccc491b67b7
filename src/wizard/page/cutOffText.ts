/** The cutoff as the user enters it, and the state of the page that survives a reload. */
import { isValidTime } from '../../ui/formats.ts';
import { parsePlanDraft, type WizardPageView } from '../protocol.ts';
import type { PlanDraft } from '../../truncation/plan.ts';
import { cutOffDaysBefore, readLocalText, toLocalText, type LocalDateTimeText } from '../../webview/page/localTime.ts';

/** Texts of both inputs, and the preset that filled them. */
export interface CutOffInputText extends LocalDateTimeText {
  readonly preset?: number | undefined;
  /** Entered by hand, so that no proposal replaces it. */
  readonly isTyped?: true | undefined;
}

/** Everything entered: the draft lacks a half-typed date. */
interface WizardPageState {
  readonly draft: PlanDraft;
  readonly cutOff: CutOffInputText;
  readonly advancedOpen: boolean;
  readonly indexFields: IndexFieldsState;
}

/** Required, unfolded by the user, or folded below the heading. */
export type IndexFieldsState = 'needed' | 'unfolded' | 'folded';

export const EMPTY_CUT_OFF: CutOffInputText = { date: '', time: '' };

/** @param now Unix time in ms. */
export function cutOffBefore(days: number, now: number): CutOffInputText {
  return { ...toLocalText(cutOffDaysBefore(days, now)), preset: days };
}

/**
 * Fills in a new proposal. Keeps a typed date, but replaces one that was chosen for another index.
 * @param before Undefined if the page was just opened.
 * @param now Unix time in ms.
 */
export function proposedCutOff(
  before: Pick<WizardPageView, 'proposal'> | undefined,
  { proposal }: Pick<WizardPageView, 'proposal'>,
  cutOff: CutOffInputText,
  now: number,
): CutOffInputText | undefined {
  if (proposal === undefined || before?.proposal !== undefined) {
    return undefined;
  }
  const isEmpty = cutOff.date === '' && cutOff.time === '';
  const wasForAnother = before !== undefined && cutOff.isTyped === undefined;
  return isEmpty || wasForAnother ? cutOffBefore(proposal.days, now) : undefined;
}

/** Unix time in ms. @returns undefined while incomplete. */
export function cutOffMillis(text: LocalDateTimeText): number | undefined {
  return readLocalText(text)?.millis;
}

/** The texts for a draft. Keeps the present ones if they mean the same, such as a preset or a half-typed date. */
export function cutOffTextFor(endTimeMillis: number | undefined, atHand: CutOffInputText): CutOffInputText {
  if (cutOffMillis(atHand) === endTimeMillis) {
    return atHand;
  }
  return endTimeMillis === undefined || !isValidTime(endTimeMillis) ? EMPTY_CUT_OFF : toLocalText(endTimeMillis);
}

/** Parses the stored state. @returns undefined for another shape. */
export function parsePageState(data: unknown): WizardPageState | undefined {
  if (!isPlainRecord(data) || !isPlainRecord(data['cutOff'])) {
    return undefined;
  }
  const draft = parsePlanDraft(data['draft']);
  const { date, time, preset, isTyped } = data['cutOff'];
  const { indexFields } = data;
  if (draft === undefined || typeof date !== 'string' || typeof time !== 'string') {
    return undefined;
  }
  return {
    draft,
    cutOff: {
      date,
      time,
      preset: typeof preset === 'number' ? preset : undefined,
      isTyped: isTyped === true ? isTyped : undefined,
    },
    advancedOpen: data['advancedOpen'] === true,
    indexFields: indexFields === 'needed' || indexFields === 'unfolded' ? indexFields : 'folded',
  };
}

function isPlainRecord(data: unknown): data is Record<string, unknown> {
  return typeof data === 'object' && data !== null;
}

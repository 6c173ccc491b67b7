/** The cutoff as the user enters it, and the state of the page that survives a reload. */
import { MILLIS_PER_DAY } from '../../time.ts';
import { isValidTime } from '../../ui/formats.ts';
import { MOST_DAYS, readDays, type FitKind } from '../../rowsByAge/fitGoal.ts';
import { parsePlanDraft, type WizardPageView } from '../protocol.ts';
import type { PlanDraft } from '../../truncation/plan.ts';
import { cutOffDaysBefore, readLocalText, toLocalText, type LocalDateTimeText } from '../../webview/page/localTime.ts';

/** Ways to say the cutoff. The host finds the cutoff of a limit. */
export const CUT_OFF_KINDS = ['days', 'dateTime', 'keepBytes', 'deleteRows'] as const satisfies readonly (
  | 'days'
  | 'dateTime'
  | FitKind
)[];

export type CutOffKind = (typeof CUT_OFF_KINDS)[number];

/** All that was entered, with the local date and time that it means. These are empty while it means none. */
export interface CutOffInput extends LocalDateTimeText {
  readonly kind: CutOffKind;
  /** Age in days, as typed. */
  readonly days: string;
  /** Limit in GB or rows, as typed. */
  readonly limit: string;
  /** Entered by hand, so that no proposal replaces it. */
  readonly isTyped?: true | undefined;
}

/** Everything entered: the draft lacks a half-typed date. */
interface WizardPageState {
  readonly draft: PlanDraft;
  readonly cutOff: CutOffInput;
  readonly advancedOpen: boolean;
  readonly indexFields: IndexFieldsState;
}

/** Required, unfolded by the user, or folded below the cutoff. */
export type IndexFieldsState = 'needed' | 'unfolded' | 'folded';

export const EMPTY_CUT_OFF: CutOffInput = { kind: 'days', days: '', limit: '', date: '', time: '' };

/** Proposed on the overview as well. */
const USUAL_DAYS = 90;

/** @param now Unix time in ms. */
export function cutOffBefore(days: number, now: number): CutOffInput {
  return { ...EMPTY_CUT_OFF, ...toLocalText(cutOffDaysBefore(days, now)), days: String(days) };
}

/** Reads days as they are typed. @param now Unix time in ms. */
export function typedDays(text: string, now: number): CutOffInput {
  const read = readDays(text);
  return { ...('days' in read ? cutOffBefore(read.days, now) : EMPTY_CUT_OFF), days: text, isTyped: true };
}

/**
 * Says a cutoff in another way. A date starts at the present cutoff; a limit has none until it is searched for.
 * @param now Unix time in ms.
 */
export function withKind(kind: CutOffKind, input: CutOffInput, now: number): CutOffInput {
  switch (kind) {
    case 'days': {
      const millis = cutOffMillis(input);
      return millis === undefined ? EMPTY_CUT_OFF : { ...movedCutOff(millis, EMPTY_CUT_OFF, now), isTyped: true };
    }
    case 'dateTime':
      return { ...EMPTY_CUT_OFF, kind, date: input.date, time: input.time, isTyped: true };
    case 'keepBytes':
    case 'deleteRows':
      return { ...EMPTY_CUT_OFF, kind, isTyped: true };
  }
}

/**
 * A cutoff chosen in the chart: in whole days, unless the user entered a date.
 * @param millis @param now Unix times in ms.
 */
export function movedCutOff(millis: number, { kind }: Pick<CutOffInput, 'kind'>, now: number): CutOffInput {
  return kind === 'dateTime'
    ? { ...EMPTY_CUT_OFF, kind, ...toLocalText(millis) }
    : cutOffBefore(Math.min(MOST_DAYS, Math.max(1, Math.round((now - millis) / MILLIS_PER_DAY))), now);
}

/**
 * Fills in the usual age when the page opens, or a proposal for the index. Keeps a typed cutoff, but replaces one
 * that was chosen for another index.
 * @param before Undefined if the page was just opened.
 * @param now Unix time in ms.
 */
export function proposedCutOff(
  before: Pick<WizardPageView, 'proposal'> | undefined,
  { proposal }: Pick<WizardPageView, 'proposal'>,
  cutOff: CutOffInput,
  now: number,
): CutOffInput | undefined {
  if (cutOff.isTyped !== undefined) {
    return undefined;
  }
  if (before === undefined) {
    const isEmpty = cutOff.kind === 'days' && cutOff.days === '';
    return isEmpty ? cutOffBefore(proposal?.days ?? USUAL_DAYS, now) : undefined;
  }
  return proposal !== undefined && before.proposal === undefined ? cutOffBefore(proposal.days, now) : undefined;
}

/** Unix time in ms. @returns undefined while incomplete. */
export function cutOffMillis(text: LocalDateTimeText): number | undefined {
  return readLocalText(text)?.millis;
}

/**
 * The input for a draft. Keeps what is entered if it means the same, such as a half-typed date or a limit whose
 * cutoff was just found.
 * @param isFound True if the draft's cutoff was found for the limit.
 * @param now Unix time in ms.
 */
export function cutOffInputFor(
  endTimeMillis: number | undefined,
  entered: CutOffInput,
  isFound: boolean,
  now: number,
): CutOffInput {
  if (endTimeMillis === undefined || !isValidTime(endTimeMillis)) {
    return cutOffMillis(entered) === undefined ? entered : EMPTY_CUT_OFF;
  }
  const isLimit = entered.kind === 'keepBytes' || entered.kind === 'deleteRows';
  if (isLimit && isFound) {
    return { ...entered, ...toLocalText(endTimeMillis) };
  }
  if (cutOffMillis(entered) === endTimeMillis && !hasDrifted(entered, endTimeMillis, now)) {
    return entered;
  }
  return { ...EMPTY_CUT_OFF, kind: 'dateTime', ...toLocalText(endTimeMillis) };
}

/** True if the page was restored so much later that the days would mean another day. */
function hasDrifted({ kind, days }: CutOffInput, endTimeMillis: number, now: number): boolean {
  const read = readDays(days);
  return kind === 'days' && 'days' in read && cutOffDaysBefore(read.days, now) - endTimeMillis >= MILLIS_PER_DAY;
}

/** Parses the stored state. @returns undefined for another shape. */
export function parsePageState(data: unknown): WizardPageState | undefined {
  if (!isPlainRecord(data) || !isPlainRecord(data['cutOff'])) {
    return undefined;
  }
  const draft = parsePlanDraft(data['draft']);
  const cutOff = parseCutOffInput(data['cutOff']);
  const { indexFields } = data;
  if (draft === undefined || cutOff === undefined) {
    return undefined;
  }
  return {
    draft,
    cutOff,
    advancedOpen: data['advancedOpen'] === true,
    indexFields: indexFields === 'needed' || indexFields === 'unfolded' ? indexFields : 'folded',
  };
}

/** Versions before 0.2.0 stored a date with the preset that filled it, if any. */
function parseCutOffInput(data: Record<string, unknown>): CutOffInput | undefined {
  const { date, time, preset, isTyped } = data;
  if (typeof date !== 'string' || typeof time !== 'string') {
    return undefined;
  }
  const kind = CUT_OFF_KINDS.find((known) => known === data['kind']);
  const text = (key: string): string => (typeof data[key] === 'string' ? data[key] : '');
  return {
    kind: kind ?? (typeof preset === 'number' || (date === '' && time === '') ? 'days' : 'dateTime'),
    days: typeof preset === 'number' ? String(preset) : text('days'),
    limit: text('limit'),
    date,
    time,
    isTyped: isTyped === true ? isTyped : undefined,
  };
}

function isPlainRecord(data: unknown): data is Record<string, unknown> {
  return typeof data === 'object' && data !== null;
}

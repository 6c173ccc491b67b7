/** The cutoff as the user enters it, and the state of the page that survives a reload. */
import { MILLIS_PER_DAY, MILLIS_PER_MINUTE } from '../../time.ts';
import { isValidTime } from '../../ui/formats.ts';
import { cutOffDaysBefore, MOST_DAYS, readDays, type FitKind } from '../../rowsByAge/fitGoal.ts';
import { parsePlanDraft, type CutOffFitView, type WizardPageView } from '../protocol.ts';
import type { PlanDraft } from '../../truncation/plan.ts';
import { readLocalText, toLocalText, type LocalDateTimeText } from '../../webview/page/localTime.ts';

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
  /** Before the kind was changed, until this one is edited: changing it back restores it. */
  readonly former?: CutOffInput | undefined;
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
 * Says a cutoff in another way. Days or a date start at the present cutoff, at the next older day; a limit has
 * none until it is searched for.
 * @param now Unix time in ms.
 */
export function withKind(kind: CutOffKind, input: CutOffInput, now: number): CutOffInput {
  const { former, ...left } = input;
  if (former?.kind === kind) {
    return former;
  }
  const millis = cutOffMillis(input);
  const other: CutOffInput = { ...EMPTY_CUT_OFF, kind, isTyped: true, former: left };
  switch (kind) {
    case 'days':
      return millis === undefined ? other : { ...other, ...cutOffBefore(olderAgeInDays(millis, now), now) };
    case 'dateTime':
      return { ...other, date: input.date, time: input.time };
    case 'keepBytes':
    case 'deleteRows':
      return other;
  }
}

/** Cutoffs are whole minutes, so that less than one more is no day more. */
function olderAgeInDays(millis: number, now: number): number {
  return clampToDays(Math.ceil((now - millis - MILLIS_PER_MINUTE) / MILLIS_PER_DAY));
}

function clampToDays(days: number): number {
  return Math.min(MOST_DAYS, Math.max(1, days));
}

/**
 * A cutoff chosen in the chart: in whole days, unless the user entered a date.
 * @param millis @param now Unix times in ms.
 */
export function movedCutOff(millis: number, { kind }: Pick<CutOffInput, 'kind'>, now: number): CutOffInput {
  return kind === 'dateTime'
    ? { ...EMPTY_CUT_OFF, kind, ...toLocalText(millis) }
    : cutOffBefore(clampToDays(Math.round((now - millis) / MILLIS_PER_DAY)), now);
}

/**
 * Fills in a proposal for another index. Keeps a typed cutoff, but replaces one that was chosen for the index before.
 * @param before Undefined if the page was just opened, with a draft that has one.
 * @param now Unix time in ms.
 */
export function proposedCutOff(
  before: Pick<WizardPageView, 'proposal'> | undefined,
  { proposal }: Pick<WizardPageView, 'proposal'>,
  cutOff: CutOffInput,
  now: number,
): CutOffInput | undefined {
  const isNew = before !== undefined && before.proposal === undefined;
  return proposal !== undefined && isNew && cutOff.isTyped === undefined ? cutOffBefore(proposal.days, now) : undefined;
}

/** Unix time in ms. @returns undefined while incomplete. */
export function cutOffMillis(text: LocalDateTimeText): number | undefined {
  return readLocalText(text)?.millis;
}

/**
 * The input for a draft. Keeps what is entered if it means the same, such as a half-typed date or a limit whose
 * cutoff was just found.
 * @param fit The search for a limit, as the host knows it for exactly this cutoff.
 * @param now Unix time in ms.
 */
export function cutOffInputFor(
  { endTimeMillis, ageInDays: days }: Pick<PlanDraft, 'endTimeMillis' | 'ageInDays'>,
  entered: CutOffInput,
  fit: Pick<CutOffFitView, 'state' | 'goal'> | undefined,
  now: number,
): CutOffInput {
  if (endTimeMillis === undefined || !isValidTime(endTimeMillis)) {
    return cutOffMillis(entered) === undefined ? entered : EMPTY_CUT_OFF;
  }
  if (isLimitKind(entered.kind) && isFoundFor(entered.kind, fit)) {
    return { ...entered, ...toLocalText(endTimeMillis) };
  }
  const isSame = cutOffMillis(entered) === endTimeMillis;
  if (isSame && !isLimitKind(entered.kind) && !hasDrifted(entered, endTimeMillis, now)) {
    return entered;
  }
  const asDate = { ...EMPTY_CUT_OFF, kind: 'dateTime', ...toLocalText(endTimeMillis) } as const;
  const asDays = days === undefined ? undefined : ({ ...asDate, kind: 'days', days: String(days) } as const);
  return asDays !== undefined && !hasDrifted(asDays, endTimeMillis, now) ? asDays : asDate;
}

/**
 * Shows the cutoff of a limit as a date once it was found for other rows or long ago: the limit may not hold.
 * @param fit As in `cutOffInputFor`.
 */
export function withoutStaleLimit(
  input: CutOffInput,
  fit: Pick<CutOffFitView, 'state' | 'goal'> | undefined,
): CutOffInput {
  return isLimitKind(input.kind) && cutOffMillis(input) !== undefined && !isFoundFor(input.kind, fit)
    ? { ...EMPTY_CUT_OFF, kind: 'dateTime', date: input.date, time: input.time }
    : input;
}

export function isLimitKind(kind: CutOffKind): kind is FitKind {
  return kind === 'keepBytes' || kind === 'deleteRows';
}

function isFoundFor(kind: FitKind, fit: Pick<CutOffFitView, 'state' | 'goal'> | undefined): boolean {
  return fit?.state === 'solved' && fit.goal.kind === kind;
}

/** Days mean those before now while the plan is edited. @returns undefined for another kind or invalid days. */
export function currentDays(input: CutOffInput, now: number): CutOffInput | undefined {
  const read = readDays(input.days);
  return input.kind === 'days' && 'days' in read
    ? { ...input, ...toLocalText(cutOffDaysBefore(read.days, now)) }
    : undefined;
}

/** The parts of a draft that say the cutoff. */
export function draftCutOff(input: CutOffInput): Pick<PlanDraft, 'endTimeMillis' | 'ageInDays'> {
  const read = input.kind === 'days' ? readDays(input.days) : undefined;
  return {
    endTimeMillis: cutOffMillis(input),
    ageInDays: read !== undefined && 'days' in read ? read.days : undefined,
  };
}

/** True if days would mean another day by now, as in a review that is looked at later. */
function hasDrifted({ kind, days }: Pick<CutOffInput, 'kind' | 'days'>, endTimeMillis: number, now: number): boolean {
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

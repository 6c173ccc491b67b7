/** The cutoff as the user enters it, and the state of the page that survives a reload. */
import { MILLIS_PER_DAY, MILLIS_PER_MINUTE } from '../../../time.ts';
import { isValidTime } from '../../../ui/formats.ts';
import { cutoffDaysBefore, MOST_DAYS, readDays, type FitKind } from '../../../rowsByAge/fitGoal.ts';
import { parsePlanDraft, type CutoffFitView, type WizardPageView } from '../protocol.ts';
import type { PlanDraft } from '../../../truncation/plan.ts';
import { readLocalText, toLocalText, type LocalDateTimeText } from '../../kit/page/localTime.ts';

/** Ways to say the cutoff. The host finds the cutoff of a limit. */
export const CUTOFF_KINDS = ['days', 'dateTime', 'keepBytes', 'deleteRows'] as const satisfies readonly (
  | 'days'
  | 'dateTime'
  | FitKind
)[];

export type CutoffKind = (typeof CUTOFF_KINDS)[number];

/** All that was entered, with the local date and time that it means. These are empty while it means none. */
export interface CutoffInput extends LocalDateTimeText {
  readonly kind: CutoffKind;
  /** Age in days, as typed. */
  readonly days: string;
  /** Limit in GB or rows, as typed. */
  readonly limit: string;
  /** Entered by hand, so that no proposal replaces it. */
  readonly isTyped?: true | undefined;
  /** Before the kind was changed, until this one is edited: changing it back restores it. */
  readonly former?: CutoffInput | undefined;
}

/** Everything entered: the draft lacks a half-typed date. */
interface WizardPageState {
  readonly draft: PlanDraft;
  readonly cutoff: CutoffInput;
  readonly advancedOpen: boolean;
  readonly indexFields: IndexFieldsState;
}

/** Required, unfolded by the user, or folded below the cutoff. */
export type IndexFieldsState = 'needed' | 'unfolded' | 'folded';

export const EMPTY_CUTOFF: CutoffInput = { kind: 'days', days: '', limit: '', date: '', time: '' };

/** @param now Unix time in ms. */
export function cutoffBefore(days: number, now: number): CutoffInput {
  return { ...EMPTY_CUTOFF, ...toLocalText(cutoffDaysBefore(days, now)), days: String(days) };
}

/** Reads days as they are typed. @param now Unix time in ms. */
export function typedDays(text: string, now: number): CutoffInput {
  const read = readDays(text);
  return { ...('days' in read ? cutoffBefore(read.days, now) : EMPTY_CUTOFF), days: text, isTyped: true };
}

/**
 * Says a cutoff in another way. Days or a date start at the present cutoff, at the next older day; a limit has
 * none until it is searched for.
 * @param now Unix time in ms.
 */
export function withKind(kind: CutoffKind, input: CutoffInput, now: number): CutoffInput {
  const { former, ...left } = input;
  if (former?.kind === kind) {
    return former;
  }
  const millis = cutoffMillis(input);
  const other: CutoffInput = { ...EMPTY_CUTOFF, kind, isTyped: true, former: left };
  switch (kind) {
    case 'days':
      return millis === undefined ? other : { ...other, ...cutoffBefore(olderAgeInDays(millis, now), now) };
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
export function movedCutoff(millis: number, { kind }: Pick<CutoffInput, 'kind'>, now: number): CutoffInput {
  return kind === 'dateTime'
    ? { ...EMPTY_CUTOFF, kind, ...toLocalText(millis) }
    : cutoffBefore(clampToDays(Math.round((now - millis) / MILLIS_PER_DAY)), now);
}

/**
 * Fills in a proposal for another index. Keeps a typed cutoff, but replaces one that was chosen for the index before.
 * @param before Undefined if the page was just opened, with a draft that has one.
 * @param now Unix time in ms.
 */
export function proposedCutoff(
  before: Pick<WizardPageView, 'proposal'> | undefined,
  { proposal }: Pick<WizardPageView, 'proposal'>,
  cutoff: CutoffInput,
  now: number,
): CutoffInput | undefined {
  const isNew = before !== undefined && before.proposal === undefined;
  return proposal !== undefined && isNew && cutoff.isTyped === undefined ? cutoffBefore(proposal.days, now) : undefined;
}

/** Unix time in ms. @returns undefined while incomplete. */
export function cutoffMillis(text: LocalDateTimeText): number | undefined {
  return readLocalText(text)?.millis;
}

/**
 * The input for a draft. Keeps what is entered if it means the same, such as a half-typed date or a limit whose
 * cutoff was just found.
 * @param fit The search for a limit, as the host knows it for exactly this cutoff.
 * @param now Unix time in ms.
 */
export function cutoffInputFor(
  { endTimeMillis, ageInDays: days }: Pick<PlanDraft, 'endTimeMillis' | 'ageInDays'>,
  entered: CutoffInput,
  fit: Pick<CutoffFitView, 'state' | 'goal'> | undefined,
  now: number,
): CutoffInput {
  if (endTimeMillis === undefined || !isValidTime(endTimeMillis)) {
    return cutoffMillis(entered) === undefined ? entered : EMPTY_CUTOFF;
  }
  if (isLimitKind(entered.kind) && isFoundFor(entered.kind, fit)) {
    return { ...entered, ...toLocalText(endTimeMillis) };
  }
  const isSame = cutoffMillis(entered) === endTimeMillis;
  if (isSame && !isLimitKind(entered.kind) && !hasDrifted(entered, endTimeMillis, now)) {
    return entered;
  }
  const asDate = { ...EMPTY_CUTOFF, kind: 'dateTime', ...toLocalText(endTimeMillis) } as const;
  const asDays = days === undefined ? undefined : ({ ...asDate, kind: 'days', days: String(days) } as const);
  return asDays !== undefined && !hasDrifted(asDays, endTimeMillis, now) ? asDays : asDate;
}

/**
 * Shows the cutoff of a limit as a date once it was found for other rows or long ago: the limit may not hold.
 * @param fit As in `cutoffInputFor`.
 */
export function withoutStaleLimit(
  input: CutoffInput,
  fit: Pick<CutoffFitView, 'state' | 'goal'> | undefined,
): CutoffInput {
  return isLimitKind(input.kind) && cutoffMillis(input) !== undefined && !isFoundFor(input.kind, fit)
    ? { ...EMPTY_CUTOFF, kind: 'dateTime', date: input.date, time: input.time }
    : input;
}

export function isLimitKind(kind: CutoffKind): kind is FitKind {
  return kind === 'keepBytes' || kind === 'deleteRows';
}

function isFoundFor(kind: FitKind, fit: Pick<CutoffFitView, 'state' | 'goal'> | undefined): boolean {
  return fit?.state === 'solved' && fit.goal.kind === kind;
}

/** Days mean those before now while the plan is edited. @returns undefined for another kind or invalid days. */
export function currentDays(input: CutoffInput, now: number): CutoffInput | undefined {
  const read = readDays(input.days);
  return input.kind === 'days' && 'days' in read
    ? { ...input, ...toLocalText(cutoffDaysBefore(read.days, now)) }
    : undefined;
}

/** The parts of a draft that say the cutoff. */
export function draftCutoff(input: CutoffInput): Pick<PlanDraft, 'endTimeMillis' | 'ageInDays'> {
  const read = input.kind === 'days' ? readDays(input.days) : undefined;
  return {
    endTimeMillis: cutoffMillis(input),
    ageInDays: read !== undefined && 'days' in read ? read.days : undefined,
  };
}

/** True if days would mean another day by now, as in a review that is looked at later. */
function hasDrifted({ kind, days }: Pick<CutoffInput, 'kind' | 'days'>, endTimeMillis: number, now: number): boolean {
  const read = readDays(days);
  return kind === 'days' && 'days' in read && cutoffDaysBefore(read.days, now) - endTimeMillis >= MILLIS_PER_DAY;
}

/** Parses the stored state. @returns undefined for another shape. */
export function parsePageState(data: unknown): WizardPageState | undefined {
  if (!isPlainRecord(data)) {
    return undefined;
  }
  // Versions before 0.2.0 stored it as `cutOff`.
  const input = data['cutoff'] ?? data['cutOff'];
  if (!isPlainRecord(input)) {
    return undefined;
  }
  const draft = parsePlanDraft(data['draft']);
  const cutoff = parseCutoffInput(input);
  const { indexFields } = data;
  if (draft === undefined || cutoff === undefined) {
    return undefined;
  }
  return {
    draft,
    cutoff,
    advancedOpen: data['advancedOpen'] === true,
    indexFields: indexFields === 'needed' || indexFields === 'unfolded' ? indexFields : 'folded',
  };
}

/** Versions before 0.2.0 stored a date with the preset that filled it, if any. */
function parseCutoffInput(data: Record<string, unknown>): CutoffInput | undefined {
  const { date, time, preset, isTyped } = data;
  if (typeof date !== 'string' || typeof time !== 'string') {
    return undefined;
  }
  const kind = CUTOFF_KINDS.find((known) => known === data['kind']);
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

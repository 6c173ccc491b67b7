/**
 * Finds the cut-off that comes as close to a bound as whole days can, by dry runs. What it finds was itself counted, so that it
 * doesn't exceed the bound; the day beyond it was counted too, and would. Pure: it says which cut-off to count next.
 */
import * as l10n from '@vscode/l10n';
import { language } from '../language.ts';
import type { ReportedSize } from '../service/indices/indexSize.ts';
import { MILLIS_PER_DAY } from '../time.ts';
import { formatsOf } from '../ui/formats.ts';
import type { FitGoal } from './fitGoal.ts';
import { ageOf, cutOffAt, rowsUpTo, ageStartTime, type CountedSample, type AgeHistogram } from './ageHistogram.ts';

/** How many dry runs a fit takes at most. It counts no curve: one that the user asked for only guides it. */
export const MOST_FIT_DRY_RUNS = 12;

/** A fit that takes counting; days are kept without. */
export type CountedGoal = Exclude<FitGoal, { readonly kind: 'keepDays' }>;

export type FitResult =
  | {
      readonly kind: 'solved';
      /** Unix time in ms. */
      readonly endTimeMillis: number;
      /** Undefined: not counted. */
      readonly sample?: CountedSample;
      /** Whether a day more would exceed the bound. False: that isn't known; the dry runs were used up, or contradict each other. */
      readonly isTight: boolean;
    }
  | {
      readonly kind: 'unsolved';
      readonly why:
        /** Nothing needs to go, or everything that is older than a day may. */
        | 'withinBound'
        /** Less may go than the rows of the oldest day; or more has to go than is older than a day. */
        | 'notReachable'
        /** No row is dated up to now. */
        | 'noRows'
        | 'sizeUnknown'
        /** The server may report a wrong size. */
        | 'sizeApproximate'
        /** The dry runs were used up. */
        | 'unknown';
    };

export interface FitSearch {
  readonly goal: CountedGoal;
  /** What all samples say, those of this fit too; the others only guide. */
  readonly curve: Pick<AgeHistogram, 'samples' | 'total'>;
  /** Of the index; undefined: not known. */
  readonly bytes: number | undefined;
  /** From when ages are counted here. */
  readonly start: number;
}

/** The cut-off (Unix time in ms) that keeps so many days. */
export function keepDays(days: number, now: number): FitResult {
  return { kind: 'solved', endTimeMillis: ageStartTime(now) - days * MILLIS_PER_DAY, isTight: true };
}

/**
 * From when the ages of a fit are counted: whole days from those of the curve (`start`), so that its samples are of use, and no later
 * than now. @param now Unix time in ms.
 */
export function fitStartTime(start: number, now: number): number {
  return start + Math.floor((now - start) / MILLIS_PER_DAY) * MILLIS_PER_DAY;
}

/** What the size of the index tells before anything is counted; undefined: it has to be counted. */
export function unsolvableBySize(goal: CountedGoal, { bytes, precision }: ReportedSize): FitResult | undefined {
  if (goal.kind !== 'keepBytes') {
    return undefined;
  }
  if (precision === 'approximate') {
    return { kind: 'unsolved', why: 'sizeApproximate' };
  }
  return bytes === undefined || bytes <= goal.bytes
    ? { kind: 'unsolved', why: bytes === undefined ? 'sizeUnknown' : 'withinBound' }
    : undefined;
}

/**
 * What comes next.
 * @param counted What this fit has counted so far.
 * @returns the cut-off to count next, or what was found.
 */
export function nextFitStep(
  search: FitSearch,
  counted: readonly CountedSample[],
): { readonly count: number } | FitResult {
  const { goal, curve, bytes, start } = search;
  const known = unsolvableBySize(goal, { bytes, precision: 'exact' });
  if (known !== undefined) {
    return known;
  }
  // Rows fall with the age of a cut-off, so that one day is the last at which too many or enough of them go.
  const overshoots = overshootCheck(search);
  const left = MOST_FIT_DRY_RUNS - counted.length;
  const points = counted.map((sample) => ({
    age: ageOf(sample.endTimeMillis, start),
    overshoots: overshoots(sample),
    sample,
  }));
  // The last 24 hours are never proposed, and before the first day that can be dated there is no row.
  const bounds = narrowed(points, { newer: 0, older: Math.floor(start / MILLIS_PER_DAY) });
  const nearest = goal.kind === 'keepBytes' ? bounds.newer : bounds.older;
  if (bounds.older - bounds.newer === 1) {
    return found(search, points, nearest);
  }
  if (left <= 0) {
    const fit = found(search, points, nearest);
    return fit.kind === 'solved' ? { ...fit, isTight: false } : { kind: 'unsolved', why: 'unknown' };
  }
  const upToNow = curve.samples.find(({ endTimeMillis }) => ageOf(endTimeMillis, start) <= 0);
  if (counted.some(({ total }) => total === 0) || (counted.length > 0 && upToNow?.rows === 0)) {
    return { kind: 'unsolved', why: 'noRows' };
  }
  const hints = curve.samples
    .map(({ endTimeMillis, rows }) => ({
      age: ageOf(endTimeMillis, start),
      overshoots: overshoots({ rows, total: curve.total }),
    }))
    .filter(({ age }) => age > bounds.newer && age < bounds.older);
  return { count: cutOffAt(nextAge(search, narrowed(hints, bounds), bounds, left), start) };
}

interface AgePoint {
  /** In days. */
  readonly age: number;
  readonly overshoots: boolean;
  readonly sample: CountedSample;
}

/** Two ages: at the newer one many rows go, at the older one few. */
interface AgeBracket {
  readonly newer: number;
  readonly older: number;
}

/** What is left of a bracket between these ages. */
function narrowed(ages: readonly Pick<AgePoint, 'age' | 'overshoots'>[], { newer, older }: AgeBracket): AgeBracket {
  return {
    newer: ages.filter(({ overshoots }) => overshoots).reduce((most, { age }) => Math.max(most, age), newer),
    older: ages.filter(({ overshoots }) => !overshoots).reduce((least, { age }) => Math.min(least, age), older),
  };
}

/** Whether so many rows go that the bound on what stays is kept, or the one on what goes exceeded. */
function overshootCheck({ goal, bytes = 0 }: FitSearch): (counts: Pick<CountedSample, 'rows' | 'total'>) => boolean {
  return goal.kind === 'deleteRows'
    ? ({ rows }) => rows > goal.rows
    : ({ rows, total }) => (total - rows) * bytes <= goal.bytes * total;
}

function found({ goal, start }: FitSearch, points: readonly AgePoint[], age: number): FitResult {
  const sample = points.find((point) => point.age === age)?.sample;
  if (points.some((point) => point.age === 1 && point.sample.rows === 0)) {
    return { kind: 'unsolved', why: 'noRows' };
  }
  if (sample === undefined || sample.rows === 0) {
    return { kind: 'unsolved', why: 'notReachable' };
  }
  // A day more would be the last 24 hours.
  return goal.kind === 'deleteRows' && age === 1
    ? { kind: 'unsolved', why: 'withinBound' }
    : { kind: 'solved', endTimeMillis: cutOffAt(age, start), sample, isTight: isConsistent(points) };
}

/** Whether no older cut-off was counted to delete more rows than a newer one: else rows were written or deleted in between. */
function isConsistent(points: readonly AgePoint[]): boolean {
  const rows = points.toSorted((a, b) => b.age - a.age).map(({ sample }) => sample.rows);
  return rows.every((count, index) => count >= (rows[index - 1] ?? 0));
}

/** An age within the bracket; once that is a day wide, the end of it that wasn't counted yet. */
function nextAge(
  { goal, curve, bytes = 1, start }: FitSearch,
  within: AgeBracket,
  counted: AgeBracket,
  left: number,
): number {
  const width = within.older - within.newer;
  if (width <= 1) {
    return within.newer === counted.newer ? within.older : within.newer;
  }
  const needed =
    Math.ceil(Math.log2(width)) + Number(within.newer !== counted.newer) + Number(within.older !== counted.older);
  const isTooWide = left < needed;
  if (isTooWide && within.older + 1 > 2 * (within.newer + 1)) {
    // Most rows are recent, so that days are told apart there, and magnitudes of age elsewhere.
    return Math.round(Math.sqrt((within.newer + 1) * (within.older + 1))) - 1;
  }
  if (left === needed || left % 2 === 1) {
    return Math.floor((within.newer + within.older) / 2);
  }
  const wanted = goal.kind === 'deleteRows' ? goal.rows : curve.total * (1 - goal.bytes / bytes);
  const rowsAt = (age: number): number => rowsUpTo(curve, cutOffAt(age, start)).rows;
  const [most, least] = [rowsAt(within.newer), rowsAt(within.older)];
  const share = most > least ? (most - wanted) / (most - least) : 0.5;
  return Math.round(within.newer + Math.min(Math.max(share * width, 1), width - 1));
}

/**
 * Whether a dry run exceeds a limit: too many rows go, or too much stays, as far as rows are of equal size.
 * @param rows Undefined: the server didn't tell.
 * @param bytes Of the index; undefined: not known.
 */
export function exceedsGoal(
  goal: FitGoal,
  rows: { readonly toDelete: number; readonly total: number } | undefined,
  bytes: number | undefined,
): boolean {
  switch (goal.kind) {
    case 'keepDays':
      return false;
    case 'deleteRows':
      return rows !== undefined && rows.toDelete > goal.rows;
    case 'keepBytes':
      return (
        rows !== undefined && bytes !== undefined && (rows.total - rows.toDelete) * bytes > goal.bytes * rows.total
      );
  }
}

/** Of one that keeps its bound, where it isn't known whether a day more would. */
export function notTightText(): string {
  return l10n.t("Whether a later or earlier day fits better isn't known.");
}

/** Why a cut-off can't be found by a size. */
export function sizeLimitRefusal(): string {
  return l10n.t("Can't limit by size: this server version reports wrong sizes above 2.1 GB. Limit days or rows.");
}

/** Why there is none. */
export function unsolvedText(why: (FitResult & { kind: 'unsolved' })['why'], goal: FitGoal): string {
  const { size } = formatsOf(language());
  switch (why) {
    case 'withinBound':
      return goal.kind === 'keepBytes'
        ? l10n.t("The index isn't larger than that.")
        : l10n.t('No more rows than your limit are older than a day.');
    case 'notReachable':
      return goal.kind === 'keepBytes'
        ? l10n.t('The rows of the last day alone take more than {0}.', size(goal.bytes))
        : l10n.t('The oldest day alone has more rows than that.');
    case 'noRows':
      return l10n.t('There are no rows to delete.');
    case 'sizeUnknown':
      return l10n.t("The size of the index isn't known.");
    case 'sizeApproximate':
      return sizeLimitRefusal();
    case 'unknown':
      return l10n.t('No cut-off was found within {0} dry runs.', MOST_FIT_DRY_RUNS);
  }
}

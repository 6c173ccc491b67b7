/**
 * Finds the cut-off that comes as close to a bound as whole days can, by dry runs. What it finds was itself counted, so that it
 * doesn't exceed the bound; the day beyond it was counted too, and would. Pure: it says which cut-off to count next.
 */
import type { ReportedSize } from '../service/indices/indexSize.ts';
import { MILLIS_PER_DAY } from '../time.ts';
import type { FitGoal } from './fit.ts';
import { ageOf, cutOffAt, rowsUpTo, startOfAges } from './ageHistogram.ts';
import type { CountedSample, RowsByAge } from './ageHistogram.ts';

/** How many dry runs a fit takes at most. It counts no curve: one that the user asked for only guides it. */
export const MOST_FIT_DRY_RUNS = 12;

/** A fit that takes counting; days are kept without. */
export type CountedGoal = Exclude<FitGoal, { readonly kind: 'keepDays' }>;

export type Fit =
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
  readonly curve: Pick<RowsByAge, 'samples' | 'total'>;
  /** Of the index; undefined: not known. */
  readonly bytes: number | undefined;
  /** From when ages are counted here. */
  readonly start: number;
}

/** The cut-off (Unix time in ms) that keeps so many days. */
export function keepDays(days: number, now: number): Fit {
  return { kind: 'solved', endTimeMillis: startOfAges(now) - days * MILLIS_PER_DAY, isTight: true };
}

/**
 * From when the ages of a fit are counted: whole days from those of the curve (`start`), so that its samples are of use, and no later
 * than now. @param now Unix time in ms.
 */
export function startOfFit(start: number, now: number): number {
  return start + Math.floor((now - start) / MILLIS_PER_DAY) * MILLIS_PER_DAY;
}

/** What the size of the index tells before anything is counted; undefined: it has to be counted. */
export function unfitSize(goal: CountedGoal, { bytes, precision }: ReportedSize): Fit | undefined {
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
export function nextOfFit(search: FitSearch, counted: readonly CountedSample[]): { readonly count: number } | Fit {
  const { goal, curve, bytes, start } = search;
  const known = unfitSize(goal, { bytes, precision: 'exact' });
  if (known !== undefined) {
    return known;
  }
  // Rows fall with the age of a cut-off, so that one day is the last at which too many or enough of them go.
  const isMuch = isMuchFor(search);
  const left = MOST_FIT_DRY_RUNS - counted.length;
  const points = counted.map((sample) => ({ age: ageOf(sample.endTimeMillis, start), isMuch: isMuch(sample), sample }));
  // The last 24 hours are never proposed, and before the first day that can be dated there is no row.
  const bounds = bracket(points, { newer: 0, older: Math.floor(start / MILLIS_PER_DAY) });
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
      isMuch: isMuch({ rows, total: curve.total }),
    }))
    .filter(({ age }) => age > bounds.newer && age < bounds.older);
  return { count: cutOffAt(nextAge(search, bracket(hints, bounds), bounds, left), start) };
}

interface Point {
  /** In days. */
  readonly age: number;
  readonly isMuch: boolean;
  readonly sample: CountedSample;
}

/** Two ages: at the newer one many rows go, at the older one few. */
interface Bracket {
  readonly newer: number;
  readonly older: number;
}

/** What is left of a bracket between these ages. */
function bracket(ages: readonly Pick<Point, 'age' | 'isMuch'>[], { newer, older }: Bracket): Bracket {
  return {
    newer: ages.filter(({ isMuch }) => isMuch).reduce((most, { age }) => Math.max(most, age), newer),
    older: ages.filter(({ isMuch }) => !isMuch).reduce((least, { age }) => Math.min(least, age), older),
  };
}

/** Whether so many rows go that the bound on what stays is kept, or the one on what goes exceeded. */
function isMuchFor({ goal, bytes = 0 }: FitSearch): (counts: Pick<CountedSample, 'rows' | 'total'>) => boolean {
  return goal.kind === 'deleteRows'
    ? ({ rows }) => rows > goal.rows
    : ({ rows, total }) => (total - rows) * bytes <= goal.bytes * total;
}

function found({ goal, start }: FitSearch, points: readonly Point[], age: number): Fit {
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
function isConsistent(points: readonly Point[]): boolean {
  const rows = points.toSorted((a, b) => b.age - a.age).map(({ sample }) => sample.rows);
  return rows.every((count, index) => count >= (rows[index - 1] ?? 0));
}

/** An age within the bracket; once that is a day wide, the end of it that wasn't counted yet. */
function nextAge(
  { goal, curve, bytes = 1, start }: FitSearch,
  within: Bracket,
  counted: Bracket,
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

/**
 * Finds the cutoff that comes closest to a limit in whole days, by dry runs. Both it and the next day are counted,
 * so it keeps the limit and the next day would not. Pure: decides which cutoff to count next.
 */
import * as l10n from '@vscode/l10n';
import { language } from '../language.ts';
import type { ReportedIndexSize } from '../service/indices/indexSize.ts';
import { MILLIS_PER_DAY } from '../time.ts';
import { formatsOf } from '../ui/formats.ts';
import type { FitGoal } from './fitGoal.ts';
import { ageInDays, cutoffAtAge, countRowsUpTo, type CountedSample, type AgeHistogram } from './ageHistogram.ts';

/** Limit of the dry runs per fit. It counts no histogram of its own, but an existing one guides it. */
export const MOST_FIT_DRY_RUNS = 12;

export type CutoffFitResult =
  | {
      readonly kind: 'solved';
      /** Unix time in ms. */
      readonly endTimeMillis: number;
      readonly sample: CountedSample;
      /**
       * True if a day more is known to exceed the limit. False if the dry runs were used up, or contradict each
       * other.
       */
      readonly isTight: boolean;
    }
  | {
      readonly kind: 'unsolved';
      readonly why:
        /** No rows have to go, or all rows older than a day may. */
        | 'withinBound'
        /** The rows of the oldest day alone exceed the limit, or those of the last day do. */
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
  readonly goal: FitGoal;
  /** All samples, including those of this fit; the others only guide it. */
  readonly curve: Pick<AgeHistogram, 'samples' | 'total'>;
  /** Size of the index, if known. */
  readonly bytes: number | undefined;
  /** Ages count from here: Unix time in ms. */
  readonly start: number;
}

/**
 * The start of a fit's ages: whole days after that of the histogram, so that its samples fit, and not after `now`.
 * @param now Unix time in ms.
 */
export function fitStartTime(start: number, now: number): number {
  return start + Math.floor((now - start) / MILLIS_PER_DAY) * MILLIS_PER_DAY;
}

/** The result if the size alone decides it; undefined if counting is needed. */
export function unsolvableBySize(goal: FitGoal, { bytes, precision }: ReportedIndexSize): CutoffFitResult | undefined {
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
 * The next step of a fit.
 * @param counted Counts of this fit so far.
 * @returns the cutoff to count next, or the result.
 */
export function nextFitStep(
  search: FitSearch,
  counted: readonly CountedSample[],
): { readonly count: number } | CutoffFitResult {
  const { goal, curve, bytes, start } = search;
  const known = unsolvableBySize(goal, { bytes, precision: 'exact' });
  if (known !== undefined) {
    return known;
  }
  // Fewer rows go with an older cutoff, so there is one boundary between too many and few enough.
  const overshoots = overshootCheck(search);
  const left = MOST_FIT_DRY_RUNS - counted.length;
  const points = counted.map((sample) => ({
    age: ageInDays(sample.endTimeMillis, start),
    overshoots: overshoots(sample),
    sample,
  }));
  // Never proposes the last 24 hours. No row is older than the epoch.
  const bounds = narrowBracket(points, { newer: 0, older: Math.floor(start / MILLIS_PER_DAY) });
  const nearest = goal.kind === 'keepBytes' ? bounds.newer : bounds.older;
  if (bounds.older - bounds.newer === 1) {
    return fitResultAt(search, points, nearest);
  }
  if (left <= 0) {
    const fit = fitResultAt(search, points, nearest);
    return fit.kind === 'solved' ? { ...fit, isTight: false } : { kind: 'unsolved', why: 'unknown' };
  }
  const upToNow = curve.samples.find(({ endTimeMillis }) => ageInDays(endTimeMillis, start) <= 0);
  if (counted.some(({ total }) => total === 0) || (counted.length > 0 && upToNow?.rows === 0)) {
    return { kind: 'unsolved', why: 'noRows' };
  }
  const hints = curve.samples
    .map(({ endTimeMillis, rows }) => ({
      age: ageInDays(endTimeMillis, start),
      overshoots: overshoots({ rows, total: curve.total }),
    }))
    .filter(({ age }) => age > bounds.newer && age < bounds.older);
  return { count: cutoffAtAge(nextAgeToCount(search, narrowBracket(hints, bounds), bounds, left), start) };
}

interface CountedAgePoint {
  /** In days. */
  readonly age: number;
  readonly overshoots: boolean;
  readonly sample: CountedSample;
}

/** Two ages around the boundary: the newer one overshoots, the older one doesn't. */
interface FitAgeBracket {
  readonly newer: number;
  readonly older: number;
}

/** Narrows a bracket by these ages. */
function narrowBracket(
  ages: readonly Pick<CountedAgePoint, 'age' | 'overshoots'>[],
  { newer, older }: FitAgeBracket,
): FitAgeBracket {
  return {
    newer: ages.filter(({ overshoots }) => overshoots).reduce((most, { age }) => Math.max(most, age), newer),
    older: ages.filter(({ overshoots }) => !overshoots).reduce((least, { age }) => Math.min(least, age), older),
  };
}

/** Tests whether a cutoff deletes enough to keep at most so many bytes, or more than so many rows. */
function overshootCheck({ goal, bytes = 0 }: FitSearch): (counts: Pick<CountedSample, 'rows' | 'total'>) => boolean {
  return goal.kind === 'deleteRows'
    ? ({ rows }) => rows > goal.rows
    : ({ rows, total }) => (total - rows) * bytes <= goal.bytes * total;
}

function fitResultAt({ goal, start }: FitSearch, points: readonly CountedAgePoint[], age: number): CutoffFitResult {
  const sample = points.find((point) => point.age === age)?.sample;
  if (points.some((point) => point.age === 1 && point.sample.rows === 0)) {
    return { kind: 'unsolved', why: 'noRows' };
  }
  if (sample === undefined || sample.rows === 0) {
    return { kind: 'unsolved', why: 'notReachable' };
  }
  // A day more would reach the last 24 hours.
  return goal.kind === 'deleteRows' && age === 1
    ? { kind: 'unsolved', why: 'withinBound' }
    : { kind: 'solved', endTimeMillis: cutoffAtAge(age, start), sample, isTight: isConsistent(points) };
}

/** True if rows fall with age. If not, rows were written or deleted between the counts. */
function isConsistent(points: readonly CountedAgePoint[]): boolean {
  const rows = points.toSorted((a, b) => b.age - a.age).map(({ sample }) => sample.rows);
  return rows.every((count, index) => count >= (rows[index - 1] ?? 0));
}

/** An age within the bracket; its uncounted end once it is a day wide. */
function nextAgeToCount(
  { goal, curve, bytes = 1, start }: FitSearch,
  within: FitAgeBracket,
  counted: FitAgeBracket,
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
    // Most rows are recent, so search by magnitude of age first.
    return Math.round(Math.sqrt((within.newer + 1) * (within.older + 1))) - 1;
  }
  if (left === needed || left % 2 === 1) {
    return Math.floor((within.newer + within.older) / 2);
  }
  const wanted = goal.kind === 'deleteRows' ? goal.rows : curve.total * (1 - goal.bytes / bytes);
  const rowsAt = (age: number): number => countRowsUpTo(curve, cutoffAtAge(age, start)).rows;
  const [most, least] = [rowsAt(within.newer), rowsAt(within.older)];
  const share = most > least ? (most - wanted) / (most - least) : 0.5;
  return Math.round(within.newer + Math.min(Math.max(share * width, 1), width - 1));
}

/**
 * True if a dry run exceeds a limit, assuming rows of equal size.
 * @param rows Undefined if the server didn't report them.
 * @param bytes Size of the index, if known.
 */
export function exceedsGoal(
  goal: FitGoal,
  rows: { readonly toDelete: number; readonly total: number } | undefined,
  bytes: number | undefined,
): boolean {
  switch (goal.kind) {
    case 'deleteRows':
      return rows !== undefined && rows.toDelete > goal.rows;
    case 'keepBytes':
      return (
        rows !== undefined && bytes !== undefined && (rows.total - rows.toDelete) * bytes > goal.bytes * rows.total
      );
  }
}

/** Shown if a day more might fit as well. */
export function notTightText(): string {
  return l10n.t("It isn't known whether an earlier or later day would fit better.");
}

/** Shown if the server's sizes may be wrong. */
export function sizeLimitRefusal(): string {
  return l10n.t(
    "Can't limit by size: this server version reports wrong sizes above 2.1 GB. Limit by days or rows instead.",
  );
}

/** The reason why there is no cutoff. */
export function unsolvedText(why: (CutoffFitResult & { kind: 'unsolved' })['why'], goal: FitGoal): string {
  const { size } = formatsOf(language());
  switch (why) {
    case 'withinBound':
      return goal.kind === 'keepBytes'
        ? l10n.t("The index isn't larger than your limit.")
        : l10n.t("The rows older than a day don't exceed your limit.");
    case 'notReachable':
      return goal.kind === 'keepBytes'
        ? l10n.t('The rows of the last day alone take up more than {0}.', size(goal.bytes))
        : l10n.t('The oldest day alone has more rows than your limit.');
    case 'noRows':
      return l10n.t('There are no rows to delete.');
    case 'sizeUnknown':
      return l10n.t("The size of the index isn't known.");
    case 'sizeApproximate':
      return sizeLimitRefusal();
    case 'unknown':
      return l10n.t('No cutoff was found within {0} dry runs.', MOST_FIT_DRY_RUNS);
  }
}

/**
 * Rows of an index by age, from a few dry runs at well-chosen cutoffs.
 * Pure: decides which cutoff to count next, and what the counts so far show.
 */
import { MILLIS_PER_DAY, MILLIS_PER_MINUTE } from '../time.ts';
import type { Problem } from '../truncation/problem.ts';

/** The number of rows that a dry run at a cutoff would delete. */
export interface AgeSample {
  /** Unix time in ms, inclusive. */
  readonly endTimeMillis: number;
  readonly rows: number;
}

/** A sample with the time and the total of its count. */
export interface CountedSample extends AgeSample {
  /** All rows of the index at the same moment. */
  readonly total: number;
  /** Time of the count: Unix time in ms. */
  readonly at: number;
}

export interface AgeHistogram {
  /** Ascending in time, never decreasing in rows. */
  readonly samples: readonly AgeSample[];
  /** All rows, including those dated in the future. */
  readonly total: number;
  /** Time of the newest count: Unix time in ms. */
  readonly at: number;
}

/** How far the counts of an index are. */
export type CountPhase = 'idle' | 'counting' | 'stopped' | 'failed' | 'complete';

/** Rows by age, as far as counted: none before the first count. */
export interface RowsByAgeState extends AgeHistogram {
  readonly phase: CountPhase;
  /** Dry runs that are left to make at most. */
  readonly left: number;
  readonly failing: Problem | undefined;
}

/** The counts of an index. */
export interface CountedRows {
  /** Ages count from here: Unix time in ms. */
  readonly start: number;
  readonly counted: readonly CountedSample[];
}

/** Limit of the dry runs per histogram. */
export const MOST_DRY_RUNS = 12;

/** In days. Now, a year and a month show for most indices where the rows are and how fast they grow. */
const FIRST_AGES = [0, 365, 30];

/** Rounds down to the minute, like typed cutoffs. Ages of a histogram count from there. @param now Unix time in ms. */
export function ageStartTime(now: number): number {
  return Math.floor(now / MILLIS_PER_MINUTE) * MILLIS_PER_MINUTE;
}

/** The cutoff of an age in days. Age 0 is the end of that minute, so that new rows aren't counted as future ones. */
function cutoffAtAge(age: number, start: number): number {
  return age === 0 ? start + MILLIS_PER_MINUTE : start - age * MILLIS_PER_DAY;
}

/** The age in days of a cutoff of the same histogram. */
function ageInDays(endTimeMillis: number, start: number): number {
  return Math.round((start - endTimeMillis) / MILLIS_PER_DAY);
}

/**
 * The cutoff to count next; undefined once the dry runs are used up, or all ages are known to the day.
 * @param start Result of `ageStartTime` for the first dry run.
 */
export function nextCutoff(counted: readonly CountedSample[], start: number): number | undefined {
  if (counted.length >= MOST_DRY_RUNS || counted.some(isEmptyUntilNow(start))) {
    return undefined;
  }
  const known = monotoneSamples(counted).map(({ endTimeMillis, rows }) => ({
    age: ageInDays(endTimeMillis, start),
    rows,
  }));
  const gaps = uncertainGaps(known, start);
  const first = FIRST_AGES.find(
    (age) =>
      known.every((one) => one.age !== age) &&
      (known.length === 0 || age === 0 || gaps.some((gap) => gap.older.age > age && gap.newer.age < age)),
  );
  const age = first ?? gaps.toSorted((a, b) => gapUncertainty(b) - gapUncertainty(a)).map(splitAge)[0];
  return age === undefined ? undefined : cutoffAtAge(age, start);
}

/** The histogram of the counts so far. */
export function ageHistogramOf(counted: readonly CountedSample[]): AgeHistogram {
  const samples = monotoneSamples(counted);
  const newest = counted.toSorted((a, b) => a.at - b.at).at(-1) ?? { total: 0, at: 0 };
  return {
    samples,
    total: Math.max(newest.total, samples.at(-1)?.rows ?? 0),
    at: newest.at,
  };
}

/** Estimates the rows up to a cutoff (Unix time in ms): between two samples, assumes evenly spread rows. */
export function countRowsUpTo(
  { samples, total }: Pick<AgeHistogram, 'samples' | 'total'>,
  endTimeMillis: number,
): number {
  const after = samples.findIndex((sample) => sample.endTimeMillis >= endTimeMillis);
  const newer = samples[after];
  if (newer === undefined) {
    // Dates of future rows, and rows written since the last sample, are unknown.
    return total;
  }
  const older = samples[after - 1] ?? { endTimeMillis: 0, rows: 0 };
  const share = Math.max(0, endTimeMillis - older.endTimeMillis) / (newer.endTimeMillis - older.endTimeMillis);
  return Math.round(older.rows + (newer.rows - older.rows) * share);
}

interface HistogramPoint {
  /** In days. */
  readonly age: number;
  /** Rows of at least that age. */
  readonly rows: number;
}

interface HistogramGap {
  readonly older: HistogramPoint;
  readonly newer: HistogramPoint;
}

/** No row is dated up to now, so no other cutoff can find any. */
function isEmptyUntilNow(start: number): (sample: CountedSample) => boolean {
  return ({ endTimeMillis, rows }) => rows === 0 && endTimeMillis >= start;
}

/** The newest count of each cutoff, raised to at least the one before: rows may be written or deleted meanwhile. */
function monotoneSamples(counted: readonly CountedSample[]): readonly AgeSample[] {
  const newest = new Map(
    counted.toSorted((a, b) => a.at - b.at).map(({ endTimeMillis, rows }) => [endTimeMillis, rows] as const),
  );
  let most = 0;
  return [...newest]
    .toSorted(([a], [b]) => a - b)
    .map(([endTimeMillis, rows]) => ({ endTimeMillis, rows: (most = Math.max(most, rows)) }));
}

/** Gaps that hold rows whose age isn't known to the day. */
function uncertainGaps(known: readonly HistogramPoint[], start: number): HistogramGap[] {
  const points: readonly HistogramPoint[] = [{ age: Math.floor(start / MILLIS_PER_DAY), rows: 0 }, ...known];
  return known
    .map((newer, index) => ({ older: points[index] ?? newer, newer }))
    .filter(({ older, newer }) => newer.rows > older.rows && older.age - newer.age > 1);
}

/** The area between the lowest and the highest possible curve in a gap. */
function gapUncertainty({ older, newer }: HistogramGap): number {
  return (newer.rows - older.rows) * (older.age - newer.age);
}

/**
 * An age within a gap. Searches for the oldest row by magnitude, since it may be a month or decades old.
 * Elsewhere, prefers the newer side, which has more rows and matters more often.
 */
function splitAge({ older, newer }: HistogramGap): number {
  const age =
    older.rows === 0
      ? Math.sqrt((older.age + 1) * (newer.age + 1)) - 1
      : ((Math.sqrt(older.age) + Math.sqrt(newer.age)) / 2) ** 2;
  return Math.min(older.age - 1, Math.max(newer.age + 1, Math.round(age)));
}

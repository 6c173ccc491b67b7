/**
 * How many rows of an index are how old, from a few dry runs at well-chosen cut-offs. Pure: it says which cut-off to count next,
 * and what is known from the counts so far.
 */
import { MILLIS_PER_DAY, MILLIS_PER_MINUTE } from '../time.ts';

/** A dry run at that cut-off would delete so many rows. */
export interface AgeSample {
  /** Unix time in ms; rows dated at that time are among them. */
  readonly endTimeMillis: number;
  readonly rows: number;
}

/** A sample as it was counted. */
export interface CountedSample extends AgeSample {
  /** All rows of the index, counted in the same moment. */
  readonly total: number;
  /** When: Unix time in ms. */
  readonly at: number;
}

export interface AgeHistogram {
  /** Ascending in time, and never falling in rows. */
  readonly samples: readonly AgeSample[];
  /** All rows, those dated in the future too. */
  readonly total: number;
  /** Rows that were dated in the future when the newest cut-off was counted; what was written since is none of them. */
  readonly ahead: number;
  /** When the newest sample was counted: Unix time in ms. */
  readonly at: number;
  /** Whether no further dry run is due. */
  readonly isComplete: boolean;
  /** Rows were written or deleted between the counts: what does not fit together was raised to the highest count before it. */
  readonly changedMeanwhile: boolean;
}

/** How many dry runs a curve takes at most, and how many of them at a time. */
export const MOST_DRY_RUNS = 12;
export const DRY_RUNS_AT_ONCE = 2;

/** In days: now, a year and a month tell for most indices where rows are at all, and how many come in. */
const FIRST_AGES = [0, 365, 30];
/** What rows a day are read from, in days: shorter and a quiet weekend decides, longer and it is no news. */
const SHORTEST_GROWTH = 7;
const LONGEST_GROWTH = 92;
const BEST_GROWTH = 30;

/** From when the ages of a curve are counted: the minute that `now` (Unix time in ms) is in, as cut-offs are typed. */
export function ageStartTime(now: number): number {
  return Math.floor(now / MILLIS_PER_MINUTE) * MILLIS_PER_MINUTE;
}

/** The cut-off of an age in days. Of age 0 it's the end of that minute, so that what was just written is not of the future. */
export function cutOffAt(age: number, start: number): number {
  return age === 0 ? start + MILLIS_PER_MINUTE : start - age * MILLIS_PER_DAY;
}

/** The age in days of a cut-off of the same curve. */
export function ageOf(endTimeMillis: number, start: number): number {
  // Of what is later in the same minute too it's 0, and not -0.
  return Math.round((start - endTimeMillis) / MILLIS_PER_DAY) + 0;
}

/**
 * The cut-off to count next, or undefined when no more is due: the dry runs are used up, or nothing more can be learned to a day's
 * precision.
 * @param asking The cut-offs that are being counted at the moment.
 * @param start What `ageStartTime` gave when the first one was asked.
 */
export function nextCutOff(
  counted: readonly CountedSample[],
  asking: readonly number[],
  start: number,
): number | undefined {
  const waiting = asking.map((endTimeMillis) => ageOf(endTimeMillis, start));
  if (counted.length + waiting.length >= MOST_DRY_RUNS || counted.some(isOfNothing(start))) {
    return undefined;
  }
  const known = monotone(counted).map(({ endTimeMillis, rows }) => ({ age: ageOf(endTimeMillis, start), rows }));
  const gaps = gapsOf(known, waiting, start);
  const first = FIRST_AGES.find(
    (age) =>
      !waiting.includes(age) &&
      known.every((one) => one.age !== age) &&
      (known.length === 0 || age === 0 || gaps.some((gap) => gap.older.age > age && gap.newer.age < age)),
  );
  const age = first ?? gaps.toSorted((a, b) => uncertainty(b) - uncertainty(a)).map(split)[0];
  return age === undefined ? undefined : cutOffAt(age, start);
}

/** What is known from the counts so far, of which there is at least one. */
export function ageHistogramOf(counted: readonly CountedSample[], start: number): AgeHistogram {
  const samples = monotone(counted);
  const byTime = counted.toSorted((a, b) => a.at - b.at);
  const newest = byTime.at(-1) ?? { total: 0, at: 0 };
  const now = byTime.findLast(({ endTimeMillis }) => endTimeMillis === cutOffAt(0, start));
  return {
    samples,
    total: Math.max(newest.total, samples.at(-1)?.rows ?? 0),
    ahead: now === undefined ? 0 : Math.max(0, now.total - now.rows),
    at: newest.at,
    isComplete: nextCutOff(counted, [], start) === undefined,
    changedMeanwhile: counted.some(
      ({ endTimeMillis, rows, total }) =>
        total !== newest.total || samples.find((one) => one.endTimeMillis === endTimeMillis)?.rows !== rows,
    ),
  };
}

/** What a cut-off (Unix time in ms) would delete; between two samples as if the rows were spread evenly, so that it is "about". */
export function rowsUpTo(
  {
    samples,
    total,
    changedMeanwhile = false,
  }: Pick<AgeHistogram, 'samples' | 'total'> & { changedMeanwhile?: boolean },
  endTimeMillis: number,
): { readonly rows: number; readonly isExact: boolean } {
  const after = samples.findIndex((sample) => sample.endTimeMillis >= endTimeMillis);
  const newer = samples[after];
  if (newer === undefined) {
    // Nothing tells when the rows that are dated in the future are due, nor how many were written since the last sample.
    return { rows: total, isExact: false };
  }
  const older = samples[after - 1] ?? { endTimeMillis: 0, rows: 0 };
  const isSample = newer.endTimeMillis === endTimeMillis || newer.rows === older.rows;
  const share = Math.max(0, endTimeMillis - older.endTimeMillis) / (newer.endTimeMillis - older.endTimeMillis);
  return {
    rows: isSample ? newer.rows : Math.round(older.rows + (newer.rows - older.rows) * share),
    isExact: isSample && !changedMeanwhile,
  };
}

/** Between which two cut-offs (Unix time in ms) the oldest row lies; undefined while no row was counted. */
export function oldestRow({ samples }: Pick<AgeHistogram, 'samples'>):
  | {
      /** Undefined: as old as any row can be. */
      readonly after: number | undefined;
      readonly upTo: number;
    }
  | undefined {
  const first = samples.findIndex(({ rows }) => rows > 0);
  const sample = samples[first];
  return sample && { after: samples[first - 1]?.endTimeMillis, upTo: sample.endTimeMillis };
}

/**
 * How many rows come in a day, by the newest weeks; never by rows that are dated in the future. Undefined: the samples are too coarse.
 * @param bytes Of the index; undefined: not known.
 */
export function growthOf(
  { samples, total }: Pick<AgeHistogram, 'samples' | 'total'>,
  bytes: number | undefined,
): { readonly rowsPerDay: number; readonly bytesPerDay: number | undefined } | undefined {
  const newest = samples.at(-1);
  if (newest === undefined || newest.rows === 0) {
    return undefined;
  }
  const weeks = samples
    .map(({ endTimeMillis, rows }) => ({ days: (newest.endTimeMillis - endTimeMillis) / MILLIS_PER_DAY, rows }))
    // Before its first row an index didn't grow; and whatever stood still for long stands still in its newest weeks.
    .filter(({ days, rows }) => rows > 0 && days >= SHORTEST_GROWTH && (days <= LONGEST_GROWTH || rows === newest.rows))
    .toSorted((a, b) => Math.abs(a.days - BEST_GROWTH) - Math.abs(b.days - BEST_GROWTH))[0];
  if (weeks === undefined) {
    return undefined;
  }
  const rowsPerDay = (newest.rows - weeks.rows) / weeks.days;
  return { rowsPerDay, bytesPerDay: bytes === undefined ? undefined : (bytes * rowsPerDay) / total };
}

interface AgePoint {
  /** In days. */
  readonly age: number;
  /** Rows at least that old. */
  readonly rows: number;
}

interface AgeGap {
  readonly older: AgePoint;
  readonly newer: AgePoint;
}

/** No row is dated up to now: whatever is asked next can't find any either. */
function isOfNothing(start: number): (sample: CountedSample) => boolean {
  return ({ endTimeMillis, rows }) => rows === 0 && endTimeMillis >= start;
}

/** One sample for each cut-off, the newest count of it; each at least as high as those before. */
function monotone(counted: readonly CountedSample[]): readonly AgeSample[] {
  const newest = new Map(
    counted.toSorted((a, b) => a.at - b.at).map(({ endTimeMillis, rows }) => [endTimeMillis, rows] as const),
  );
  let most = 0;
  return [...newest]
    .toSorted(([a], [b]) => a - b)
    .map(([endTimeMillis, rows]) => ({ endTimeMillis, rows: (most = Math.max(most, rows)) }));
}

/** Where rows lie whose age is not known to the day, as if what is being asked were answered already. */
function gapsOf(known: readonly AgePoint[], waiting: readonly number[], start: number): AgeGap[] {
  const points: AgePoint[] = [{ age: Math.floor(start / MILLIS_PER_DAY), rows: 0 }, ...known];
  for (const age of waiting) {
    const after = points.findIndex((point) => point.age < age);
    const [older, newer] = [points.at(after === -1 ? -1 : after - 1), points[after]];
    // Before the oldest row that is known of there will mostly be none; elsewhere half of those between are as likely as any share.
    const rows =
      older === undefined || older.rows === 0 || newer === undefined
        ? (older?.rows ?? 0)
        : (older.rows + newer.rows) / 2;
    points.splice(after === -1 ? points.length : after, 0, { age, rows });
  }
  return points
    .slice(1)
    .map((newer, index) => ({ older: points[index] ?? newer, newer }))
    .filter(({ older, newer }) => newer.rows > older.rows && older.age - newer.age > 1);
}

/** How far the curve may be off in a gap: the area between the least and the most that it may be. */
function uncertainty({ older, newer }: AgeGap): number {
  return (newer.rows - older.rows) * (older.age - newer.age);
}

/**
 * Between two ages. The oldest row may be a month old or decades, so it is looked for by magnitude; elsewhere the newer side is
 * preferred, since there are more rows there, and more questions.
 */
function split({ older, newer }: AgeGap): number {
  const age =
    older.rows === 0
      ? Math.sqrt((older.age + 1) * (newer.age + 1)) - 1
      : ((Math.sqrt(older.age) + Math.sqrt(newer.age)) / 2) ** 2;
  return Math.min(older.age - 1, Math.max(newer.age + 1, Math.round(age)));
}

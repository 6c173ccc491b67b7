/** Indices as ages of rows, counted like on a server. */
import * as fc from 'fast-check';
import { nextCutoff, ageStartTime, type CountedSample } from '../../../src/rowsByAge/ageHistogram.ts';
import { DAY, NOW } from '../truncation/samples.ts';

export const START = ageStartTime(NOW);
const YEARS = 730;

/** Times of rows (Unix time in ms), ascending. */
export type Rows = readonly number[];

const spread = (count: number, age: (share: number) => number): Rows =>
  Array.from({ length: count }, (_, row) => NOW - Math.round(age(row / count) * DAY)).toSorted((a, b) => a - b);

export const INDICES = {
  uniform: spread(20_000, (share) => share * YEARS),
  'mostly recent': spread(20_000, (share) => share ** 3 * YEARS),
  'a few days old': spread(20_000, (share) => share * 6),
  'in bursts': spread(20_000, (share) => ([20, 100, 101, 400][Math.floor(share * 4)] ?? 0) + (share % 0.01)),
  'all at one instant': spread(1_000, () => 50.3),
  'with a few of 1970': [...Array.from({ length: 10 }, () => 0), ...spread(20_000, (share) => share * 200)],
  'half in the future': spread(20_000, (share) => (share - 0.5) * 400),
  'all in the future': spread(1_000, (share) => -1 - share * 400),
  empty: [],
} as const satisfies Readonly<Record<string, Rows>>;

/** Any index: rows of any age, single or in groups, a few in the future. */
export const anyRows: fc.Arbitrary<Rows> = fc
  .array(fc.tuple(fc.double({ min: -100, max: 5_000, noNaN: true }), fc.integer({ min: 1, max: 60 })), {
    maxLength: 30,
  })
  .map((heaps) =>
    heaps
      .flatMap(([age, rows]) => Array.from({ length: rows }, () => NOW - Math.round(age * DAY)))
      .toSorted((a, b) => a - b),
  );

/** Counts rows dated at or before a time. */
export function countUpTo(rows: Rows, endTimeMillis: number): number {
  const after = rows.findIndex((time) => time > endTimeMillis);
  return after === -1 ? rows.length : after;
}

export function countedIn(rows: Rows, at = NOW): (endTimeMillis: number) => CountedSample {
  return (endTimeMillis) => ({ endTimeMillis, rows: countUpTo(rows, endTimeMillis), total: rows.length, at });
}

/** Counts until the histogram is complete. @param count The server's response; `dryRun` is its number. */
export function wholeCurve(count: (endTimeMillis: number, dryRun: number) => CountedSample): readonly CountedSample[] {
  const counted: CountedSample[] = [];
  for (let next = nextCutoff(counted, START); next !== undefined; next = nextCutoff(counted, START)) {
    counted.push(count(next, counted.length));
  }
  return counted;
}

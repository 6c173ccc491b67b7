import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { ageHistogramOf, countRowsUpTo, type AgeHistogram } from '../../../src/rowsByAge/ageHistogram.ts';
import { cutoffForLimit, readLimit, type Limit } from '../../../src/rowsByAge/limitedCutoff.ts';
import { cutoffDaysBefore, daysBetween, MOST_DAYS } from '../../../src/truncation/cutoff.ts';
import { NOW } from '../truncation/samples.ts';
import { INDICES, anyRows, countedIn, wholeCurve, type Rows } from './ages.ts';

const BYTES = 1e9;

function histogramOf(rows: Rows): AgeHistogram {
  return ageHistogramOf(wholeCurve(countedIn(rows)));
}

suite('A limit', () => {
  for (const [kind, text, limit] of [
    ['deleteRows', '1000000', { kind: 'deleteRows', rows: 1_000_000 }],
    ['deleteRows', '1,000,000', { kind: 'deleteRows', rows: 1_000_000 }],
    ['deleteRows', '1.000.000', { kind: 'deleteRows', rows: 1_000_000 }],
    ['deleteRows', '1\u202f000', { kind: 'deleteRows', rows: 1_000 }],
    ['keepBytes', '5', { kind: 'keepBytes', bytes: 5e9 }],
    ['keepBytes', '0.25', { kind: 'keepBytes', bytes: 250e6 }],
    ['keepBytes', '0,25', { kind: 'keepBytes', bytes: 250e6 }],
    ['keepBytes', '0.01', { kind: 'keepBytes', bytes: 10e6 }],
    ['keepBytes', '2.12', { kind: 'keepBytes', bytes: 2.12e9 }],
    ['keepBytes', '1500', { kind: 'keepBytes', bytes: 1.5e12 }],
  ] as const) {
    test(`is read from "${text}"`, () => assert.deepEqual(readLimit(kind, text), { limit }));
  }

  for (const [kind, problem, texts] of [
    [
      'deleteRows',
      'Enter a whole number from 1 to 1,000,000,000,000.',
      ['', '0', '1000000000001', 'many', '1,00', '1,000.000', '2.5'],
    ],
    [
      'keepBytes',
      'Enter a number from 0.01 to 1,000,000, with two decimals at most.',
      ['', '0', '0.00', '0,250', '2.125', '1,500', '1.500', '5 GB', '1000001'],
    ],
  ] as const) {
    for (const text of texts) {
      test(`of ${kind} isn't read from "${text}"`, () => assert.deepEqual(readLimit(kind, text), { problem }));
    }
  }
});

suite('The cutoff for a limit', () => {
  const anyLimit: fc.Arbitrary<Limit> = fc.oneof(
    fc.integer({ min: 1, max: 2_000 }).map((rows) => ({ kind: 'deleteRows', rows }) as const),
    fc.integer({ min: 1, max: BYTES * 1.1 }).map((bytes) => ({ kind: 'keepBytes', bytes }) as const),
  );

  test('meets it and a day more would not, or it says why there is none', () => {
    fc.assert(
      fc.property(anyRows, anyLimit, (rows, limit) => {
        const histogram = histogramOf(rows);
        const { total } = histogram;
        const older = (days: number): number => countRowsUpTo(histogram, cutoffDaysBefore(days, NOW)).rows;
        const meets = (days: number): boolean =>
          !exceedsLimit(limit, { toDelete: older(days), total }, BYTES) && older(days) > 0;
        const found = cutoffForLimit(limit, histogram, BYTES, NOW);
        if ('endTimeMillis' in found) {
          const days = daysBetween(found.endTimeMillis, NOW);
          assert.equal(found.endTimeMillis, cutoffDaysBefore(days, NOW));
          assert.ok(meets(days) && !meets(limit.kind === 'keepBytes' ? days + 1 : days - 1), `${days} days`);
          return;
        }
        const reasons: Readonly<Record<string, () => boolean>> = {
          "The rows don't exceed your limit.": () =>
            limit.kind === 'keepBytes' ? limit.bytes >= BYTES : older(1) <= limit.rows,
          'No cutoff in whole days meets your limit.': () =>
            limit.kind === 'keepBytes'
              ? !meets(1)
              : !Array.from({ length: MOST_DAYS }, (_, day) => day + 1).some(meets),
        };
        const reason = Object.keys(reasons).find((one) => found.problem.startsWith(one));
        assert.ok(reason !== undefined && reasons[reason]?.(), found.problem);
      }),
      { examples: [[INDICES['all at one instant'], { kind: 'deleteRows', rows: 999 }]] },
    );
  });
});

/** @param bytes Size of the whole index. */
function exceedsLimit(limit: Limit, { toDelete, total }: { toDelete: number; total: number }, bytes: number): boolean {
  return limit.kind === 'deleteRows' ? toDelete > limit.rows : (total - toDelete) * bytes > limit.bytes * total;
}

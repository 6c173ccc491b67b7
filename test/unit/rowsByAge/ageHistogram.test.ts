import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import {
  MOST_DRY_RUNS,
  nextCutoff,
  ageHistogramOf,
  countRowsUpTo,
  type CountedSample,
  type AgeHistogram,
} from '../../../src/rowsByAge/ageHistogram.ts';
import { INDICES, START, anyRows, countUpTo, countedIn, wholeCurve, type Rows } from './ages.ts';
import { DAY, NOW } from '../truncation/samples.ts';

function curveOf(rows: Rows): AgeHistogram {
  return ageHistogramOf(wholeCurve(countedIn(rows)));
}

const agesIn = ({ samples }: AgeHistogram): number[] =>
  samples.map(({ endTimeMillis }) => Math.ceil((START - endTimeMillis) / DAY) + 0);

function assertMonotone({ samples, total }: AgeHistogram): void {
  for (const [index, { endTimeMillis, rows }] of samples.entries()) {
    const before = samples[index - 1];
    assert.ok(before === undefined || (before.endTimeMillis < endTimeMillis && before.rows <= rows));
    assert.ok(rows <= total);
  }
}

/** The largest error of the histogram at whole days, as a share of all rows. */
function errorOf(curve: AgeHistogram, rows: Rows, days: number): number {
  const errors = Array.from({ length: days }, (_, age) => {
    const cutoff = START - age * DAY;
    return Math.abs(countRowsUpTo(curve, cutoff) - countUpTo(rows, cutoff));
  });
  return Math.max(...errors) / rows.length;
}

/** The two cutoffs around the oldest row. */
function oldestRowRange({ samples }: AgeHistogram): { readonly after?: number | undefined; readonly upTo: number } {
  const first = samples.findIndex(({ rows }) => rows > 0);
  return { after: samples[first - 1]?.endTimeMillis, upTo: samples[first]?.endTimeMillis ?? assert.fail('no row') };
}

suite('The next cutoff to count', () => {
  test('is the end of this minute first, then a year and a month ago', () => {
    const cutoffs = wholeCurve(countedIn(INDICES.uniform)).map(({ endTimeMillis }) => endTimeMillis);
    assert.deepEqual(cutoffs.slice(0, 3), [START + 60_000, START - 365 * DAY, START - 30 * DAY]);
  });

  test('depends on what is known, not on the order in which it was counted', () => {
    fc.assert(
      fc.property(anyRows, fc.nat(MOST_DRY_RUNS), (rows, known) => {
        const counted = wholeCurve(countedIn(rows)).slice(0, known);
        assert.equal(nextCutoff(counted.toReversed(), START), nextCutoff(counted, START));
      }),
    );
  });

  test('leads to a complete histogram with correct samples, for any rows', () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const counted = wholeCurve(countedIn(rows));
        const curve = ageHistogramOf(counted);
        assert.ok(counted.length <= MOST_DRY_RUNS);
        assert.deepEqual([curve.samples.length, curve.total], [counted.length, rows.length], 'none is counted twice');
        assertMonotone(curve);
        for (const { endTimeMillis, rows: known } of curve.samples) {
          assert.equal(known, countUpTo(rows, endTimeMillis));
          assert.ok(endTimeMillis > 0 && endTimeMillis <= START + 60_000, 'never in the future');
          assert.equal(countRowsUpTo(curve, endTimeMillis), known);
        }
      }),
      { examples: Object.values(INDICES).map((rows): [Rows] => [rows]) },
    );
  });

  test('is none after one dry run of an empty index or one in the future', () => {
    assert.equal(curveOf(INDICES.empty).samples.length, 1);
    assert.equal(curveOf(INDICES['all in the future']).samples.length, 1);
    assert.equal(curveOf(INDICES['all in the future']).total, 1_000);
  });

  test('narrows rows of one instant to two days, and stops there', () => {
    const curve = curveOf(INDICES['all at one instant']);
    const { after = 0, upTo } = oldestRowRange(curve);
    assert.ok(after < NOW - 50.3 * DAY && NOW - 50.3 * DAY <= upTo && upTo - after <= 2 * DAY);
    const sameDay = curveOf(INDICES['all at one instant'].map((time) => time + 50 * DAY));
    assert.ok(sameDay.samples.length < MOST_DRY_RUNS, String(sameDay.samples.length));
  });

  test('finds the oldest row within two fifths of its age, or two days', () => {
    for (const days of [3, 40, 400, 4_000]) {
      const oldest = oldestRowRange(curveOf(INDICES.uniform.map((time) => NOW - ((NOW - time) / 730) * days)));
      assert.ok(oldest.after !== undefined);
      assert.ok(oldest.upTo - oldest.after < Math.max(0.4 * (NOW - oldest.upTo), 2.1 * DAY), `${days} days`);
    }
  });

  test('finds evenly spread rows within 5 %', () => {
    assert.ok(errorOf(curveOf(INDICES.uniform), INDICES.uniform, 1_000) < 0.05);
    assert.ok(errorOf(curveOf(INDICES['with a few of 1970']), INDICES['with a few of 1970'], 1_000) < 0.05);
    assert.ok(errorOf(curveOf(INDICES['mostly recent']), INDICES['mostly recent'], 1_000) < 0.25);
  });
});

suite('A histogram', () => {
  const samples = [
    { endTimeMillis: 1_000, rows: 0 },
    { endTimeMillis: 2_000, rows: 100 },
    { endTimeMillis: 4_000, rows: 100 },
    { endTimeMillis: 5_000, rows: 160 },
  ];

  for (const [what, total, cutoff, rows] of [
    ['spreads rows evenly between two samples', 200, 1_500, 50],
    ['spreads them in the last interval too', 200, 4_500, 130],
    ['is exact at a sample', 200, 2_000, 100],
    ['is exact between two samples with equal counts', 200, 3_000, 100],
    ['is exact before the first row', 200, 500, 0],
    ['estimates all rows after the last sample', 200, 6_000, 200],
    ['estimates them although none is ahead', 160, 6_000, 160],
    ['is exact at the last sample', 160, 5_000, 160],
  ] as const) {
    test(what, () => assert.equal(countRowsUpTo({ samples, total }, cutoff), rows));
  }

  test('never deletes fewer rows with a later cutoff', () => {
    fc.assert(
      fc.property(anyRows, fc.array(fc.integer({ min: 0, max: NOW + 100 * DAY }), { minLength: 2 }), (rows, times) => {
        const curve = curveOf(rows);
        const found = times.toSorted((a, b) => a - b).map((time) => countRowsUpTo(curve, time));
        assert.deepEqual(
          found,
          found.toSorted((a, b) => a - b),
        );
        assert.ok(found.every((count) => count >= 0 && count <= curve.total));
      }),
    );
  });

  test('stays monotone if a server counts differently each time', () => {
    const anyServer = fc.array(fc.record({ rows: fc.nat(1_000), more: fc.nat(1_000) }), {
      minLength: MOST_DRY_RUNS,
      maxLength: MOST_DRY_RUNS,
    });
    fc.assert(
      fc.property(anyServer, (answers) => {
        const counted = wholeCurve((endTimeMillis, dryRun) => {
          const { rows, more } = answers[dryRun] ?? assert.fail('more than may be asked');
          return { endTimeMillis, rows, total: rows + more, at: NOW + dryRun };
        });
        const curve = ageHistogramOf(counted);
        assertMonotone(curve);
        assert.ok(counted.length <= MOST_DRY_RUNS);
      }),
    );
  });

  test('raises decreased counts to those before them', () => {
    const counted: CountedSample[] = [
      { endTimeMillis: START - 2 * DAY, rows: 50, total: 100, at: NOW },
      { endTimeMillis: START - DAY, rows: 40, total: 80, at: NOW + 1 },
      { endTimeMillis: START, rows: 70, total: 90, at: NOW + 2 },
    ];
    const curve = ageHistogramOf(counted);
    assert.deepEqual(
      curve.samples.map(({ rows }) => rows),
      [50, 50, 70],
    );
    assert.deepEqual([curve.total, curve.at], [90, NOW + 2]);
  });

  test('uses the newer of two counts at one cutoff', () => {
    const sample = { endTimeMillis: START, rows: 10, total: 10, at: NOW };
    const curve = ageHistogramOf([{ ...sample, rows: 8, total: 8, at: NOW + 1 }, sample]);
    assert.deepEqual([curve.samples, curve.total], [[{ endTimeMillis: START, rows: 8 }], 8]);
  });
});

test('ages are whole days before the minute of the request', () => {
  assert.deepEqual(agesIn(curveOf(INDICES['a few days old'])), [365, 30, 13, 8, 6, 5, 4, 3, 2, 1, 0]);
});

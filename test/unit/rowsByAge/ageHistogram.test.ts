import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import {
  MOST_DRY_RUNS,
  ageOf,
  cutOffAt,
  growthOf,
  nextCutOff,
  oldestRow,
  ageHistogramOf,
  rowsUpTo,
  type CountedSample,
  type AgeHistogram,
} from '../../../src/rowsByAge/ageHistogram.ts';
import { INDICES, START, anyRows, countUpTo, countedIn, wholeCurve, type Rows } from './ages.ts';
import { DAY, NOW } from '../truncation/samples.ts';

function curveOf(rows: Rows): AgeHistogram {
  return ageHistogramOf(wholeCurve(countedIn(rows)).counted, START);
}

const agesIn = ({ samples }: AgeHistogram): number[] => samples.map(({ endTimeMillis }) => ageOf(endTimeMillis, START));

function assertMonotone({ samples, total }: AgeHistogram): void {
  for (const [index, { endTimeMillis, rows }] of samples.entries()) {
    const before = samples[index - 1];
    assert.ok(before === undefined || (before.endTimeMillis < endTimeMillis && before.rows <= rows));
    assert.ok(rows <= total);
  }
}

/** The largest error of the curve at whole days, as a share of all rows. */
function errorOf(curve: AgeHistogram, rows: Rows, days: number): number {
  const errors = Array.from({ length: days }, (_, age) => {
    const cutOff = cutOffAt(age, START);
    return Math.abs(rowsUpTo(curve, cutOff).rows - countUpTo(rows, cutOff));
  });
  return Math.max(...errors) / rows.length;
}

suite('Which cut-off is counted next', () => {
  for (const [name, rows] of Object.entries(INDICES)) {
    test(`rows ${name}: a whole curve in ${MOST_DRY_RUNS} dry runs at most, two at a time`, () => {
      const { counted, mostAtOnce } = wholeCurve(countedIn(rows));
      const curve = ageHistogramOf(counted, START);
      assert.ok(counted.length <= MOST_DRY_RUNS);
      assert.equal(curve.samples.length, counted.length);
      assert.equal(mostAtOnce, 2);
      assert.ok(curve.isComplete);
      assert.ok(!curve.changedMeanwhile);
      assertMonotone(curve);
      assert.equal(curve.total, rows.length);
    });
  }

  test('the first two are now and a year ago, so that something is seen after one answer', () => {
    assert.equal(nextCutOff([], [], START), cutOffAt(0, START));
    assert.equal(nextCutOff([], [cutOffAt(0, START)], START), START - 365 * DAY);
  });

  test('no cut-off is asked twice, and each is in the past or the minute that has begun', () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const { counted } = wholeCurve(countedIn(rows));
        const cutOffs = counted.map(({ endTimeMillis }) => endTimeMillis);
        assert.equal(new Set(cutOffs).size, cutOffs.length);
        assert.ok(cutOffs.every((cutOff) => cutOff > 0 && cutOff <= START + 60_000));
      }),
    );
  });

  test('whatever the rows, the curve is complete in time and true at every sample', () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const { counted } = wholeCurve(countedIn(rows));
        const curve = ageHistogramOf(counted, START);
        assert.ok(counted.length <= MOST_DRY_RUNS && curve.isComplete && !curve.changedMeanwhile);
        assertMonotone(curve);
        for (const { endTimeMillis, rows: known } of curve.samples) {
          assert.equal(known, countUpTo(rows, endTimeMillis));
          assert.deepEqual(rowsUpTo(curve, endTimeMillis), { rows: known, isExact: true });
        }
      }),
    );
  });

  test('an empty index, and one of the future, are known after the two that were asked at once', () => {
    assert.equal(curveOf(INDICES.empty).samples.length, 2);
    assert.equal(curveOf(INDICES['all in the future']).samples.length, 2);
    assert.equal(curveOf(INDICES['all in the future']).total, 1_000);
  });

  test('rows of one instant are found to two days, and nothing more is asked once the day is known', () => {
    const curve = curveOf(INDICES['all at one instant']);
    assert.ok(curve.isComplete);
    const { after = 0, upTo } = oldestRow(curve) ?? assert.fail();
    assert.ok(after < NOW - 50.3 * DAY && NOW - 50.3 * DAY <= upTo && upTo - after <= 2 * DAY);
    const sameDay = curveOf(INDICES['all at one instant'].map((time) => time + 50 * DAY));
    assert.ok(sameDay.samples.length < MOST_DRY_RUNS, String(sameDay.samples.length));
  });

  test('the range of ages is found: the oldest row within two fifths of its age, or two days', () => {
    for (const days of [3, 40, 400, 4_000]) {
      const oldest = oldestRow(curveOf(INDICES.uniform.map((time) => NOW - ((NOW - time) / 730) * days)));
      assert.ok(oldest?.after !== undefined);
      assert.ok(oldest.upTo - oldest.after < Math.max(0.4 * (NOW - oldest.upTo), 2.1 * DAY), `${days} days`);
    }
  });

  test('it is refined where rows and days are most: evenly spread ones are known within 5 in a hundred', () => {
    assert.ok(errorOf(curveOf(INDICES.uniform), INDICES.uniform, 1_000) < 0.05);
    assert.ok(errorOf(curveOf(INDICES['with a few of 1970']), INDICES['with a few of 1970'], 1_000) < 0.05);
    assert.ok(errorOf(curveOf(INDICES['mostly recent']), INDICES['mostly recent'], 1_000) < 0.25);
  });
});

suite('What is known from the samples', () => {
  const samples = [
    { endTimeMillis: 1_000, rows: 0 },
    { endTimeMillis: 2_000, rows: 100 },
    { endTimeMillis: 4_000, rows: 100 },
    { endTimeMillis: 5_000, rows: 160 },
  ];

  test('between two samples rows are spread evenly, and the figure is not exact', () => {
    assert.deepEqual(rowsUpTo({ samples, total: 200 }, 1_500), { rows: 50, isExact: false });
    assert.deepEqual(rowsUpTo({ samples, total: 200 }, 4_500), { rows: 130, isExact: false });
  });

  test('at a sample, and where nothing lies between two, it is exact', () => {
    assert.deepEqual(rowsUpTo({ samples, total: 200 }, 2_000), { rows: 100, isExact: true });
    assert.deepEqual(rowsUpTo({ samples, total: 200 }, 3_000), { rows: 100, isExact: true });
    assert.deepEqual(rowsUpTo({ samples, total: 200 }, 500), { rows: 0, isExact: true });
  });

  test('of counts that changed meanwhile nothing is exact', () => {
    assert.equal(rowsUpTo({ samples, total: 200, changedMeanwhile: true }, 2_000).isExact, false);
  });

  test('later than the last sample everything may be gone, about: nobody has counted there', () => {
    assert.deepEqual(rowsUpTo({ samples, total: 200 }, 6_000), { rows: 200, isExact: false });
    assert.deepEqual(rowsUpTo({ samples, total: 160 }, 6_000), { rows: 160, isExact: false });
    assert.deepEqual(rowsUpTo({ samples, total: 160 }, 5_000), { rows: 160, isExact: true });
  });

  test('rows are dated in the future by the count up to now alone: what is written while it is counted is not', () => {
    const counted: CountedSample[] = [
      { endTimeMillis: cutOffAt(0, START), rows: 990, total: 1_000, at: NOW },
      { endTimeMillis: START - 365 * DAY, rows: 0, total: 1_000, at: NOW + 10 },
      { endTimeMillis: START - 30 * DAY, rows: 700, total: 1_003, at: NOW + 900 },
    ];
    assert.equal(ageHistogramOf(counted, START).ahead, 10);
    assert.equal(ageHistogramOf(counted.slice(1), START).ahead, 0, 'not counted yet');
    assert.equal(curveOf(INDICES['half in the future']).ahead, INDICES['half in the future'].length / 2);
  });

  test('a later cut-off never deletes fewer rows', () => {
    fc.assert(
      fc.property(anyRows, fc.array(fc.integer({ min: 0, max: NOW + 100 * DAY }), { minLength: 2 }), (rows, times) => {
        const curve = curveOf(rows);
        const found = times.toSorted((a, b) => a - b).map((time) => rowsUpTo(curve, time).rows);
        assert.deepEqual(
          found,
          found.toSorted((a, b) => a - b),
        );
        assert.ok(found.every((count) => count >= 0 && count <= curve.total));
      }),
    );
  });

  test('a server that counts differently each time: monotone all the same, within the bound, and told', () => {
    const anyServer = fc.array(fc.record({ rows: fc.nat(1_000), more: fc.nat(1_000) }), {
      minLength: MOST_DRY_RUNS,
      maxLength: MOST_DRY_RUNS,
    });
    fc.assert(
      fc.property(anyServer, (answers) => {
        const { counted } = wholeCurve((endTimeMillis, dryRun) => {
          const { rows, more } = answers[dryRun] ?? assert.fail('more than may be asked');
          return { endTimeMillis, rows, total: rows + more, at: NOW + dryRun };
        });
        const curve = ageHistogramOf(counted, START);
        assertMonotone(curve);
        assert.ok(counted.length <= MOST_DRY_RUNS);
        const ascending = counted.toSorted((a, b) => a.endTimeMillis - b.endTimeMillis);
        const fits =
          new Set(counted.map(({ total }) => total)).size === 1 &&
          ascending.every(({ rows }, index) => rows >= (ascending[index - 1]?.rows ?? 0));
        assert.equal(curve.changedMeanwhile, !fits);
      }),
    );
  });

  test('counts that fell meanwhile are raised to those before them, never lowered', () => {
    const counted: CountedSample[] = [
      { endTimeMillis: START - 2 * DAY, rows: 50, total: 100, at: NOW },
      { endTimeMillis: START - DAY, rows: 40, total: 80, at: NOW + 1 },
      { endTimeMillis: START, rows: 70, total: 90, at: NOW + 2 },
    ];
    const curve = ageHistogramOf(counted, START);
    assert.deepEqual(
      curve.samples.map(({ rows }) => rows),
      [50, 50, 70],
    );
    assert.deepEqual([curve.total, curve.at, curve.changedMeanwhile], [90, NOW + 2, true]);
  });

  test('of two counts at one cut-off the newer one counts', () => {
    const sample = { endTimeMillis: START, rows: 10, total: 10, at: NOW };
    const curve = ageHistogramOf([{ ...sample, rows: 8, total: 8, at: NOW + 1 }, sample], START);
    assert.deepEqual([curve.samples, curve.total], [[{ endTimeMillis: START, rows: 8 }], 8]);
    assert.ok(curve.changedMeanwhile);
  });

  test('no row, no oldest one', () => {
    assert.equal(oldestRow({ samples: [] }), undefined);
    assert.equal(oldestRow(curveOf(INDICES.empty)), undefined);
    assert.equal(oldestRow(curveOf(INDICES['all in the future'])), undefined);
  });
});

suite('How many rows come in a day', () => {
  test('by the newest weeks, with their share of the bytes', () => {
    const growth = growthOf(curveOf(INDICES.uniform), 20_000_000) ?? assert.fail();
    assert.ok(Math.abs(growth.rowsPerDay - 20_000 / 730) < 1, String(growth.rowsPerDay));
    assert.ok(Math.abs((growth.bytesPerDay ?? 0) - growth.rowsPerDay * 1_000) < 1);
  });

  test('bytes are not known where the size is not', () => {
    const growth = growthOf(curveOf(INDICES.uniform), undefined) ?? assert.fail();
    assert.ok(growth.rowsPerDay > 0 && growth.bytesPerDay === undefined);
  });

  test('rows that are dated in the future are none that came in', () => {
    const growth = growthOf(curveOf(INDICES['half in the future']), undefined) ?? assert.fail();
    assert.ok(Math.abs(growth.rowsPerDay - 50) < 2, String(growth.rowsPerDay));
  });

  test('an index that got nothing for months does not grow', () => {
    assert.equal(growthOf(curveOf(INDICES['all at one instant']), undefined)?.rowsPerDay, 0);
  });

  test('unknown where an index is only days old, is empty, or was counted too coarsely', () => {
    assert.equal(growthOf(curveOf(INDICES['a few days old']), 1), undefined);
    assert.equal(growthOf(curveOf(INDICES.empty), 1), undefined);
    assert.equal(growthOf(curveOf(INDICES['all in the future']), 1), undefined);
    const coarse = [
      { endTimeMillis: START - 365 * DAY, rows: 10 },
      { endTimeMillis: START, rows: 20 },
    ];
    assert.equal(growthOf({ samples: coarse, total: 20 }, 1), undefined);
  });

  test('never negative, and finite, whatever the index', () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const { rowsPerDay = 0, bytesPerDay = 0 } = growthOf(curveOf(rows), 1e9) ?? {};
        assert.ok(rowsPerDay >= 0 && Number.isFinite(rowsPerDay) && bytesPerDay >= 0 && bytesPerDay <= 1e9);
      }),
    );
  });
});

test('ages are whole days before the minute that was asked in', () => {
  assert.deepEqual(agesIn(curveOf(INDICES.empty)), [365, 0]);
  assert.equal(cutOffAt(1, START), START - DAY);
  assert.equal(ageOf(cutOffAt(0, START), START), 0);
});

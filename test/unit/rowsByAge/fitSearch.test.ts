import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import {
  MOST_FIT_DRY_RUNS,
  nextFitStep,
  fitStartTime,
  unsolvableBySize,
  type CutoffFitResult,
} from '../../../src/rowsByAge/fitSearch.ts';
import type { FitGoal } from '../../../src/rowsByAge/fitGoal.ts';
import { ageHistogramOf, type CountedSample } from '../../../src/rowsByAge/ageHistogram.ts';
import { INDICES, START, anyRows, countUpTo, countedIn, wholeCurve, type Rows } from './ages.ts';
import { DAY, MINUTE, NOW } from '../truncation/samples.ts';

const BYTES_PER_ROW = 1_000;

interface Solved {
  readonly fit: CutoffFitResult;
  readonly dryRuns: number;
}

/**
 * @param before Counts of the histogram.
 * @param count The server's response during the fit; `dryRun` is its number.
 */
function solve(
  goal: FitGoal,
  before: Rows,
  count: (endTimeMillis: number, dryRun: number) => CountedSample = countedIn(before),
  now = NOW,
  curve = wholeCurve(countedIn(before)).counted,
): Solved {
  const counted: CountedSample[] = [];
  for (;;) {
    const next = nextFitStep(
      {
        goal,
        curve: ageHistogramOf([...curve, ...counted], START),
        bytes: before.length * BYTES_PER_ROW,
        start: fitStartTime(START, now),
      },
      counted,
    );
    if (!('count' in next)) {
      return { fit: next, dryRuns: counted.length };
    }
    counted.push(count(next.count, counted.length));
  }
}

const keptBytes = (rows: Rows, cutoff: number): number => (rows.length - countUpTo(rows, cutoff)) * BYTES_PER_ROW;

const anyGoal: fc.Arbitrary<(rows: Rows) => FitGoal> = fc
  .tuple(fc.constantFrom('keepBytes' as const, 'deleteRows' as const), fc.double({ min: 0, max: 1.2, noNaN: true }))
  .map(([kind, share]) => ({ length }) => {
    const rows = Math.max(1, Math.round(length * share));
    return kind === 'deleteRows' ? { kind, rows } : { kind, bytes: rows * BYTES_PER_ROW };
  });

/** Asserts that a fit keeps its limit by counted rows, and a day more would not. */
function assertFits(goal: FitGoal, rows: Rows, { fit, dryRuns }: Solved): void {
  assert.ok(dryRuns <= MOST_FIT_DRY_RUNS, `${dryRuns} dry runs`);
  if (fit.kind === 'solved') {
    const { endTimeMillis: cutoff, sample } = fit;
    assert.equal(sample?.endTimeMillis, cutoff);
    assert.equal(sample.rows, countUpTo(rows, cutoff));
    assert.ok(cutoff <= NOW - DAY, 'the last 24 hours stay');
    if (goal.kind === 'deleteRows') {
      assert.ok(sample.rows > 0 && sample.rows <= goal.rows);
      assert.ok(!fit.isTight || countUpTo(rows, cutoff + DAY) > goal.rows);
    } else {
      assert.ok(keptBytes(rows, cutoff) <= goal.bytes);
      assert.ok(!fit.isTight || keptBytes(rows, cutoff - DAY) > goal.bytes);
    }
  }
}

suite('A fitted cutoff', () => {
  test('never exceeds its limit, a day more would, in at most 12 dry runs', () => {
    fc.assert(
      fc.property(anyRows, anyGoal, (rows, goalOf) => {
        const goal = goalOf(rows);
        assertFits(goal, rows, solve(goal, rows));
      }),
      { numRuns: 300 },
    );
  });

  for (const [name, rows] of Object.entries(INDICES)) {
    test(`fits rows ${name}, or says that it can't`, () => {
      for (const share of [0.001, 0.1, 0.5, 0.9, 1.1]) {
        const count = Math.max(1, Math.round(rows.length * share));
        for (const goal of [
          { kind: 'deleteRows', rows: count },
          { kind: 'keepBytes', bytes: count * BYTES_PER_ROW },
        ] as const) {
          const solved = solve(goal, rows);
          assertFits(goal, rows, solved);
          assert.ok(solved.fit.kind === 'unsolved' || solved.fit.isTight);
          assert.notDeepEqual(solved.fit, { kind: 'unsolved', why: 'unknown' });
        }
      }
    });
  }

  for (const [name, rows] of Object.entries(INDICES)) {
    test(`fits rows ${name} without a histogram, or says that it can't`, () => {
      for (const share of [0.001, 0.1, 0.5, 0.9, 1.1]) {
        const count = Math.max(1, Math.round(rows.length * share));
        for (const goal of [
          { kind: 'deleteRows', rows: count },
          { kind: 'keepBytes', bytes: count * BYTES_PER_ROW },
        ] as const) {
          const cold = solve(goal, rows, countedIn(rows), NOW, []);
          assertFits(goal, rows, cold);
          const warm = solve(goal, rows);
          const isGivenUp = cold.fit.kind === 'unsolved' && cold.fit.why === 'unknown';
          if (!isGivenUp) assert.equal(cold.fit.kind, warm.fit.kind, `${goal.kind} ${count}`);
          if (!isGivenUp && cold.fit.kind === 'unsolved') assert.deepEqual(cold.fit, warm.fit);
          if (cold.fit.kind === 'solved' && warm.fit.kind === 'solved') {
            const days = Math.abs(cold.fit.endTimeMillis - warm.fit.endTimeMillis) / DAY;
            assert.ok(cold.fit.isTight ? days === 0 : days <= 7, `${name}, ${goal.kind} ${count}: ${days} days off`);
          }
        }
      }
    });
  }

  test('never exceeds its limit without a histogram', () => {
    fc.assert(
      fc.property(anyRows, anyGoal, (rows, goalOf) => {
        const goal = goalOf(rows);
        assertFits(goal, rows, solve(goal, rows, countedIn(rows), NOW, []));
      }),
      { numRuns: 300 },
    );
  });

  test('takes few dry runs with a histogram of evenly spread rows', () => {
    assert.ok(solve({ kind: 'deleteRows', rows: 7_000 }, INDICES.uniform).dryRuns <= 5);
    assert.ok(solve({ kind: 'keepBytes', bytes: 3_333_000 }, INDICES.uniform).dryRuns <= 5);
  });

  test('uses the days of the histogram, however old, and ends before now', () => {
    assert.equal(fitStartTime(START, NOW + 10 * MINUTE), START);
    assert.equal(fitStartTime(START, NOW + 3 * DAY + MINUTE), START + 3 * DAY);
    assert.equal(fitStartTime(START, START - MINUTE), START - DAY);
  });
});

suite('A fit says why there is no cutoff', () => {
  const why = (goal: FitGoal, rows: Rows): string | undefined => {
    const { fit } = solve(goal, rows);
    return fit.kind === 'unsolved' ? fit.why : undefined;
  };

  test('for an index that is small enough, without counting', () => {
    const { fit, dryRuns } = solve({ kind: 'keepBytes', bytes: 20_000_000 }, INDICES.uniform);
    assert.deepEqual([fit, dryRuns], [{ kind: 'unsolved', why: 'withinBound' }, 0]);
  });

  test('for fewer rows than the limit', () => {
    assert.equal(why({ kind: 'deleteRows', rows: 20_000 }, INDICES.uniform), 'withinBound');
  });

  test('for an oldest day that alone exceeds it', () => {
    assert.equal(why({ kind: 'deleteRows', rows: 1 }, INDICES.uniform), 'notReachable');
    assert.equal(why({ kind: 'deleteRows', rows: 999 }, INDICES['all at one instant']), 'notReachable');
  });

  test('for a last day, or a future, that alone exceeds it', () => {
    assert.equal(why({ kind: 'keepBytes', bytes: 1_000 }, INDICES.uniform), 'notReachable');
    assert.equal(why({ kind: 'keepBytes', bytes: 5_000_000 }, INDICES['half in the future']), 'notReachable');
  });

  test('for no rows', () => {
    assert.equal(why({ kind: 'deleteRows', rows: 5 }, INDICES.empty), 'noRows');
    assert.equal(why({ kind: 'deleteRows', rows: 5 }, INDICES['all in the future']), 'noRows');
  });

  test('for an unknown size', () => {
    const curve = { samples: [], total: 0 };
    assert.deepEqual(
      nextFitStep({ goal: { kind: 'keepBytes', bytes: 5 }, curve, bytes: undefined, start: START }, []),
      {
        kind: 'unsolved',
        why: 'sizeUnknown',
      },
    );
  });

  test('for a size that may be wrong, if it matters', () => {
    const size = { bytes: 5_000, precision: 'approximate' } as const;
    assert.deepEqual(unsolvableBySize({ kind: 'keepBytes', bytes: 5 }, size), {
      kind: 'unsolved',
      why: 'sizeApproximate',
    });
    assert.equal(unsolvableBySize({ kind: 'deleteRows', rows: 5 }, size), undefined);
    assert.equal(unsolvableBySize({ kind: 'keepBytes', bytes: 5 }, { ...size, precision: 'exact' }), undefined);
  });

  test('or makes no promise if counts contradict each other', () => {
    const goal = { kind: 'deleteRows', rows: 10_000 } as const;
    // Rows were deleted after the first count, more of them further away from it.
    const { fit, dryRuns } = solve(goal, INDICES.uniform, (endTimeMillis, dryRun) => ({
      endTimeMillis,
      rows: dryRun === 0 ? 9_000 : 8_000 - dryRun,
      total: 20_000,
      at: NOW,
    }));
    assert.ok(fit.kind === 'unsolved' || !fit.isTight);
    assert.ok(dryRuns <= MOST_FIT_DRY_RUNS);
  });

  test('stays within its limit on a server that counts differently each time', () => {
    const anyAnswers = fc.array(fc.nat(20_000), { minLength: MOST_FIT_DRY_RUNS, maxLength: MOST_FIT_DRY_RUNS });
    fc.assert(
      fc.property(anyAnswers, anyGoal, (answers, goalOf) => {
        const goal = goalOf(INDICES.uniform);
        const { fit, dryRuns } = solve(goal, INDICES.uniform, (endTimeMillis, dryRun) => {
          const rows = answers[dryRun] ?? assert.fail('more than may be asked');
          return { endTimeMillis, rows, total: 20_000, at: NOW + dryRun };
        });
        assert.ok(dryRuns <= MOST_FIT_DRY_RUNS);
        if (fit.kind === 'solved' && fit.sample !== undefined) {
          const { rows } = fit.sample;
          assert.ok(goal.kind === 'deleteRows' ? rows <= goal.rows : (20_000 - rows) * BYTES_PER_ROW <= goal.bytes);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('is not misled by rows written or deleted since the histogram', () => {
    const grown = [...INDICES.uniform, ...INDICES['in bursts']].toSorted((a, b) => a - b);
    const goal = { kind: 'deleteRows', rows: 5_000 } as const;
    assertFits(goal, grown, solve(goal, INDICES.uniform, countedIn(grown)));
    assertFits(goal, INDICES['in bursts'], solve(goal, grown, countedIn(INDICES['in bursts'])));
  });

  test("makes no promise if the dry runs don't narrow it to a day", () => {
    // All rows are somewhere within fifty years.
    const old: Rows = Array.from({ length: 1_000 }, (_, row) => (row + 1) * 13 * DAY);
    const goal = { kind: 'deleteRows', rows: 333 } as const;
    const counted: CountedSample[] = [];
    for (;;) {
      const curve = counted.length === 0 ? { samples: [], total: 0 } : ageHistogramOf(counted, START);
      const next = nextFitStep({ goal, curve, bytes: undefined, start: START }, counted);
      if (!('count' in next)) {
        assertFits(goal, old, { fit: next, dryRuns: counted.length });
        assert.ok(next.kind === 'solved');
        break;
      }
      counted.push(countedIn(old)(next.count));
    }
  });
});

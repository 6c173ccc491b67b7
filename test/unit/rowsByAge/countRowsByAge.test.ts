/** Histograms from slow responses. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { countHistogram } from '../../../src/rowsByAge/countRowsByAge.ts';
import {
  DRY_RUNS_AT_ONCE,
  MOST_DRY_RUNS,
  ageHistogramOf,
  type CountedSample,
} from '../../../src/rowsByAge/ageHistogram.ts';
import { START, anyRows, countUpTo, countedIn, wholeCurve, type Rows } from './ages.ts';
import { NOW } from '../truncation/samples.ts';

const NOBODY_STOPS = new AbortController().signal;

interface Curve {
  /** In the order of their responses. */
  readonly counted: readonly CountedSample[];
  readonly mostAtOnce: number;
}

/** Counts rows with responses in the order that `order` chooses. Later responses have later times. */
async function curveOf(rows: Rows, order: fc.Scheduler, already: readonly CountedSample[] = []): Promise<Curve> {
  const counted: CountedSample[] = [];
  let asking = 0;
  let mostAtOnce = 0;
  const count = async (cutoff: number): Promise<CountedSample> => {
    mostAtOnce = Math.max(mostAtOnce, ++asking);
    await order.schedule(Promise.resolve(), String(cutoff));
    asking--;
    return countedIn(rows, NOW + counted.length)(cutoff);
  };
  await order.waitFor(
    countHistogram({ start: START, counted: already }, count, (sample) => void counted.push(sample), NOBODY_STOPS),
  );
  return { counted, mostAtOnce };
}

suite('Counting rows by age', () => {
  test('gives the same histogram, whatever the order of responses', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, fc.scheduler(), async (rows, order) => {
        const { counted, mostAtOnce } = await curveOf(rows, order);
        assert.ok(mostAtOnce <= DRY_RUNS_AT_ONCE && counted.length <= MOST_DRY_RUNS);
        const inOrder = wholeCurve(countedIn(rows)).counted;
        const { at: _, ...curve } = ageHistogramOf(counted, START);
        const { at: __, ...expected } = ageHistogramOf(inOrder, START);
        assert.deepEqual(curve, expected);
        assert.ok(curve.isComplete);
      }),
    );
  });

  test('resumes without counting known samples again', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, fc.nat(MOST_DRY_RUNS), fc.scheduler(), async (rows, known, order) => {
        const already = wholeCurve(countedIn(rows)).counted.slice(0, known);
        const { counted } = await curveOf(rows, order, already);
        const all = [...already, ...counted];
        assert.ok(all.length <= MOST_DRY_RUNS && ageHistogramOf(all, START).isComplete);
        assert.equal(new Set(all.map(({ endTimeMillis }) => endTimeMillis)).size, all.length);
        assert.ok(all.every(({ endTimeMillis, rows: found }) => found === countUpTo(rows, endTimeMillis)));
      }),
    );
  });

  test('aborts the other dry run after a failure, and throws its reason', async () => {
    const asked: number[] = [];
    const reason = new Error('refused');
    const counting = countHistogram(
      { start: START, counted: [] },
      (cutoff, signal) => {
        asked.push(cutoff);
        return asked.length === 2
          ? Promise.reject(reason)
          : new Promise((_, reject) => {
              signal.addEventListener('abort', () => reject(new Error('aborted')));
            });
      },
      () => assert.fail('nothing was counted'),
      NOBODY_STOPS,
    );
    await assert.rejects(counting, reason);
    assert.equal(asked.length, 2);
  });
});

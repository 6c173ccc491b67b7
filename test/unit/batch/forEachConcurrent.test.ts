import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { forEachConcurrent } from '../../../src/batch/batchRun.ts';

test('Each item is processed once, in order, and at most two at a time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 12 }), async (pauses) => {
      const begun: number[] = [];
      let underWay = 0;
      let most = 0;
      await forEachConcurrent([...pauses.keys()], 2, new AbortController().signal, async (index) => {
        begun.push(index);
        most = Math.max(most, ++underWay);
        for (let left = pauses[index] ?? 0; left > 0; left--) {
          await Promise.resolve();
        }
        underWay--;
      });
      assert.deepEqual(begun, [...pauses.keys()]);
      assert.equal(most, Math.min(2, pauses.length));
    }),
  );
});

test('No item is started after a stop', async () => {
  const stop = new AbortController();
  const begun: string[] = [];
  await forEachConcurrent(['first', 'second', 'third', 'fourth'], 2, stop.signal, async (thing) => {
    begun.push(thing);
    await Promise.resolve();
    stop.abort();
  });
  assert.deepEqual(begun, ['first', 'second']);
});

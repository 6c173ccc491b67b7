import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { growthFrom } from '../../../src/indices/growth.ts';
import type { SizeFigure } from '../../../src/indices/growth.ts';

const MB = 1_000_000;

/** Figures of these sizes in MB, ten days apart. */
function seen(...sizes: readonly number[]): SizeFigure[] {
  return sizes.map((size, at) => ({ day: 20_000 + 10 * at, bytes: size * MB }));
}

suite('By how much an index grew', () => {
  test('is the difference between the first and the last figure', () => {
    assert.deepEqual(growthFrom(seen(100, 130, 160)), { bytes: 60 * MB, days: 20 });
    assert.deepEqual(growthFrom(seen(100, 98)), { bytes: -2 * MB, days: 10 });
    assert.deepEqual(growthFrom(seen(100, 100)), { bytes: 0, days: 10 });
  });

  test('counts from the last fall, which is a truncation, but not where segments were merged', () => {
    assert.deepEqual(growthFrom(seen(500, 600, 100, 130)), { bytes: 30 * MB, days: 10 });
    assert.deepEqual(growthFrom(seen(500, 100, 200, 50, 70, 90)), { bytes: 40 * MB, days: 20 });
    assert.deepEqual(growthFrom(seen(100, 130, 125, 160)), { bytes: 60 * MB, days: 30 });
  });

  test("isn't known from one figure, nor right after a fall", () => {
    for (const figures of [[], seen(100), seen(100, 200, 50)]) assert.equal(growthFrom(figures), undefined);
  });

  test('is never less than what a fall is told by, whatever was seen', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 1e12 })), (sizes) => {
        const growth = growthFrom(seen(...sizes));
        assert.ok(growth === undefined || (growth.days >= 1 && Number.isFinite(growth.bytes)));
      }),
    );
  });
});

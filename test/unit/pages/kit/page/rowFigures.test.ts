import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { test } from 'node:test';
import { deletedPartEnd } from '../../../../../src/pages/kit/page/rowFigures.ts';

test('Both parts of the bar are visible if both have rows', () => {
  assert.deepEqual([deletedPartEnd(0), deletedPartEnd(100), deletedPartEnd(40.2)], [0, 100, 40.2]);
  fc.assert(
    fc.property(fc.double({ min: 0, max: 100, noNaN: true }), (percent) => {
      const end = deletedPartEnd(percent);
      assert.equal(end > 0, percent > 0);
      assert.equal(end < 100, percent < 100);
      assert.ok(percent === 0 || end >= 1);
      assert.ok(percent === 100 || end <= 99);
    }),
  );
});

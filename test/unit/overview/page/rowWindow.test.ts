import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { drawnRows, rowWindowOf } from '../../../../src/overview/page/rowWindow.ts';

const AROUND = 12;

suite('Drawn rows of a table', () => {
  test('are the visible ones and a dozen around them', () => {
    assert.deepEqual(rowWindowOf(2_600, 520, 26, 10_000), { first: 100 - AROUND, end: 120 + AROUND });
    assert.deepEqual(rowWindowOf(-200, 520, 26, 10_000), { first: 0, end: 13 + AROUND });
    assert.deepEqual(rowWindowOf(259_000, 1_000, 26, 10_000), { first: 9_961 - AROUND, end: 10_000 });
    assert.deepEqual(rowWindowOf(0, 520, 26, 3), { first: 0, end: 3 });
    assert.deepEqual(rowWindowOf(0, 520, 26, 0), { first: 0, end: 0 });
  });

  test('leave gaps for the others, and include the focused row', () => {
    assert.deepEqual(drawnRows({ first: 2, end: 4 }, 9, undefined), [{ gap: 2 }, { row: 2 }, { row: 3 }, { gap: 5 }]);
    assert.deepEqual(drawnRows({ first: 2, end: 3 }, 9, 7), [
      { gap: 2 },
      { row: 2 },
      { gap: 4 },
      { row: 7 },
      { gap: 1 },
    ]);
    assert.deepEqual(drawnRows({ first: 1, end: 2 }, 2, 0), [{ row: 0 }, { row: 1 }]);
    assert.deepEqual(drawnRows({ first: 0, end: 0 }, 0, undefined), []);
    // The list is shorter now.
    assert.deepEqual(drawnRows({ first: 0, end: 1 }, 1, 7), [{ row: 0 }]);
  });

  test('are in order, few, and as high as all rows together', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -10_000, max: 400_000 }),
        fc.integer({ min: 0, max: 2_000 }),
        fc.nat(10_000),
        fc.option(fc.nat(10_000), { nil: undefined }),
        (top, height, count, kept) => {
          const drawn = drawnRows(rowWindowOf(top, height, 26, count), count, kept);
          let next = 0;
          for (const one of drawn) {
            if ('row' in one) {
              assert.equal(one.row, next);
              next++;
            } else {
              assert.ok(one.gap > 0);
              next += one.gap;
            }
          }
          assert.equal(next, count);
          assert.ok(drawn.length <= Math.ceil(height / 26) + 2 * AROUND + 5);
        },
      ),
    );
  });
});

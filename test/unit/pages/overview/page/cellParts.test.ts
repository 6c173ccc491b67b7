import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { sparklinePoints } from '../../../../../src/pages/overview/page/cellParts.ts';

suite('Sizes as a line', () => {
  test('go from left to right by day, and up to the largest', () => {
    assert.equal(
      sparklinePoints([
        [10, 100],
        [12, 200],
        [14, 150],
      ]),
      '0,14 24,0 48,7',
    );
  });

  test('are a level line if all are equal', () => {
    assert.equal(
      sparklinePoints([
        [1, 5],
        [2, 5],
      ]),
      '0,7 48,7',
    );
    assert.equal(sparklinePoints([[1, 5]]), '0,7');
  });

  test('stay within the picture', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1 }), (figures) => {
        for (const point of sparklinePoints(figures).split(' ')) {
          const [x = -1, y = -1] = point.split(',').map(Number);
          assert.ok(x >= 0 && x <= 48 && y >= 0 && y <= 14, point);
        }
      }),
    );
  });
});

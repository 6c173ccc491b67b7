import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { median, spread } from '../../../../tools/bench/figures.ts';

suite('Figures of the bench', () => {
  test('the median of an odd number is the one in the middle, of an even number what lies between the two', () => {
    assert.equal(median([9, 1, 5]), 5);
    assert.equal(median([4, 1, 9, 2]), 3);
    assert.equal(median([7]), 7);
  });

  test('as many lie above the median as below, in whatever order they come', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), (values) => {
        const middle = median(values);
        const [below, above] = [
          values.filter((value) => value < middle).length,
          values.filter((value) => value > middle).length,
        ];
        assert.ok(Math.max(below, above) * 2 <= values.length);
        assert.equal(median(values.toReversed()), middle);
      }),
    );
  });

  test('a spread tells the median, the least and the most', () => {
    assert.equal(spread([30.06, 19.84, 21.3]), '21.3 (19.8–30.1)');
    assert.equal(spread([36.7], 2), '36.70 (36.70–36.70)');
  });
});

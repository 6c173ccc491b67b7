import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import './window.ts';

const { wholeNumber } = await import('../../../src/ui/settings.ts');

suite('A number in a setting', () => {
  for (const [value, read] of [
    [60, 60],
    [0, 0],
    [59.9, 59],
    [4_000, 3_600],
    [Number.POSITIVE_INFINITY, 3_600],
    ['60', 30],
    [-5, 30],
    [undefined, 30],
    [Number.NaN, 30],
    [[10], 30],
  ] as const) {
    test(`${JSON.stringify(value) ?? 'that is absent'} is read as ${read}`, () =>
      assert.equal(wholeNumber(value, 30, 0, 3_600), read));
  }

  test('has a lower bound', () => assert.equal(wholeNumber(1, 50, 5, 500), 5));
});

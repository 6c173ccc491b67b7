import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as v from 'valibot';
import { firstOf } from '../../../src/service/firstOf.ts';

suite('A list from outside', () => {
  test('is cut to its first members', () => {
    assert.deepEqual(v.parse(firstOf(2), ['a', 7, null]), ['a', 7]);
    assert.deepEqual(v.parse(firstOf(2), ['a']), ['a']);
    assert.deepEqual(v.parse(firstOf(2), []), []);
  });

  for (const value of ['ab', { 0: 'a', length: 1 }, null, undefined]) {
    test(`is no list when it is ${JSON.stringify(value)}`, () =>
      assert.equal(v.safeParse(firstOf(2), value).success, false));
  }
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readDays } from '../../../../src/rowsByAge/fitGoal.ts';
import { LONGEST_AGE, USUAL_AGE, parseAge } from '../../../../src/overview/page/ageField.ts';

suite('The age of a batch', () => {
  test('is 90 days before the user types another', () => {
    assert.deepEqual(readDays(USUAL_AGE), { days: 90 });
  });

  test('is restored as typed, valid or not', () => {
    for (const typed of ['30', '', 'many']) assert.equal(parseAge(typed), typed);
  });

  test('is the usual one if the stored state is damaged', () => {
    for (const kept of [undefined, 90, { kind: 'keepDays', texts: { keepDays: '30' } }, '9'.repeat(LONGEST_AGE + 1)]) {
      assert.equal(parseAge(kept), USUAL_AGE);
    }
  });
});

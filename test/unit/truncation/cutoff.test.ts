import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { cutoffDaysBefore, daysBetween, MOST_DAYS, readDays } from '../../../src/truncation/cutoff.ts';
import { DAY, MINUTE, NOW } from './samples.ts';

suite('An age in days', () => {
  for (const [text, days] of [
    [' 90 ', 90],
    ['1', 1],
    ['36,500', MOST_DAYS],
  ] as const) {
    test(`is read from "${text}"`, () => assert.deepEqual(readDays(text), { days }));
  }

  for (const text of ['', '0', '1.5', '-3', '36501', 'many']) {
    test(`can't be "${text}"`, () =>
      assert.deepEqual(readDays(text), { problem: 'Enter a whole number from 1 to 36,500.' }));
  }

  test('is a cutoff so long ago, rounded down to the minute', () => {
    assert.equal(cutoffDaysBefore(30, Date.UTC(2026, 10, 21, 9, 15, 59, 999)), Date.UTC(2026, 9, 22, 9, 15));
    assert.equal(cutoffDaysBefore(365, Date.UTC(2026, 10, 21, 9, 15)), Date.UTC(2025, 10, 21, 9, 15));
  });

  test('of a cutoff is the same a minute later, and never deletes newer rows', () => {
    const days = fc.integer({ min: 1, max: MOST_DAYS });
    fc.assert(
      fc.property(days, fc.nat(MINUTE - 1), (age, later) =>
        assert.equal(daysBetween(cutoffDaysBefore(age, NOW), NOW + later), age),
      ),
    );
    fc.assert(
      fc.property(fc.integer({ min: MINUTE, max: 36_499 * DAY }), (age) =>
        assert.ok(cutoffDaysBefore(daysBetween(NOW - age, NOW), NOW) <= NOW - age + MINUTE),
      ),
    );
    assert.deepEqual([daysBetween(NOW + DAY, NOW), daysBetween(0, NOW * 3)], [1, MOST_DAYS]);
  });
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { cutoffDaysBefore, daysBetween, MOST_DAYS, nearestDays } from '../../../src/truncation/cutoff.ts';
import { DAY, MINUTE, NOW } from './samples.ts';

const HOUR = 60 * MINUTE;

suite('An age in days', () => {
  test('is a cutoff so long ago, rounded down to the minute', () => {
    assert.equal(cutoffDaysBefore(30, Date.UTC(2026, 10, 21, 9, 15, 59, 999)), Date.UTC(2026, 9, 22, 9, 15));
    assert.equal(cutoffDaysBefore(365, Date.UTC(2026, 10, 21, 9, 15)), Date.UTC(2025, 10, 21, 9, 15));
  });

  test('of a cutoff stays what was chosen for most of an hour, and is never younger by more than that, nor than a date', () => {
    const days = fc.integer({ min: 1, max: MOST_DAYS });
    fc.assert(
      fc.property(days, fc.integer({ min: NOW, max: NOW + DAY }), fc.nat(59 * MINUTE), (age, chosenAt, later) =>
        assert.equal(daysBetween(cutoffDaysBefore(age, chosenAt), chosenAt + later), age),
      ),
    );
    fc.assert(
      fc.property(fc.integer({ min: HOUR, max: 36_499 * DAY }), (age) => {
        const proposed = cutoffDaysBefore(daysBetween(NOW - age, NOW), NOW);
        assert.ok(proposed <= NOW - age + HOUR);
        assert.ok(proposed > NOW - age - DAY);
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: MINUTE, max: 36_499 * DAY }), fc.nat(MINUTE), (age, later) => {
        const now = NOW + later;
        assert.ok(cutoffDaysBefore(daysBetween(now - age, now, 'dateTime'), now) <= now - age);
      }),
    );
    assert.deepEqual([daysBetween(NOW + DAY, NOW), daysBetween(0, NOW * 3)], [1, MOST_DAYS]);
  });

  test('is said as the nearest number of days', () => {
    fc.assert(
      fc.property(fc.integer({ min: DAY, max: MOST_DAYS * DAY }), (age) =>
        assert.ok(Math.abs(nearestDays(NOW - age, NOW) * DAY - age) <= DAY / 2),
      ),
    );
    assert.equal(nearestDays(cutoffDaysBefore(90, NOW), NOW + 11 * HOUR), 90);
    assert.deepEqual([nearestDays(NOW, NOW), nearestDays(0, NOW * 3)], [1, MOST_DAYS]);
  });
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { cutoffDaysBefore, MOST_DAYS, nearestDays } from '../../../src/truncation/cutoff.ts';
import { DAY, MINUTE, NOW } from './samples.ts';

const HOUR = 60 * MINUTE;

suite('An age in days', () => {
  test('is a cutoff so long ago, rounded down to the minute', () => {
    assert.equal(cutoffDaysBefore(30, Date.UTC(2026, 10, 21, 9, 15, 59, 999)), Date.UTC(2026, 9, 22, 9, 15));
    assert.equal(cutoffDaysBefore(365, Date.UTC(2026, 10, 21, 9, 15)), Date.UTC(2025, 10, 21, 9, 15));
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

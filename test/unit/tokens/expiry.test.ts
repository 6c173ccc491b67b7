import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { expiryState, tokenExpiryText, relativeTime, shortExpiry } from '../../../src/tokens/expiry.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

suite('A token', () => {
  for (const [expiresAt, state, text, short] of [
    [undefined, 'unknown', '', ''],
    [null, 'never', 'never expires', 'never'],
    [NOW, 'expired', 'expired 1 minute ago', '1 minute ago'],
    [NOW - 2 * HOUR, 'expired', 'expired 2 hours ago', '2 hours ago'],
    [NOW - 400 * DAY, 'expired', 'expired 1 year ago', '1 year ago'],
    [NOW + 1, 'soon', 'expires in 1 minute', 'in 1 minute'],
    [NOW + 3 * DAY, 'soon', 'expires in 3 days', 'in 3 days'],
    [NOW + 7 * DAY, 'soon', 'expires in 7 days', 'in 7 days'],
    [NOW + 7 * DAY + 1, 'valid', 'expires in 7 days', 'in 7 days'],
    [NOW + 90 * DAY, 'valid', 'expires in 3 months', 'in 3 months'],
    [NOW + 730 * DAY, 'valid', 'expires in 2 years', 'in 2 years'],
  ] as const) {
    test(`${state}: "${text}"`, () => {
      assert.equal(expiryState(expiresAt, NOW), state);
      assert.equal(tokenExpiryText(expiresAt, NOW, 'en'), text);
      assert.equal(shortExpiry(expiresAt, NOW, 'en'), short);
    });
  }

  test('expires soon in the last tenth of its life, and at most seven days before its end', () => {
    const stateAfter = (days: number, left: number): string =>
      expiryState(NOW + left * DAY, NOW, NOW + (left - days) * DAY);
    assert.deepEqual([stateAfter(30, 3), stateAfter(30, 3.1)], ['soon', 'valid']);
    assert.deepEqual([stateAfter(365, 7), stateAfter(365, 7.1)], ['soon', 'valid']);
  });
});

suite('A time from now', () => {
  for (const [millis, text] of [
    [30 * SECOND, 'in 1 minute'],
    [58 * MINUTE + 59 * SECOND, 'in 59 minutes'],
    [59 * MINUTE, 'in 1 hour'],
    [24 * HOUR - MINUTE, 'in 1 day'],
    [30 * DAY - SECOND, 'in 30 days'],
    [90 * DAY - HOUR, 'in 89 days'],
    [90 * DAY - MINUTE, 'in 3 months'],
    [180 * DAY - HOUR, 'in 6 months'],
    [365 * DAY, 'in 1 year'],
    [-SECOND, '1 minute ago'],
    [-26 * HOUR, '1 day ago'],
  ] as const) {
    test(`of ${millis} ms is "${text}"`, () => assert.equal(relativeTime(millis, 'en'), text));
  }

  test('never reads a whole unit too short, nor over a minute too long, or a day for months', () => {
    const units: Readonly<Record<string, number>> = {
      minute: MINUTE,
      hour: HOUR,
      day: DAY,
      month: 30 * DAY,
      year: 365 * DAY,
    };
    fc.assert(
      fc.property(fc.integer({ min: -3_000 * DAY, max: 3_000 * DAY }), (millis) => {
        const [, count = '', unit = ''] =
          /(\d+) ([a-z]+?)s?(?: ago)?$/.exec(relativeTime(millis, 'en').replaceAll(',', '')) ?? [];
        const said = Number(count) * (units[unit] ?? Number.NaN);
        const allowed = unit === 'month' ? DAY + MINUTE : MINUTE;
        assert.ok(said <= Math.abs(millis) + allowed && Math.abs(millis) < said + (units[unit] ?? 0));
        assert.equal(relativeTime(millis, 'en').endsWith('ago'), millis <= 0);
      }),
    );
  });
});

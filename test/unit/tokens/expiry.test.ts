import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { expiryState, tokenExpiryText, shortExpiry } from '../../../src/tokens/expiry.ts';

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

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { durationRefusal, lengthsIn } from '../../../src/service/durationRefusal.ts';
import { DURATIONS } from '../../../src/service/server/durations.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const EARLY_NO_EXPIRY =
  'Creating access tokens with no expiry is disabled. Configure authentication.accessTokens.allowNoExpiry=true to enable.';
const LATER_NO_EXPIRY =
  'Never-expiring access tokens (NO_EXPIRY) cannot be created because ACCESS_TOKEN_ALLOW_NO_EXPIRY is false. Use a finite duration from ACCESS_TOKEN_ALLOWED_DURATIONS (currently: [PT1H, P1D, P7D, P30D, P90D, P180D, P365D]), or set ACCESS_TOKEN_ALLOW_NO_EXPIRY=true to allow NO_EXPIRY. Existing never-expire tokens continue to work.';
const ALL = [HOUR, DAY, 7 * DAY, 30 * DAY, 90 * DAY, 180 * DAY, 365 * DAY];

suite('A refusal of a duration', () => {
  for (const [asked, text, refused, lengths] of [
    ['NO_EXPIRY', EARLY_NO_EXPIRY, ['NO_EXPIRY'], undefined],
    ['NO_EXPIRY', LATER_NO_EXPIRY, ['NO_EXPIRY'], ALL],
    ['ONE_WEEK', 'Unrecognized access token duration ONE_WEEK provided', ['ONE_WEEK'], undefined],
    ['ONE_WEEK', 'Access token duration ONE_WEEK could not be mapped to milliseconds', ['ONE_WEEK'], undefined],
    [
      'ONE_YEAR',
      'Access token duration ONE_YEAR is not allowed. Allowed durations: [PT1H, P1D, P30D]',
      ['ONE_WEEK', 'THREE_MONTHS', 'SIX_MONTHS', 'ONE_YEAR'],
      [HOUR, DAY, 30 * DAY],
    ],
    [
      'ONE_YEAR',
      'Access token duration ONE_YEAR is not allowed. Choose a value from ACCESS_TOKEN_ALLOWED_DURATIONS (currently: [PT24H, P1W, P1M, P3Y]).',
      ['ONE_HOUR', 'THREE_MONTHS', 'SIX_MONTHS', 'ONE_YEAR'],
      [DAY, 7 * DAY, 30 * DAY, 3 * 365 * DAY],
    ],
    [
      { iso: 'P400D' },
      "Access token duration 'P400D' is not allowed. Allowed durations: PT1H, P1D, P7D, P30D, P90D, P180D, P365D",
      [],
      ALL,
    ],
    [
      { iso: 'P400D' },
      "Access token duration 'P400D' is not allowed. Choose a value from ACCESS_TOKEN_ALLOWED_DURATIONS (currently: [P1D]).",
      ['ONE_HOUR', 'ONE_WEEK', 'ONE_MONTH', 'THREE_MONTHS', 'SIX_MONTHS', 'ONE_YEAR'],
      [DAY],
    ],
    [{ iso: 'P400D' }, EARLY_NO_EXPIRY, [], undefined],
    ['NO_EXPIRY', 'Never-expiring access tokens (NO_EXPIRY) cannot be created.', ['NO_EXPIRY'], undefined],
    [
      'NO_EXPIRY',
      'allowed durations:[PT1H]',
      ['ONE_DAY', 'ONE_WEEK', 'ONE_MONTH', 'THREE_MONTHS', 'SIX_MONTHS', 'ONE_YEAR', 'NO_EXPIRY'],
      [HOUR],
    ],
    [
      'ONE_WEEK',
      'Allowed durations: \n [P7D, P1D, PT1H, P30D, P90D, P180D, P365D]',
      [],
      [7 * DAY, DAY, HOUR, 30 * DAY, 90 * DAY, 180 * DAY, 365 * DAY],
    ],
    ['ONE_WEEK', 'Invalid input for enum "AccessTokenDuration".', ['ONE_WEEK'], undefined],
    ['ONE_WEEK', 'Value ONE_WEEK does not exist in enum AccessTokenDuration', ['ONE_WEEK'], undefined],
    [
      'ONE_WEEK',
      "Variable 'input' has an invalid value: Invalid input for enum 'AccessTokenDuration'. No value found for name 'ONE_WEEK'",
      ['ONE_WEEK'],
      undefined,
    ],
  ] as const) {
    test(`of ${JSON.stringify(asked)} in the words "${text.slice(0, 90)}" rules out ${refused.join(', ') || 'nothing of the enum'}`, () => {
      assert.deepEqual(durationRefusal(asked, text), { refused, lengths });
    });
  }

  for (const [asked, text] of [
    ['ONE_WEEK', 'An unknown error occurred.'],
    ['NO_EXPIRY', 'Unauthorized to perform this action. Please contact your DataHub administrator.'],
    ['ONE_DAY', 'Token name must not be empty'],
  ] as const) {
    test(`is none in "${text.slice(0, 60)}"`, () => assert.equal(durationRefusal(asked, text), undefined));
  }

  test('never rules out what it allows, whatever it says', () => {
    const word = fc.oneof(
      fc.constantFrom('P1D', 'PT1H', 'P30D', 'P1M', '[', ']', ', ', 'Allowed durations:', '(currently: ', 'P', 'T'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.constantFrom(...DURATIONS), fc.array(word), (asked, words) => {
        const refusal = durationRefusal(asked, words.join(' '));
        assert.ok(refusal === undefined || refusal.refused.every((duration) => DURATIONS.includes(duration)));
        assert.ok(
          refusal?.lengths === undefined ||
            (refusal.lengths.length > 0 && refusal.lengths.every((length) => length > 0)),
        );
      }),
    );
  });
});

suite('A list of lengths', () => {
  test('holds each once, and nothing that is none', () => {
    assert.deepEqual(lengthsIn(['P7D', 'P1W', 'forever', 7, null, ' pt1h ', 'P0D']), [7 * DAY, HOUR]);
  });

  test('is read as far as anybody would choose from', () => {
    assert.equal(lengthsIn(Array.from({ length: 1_000_000 }, (_, days) => `P${(days % 9_999) + 1}D`)).length, 50);
  });
});

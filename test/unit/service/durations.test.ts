import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { DURATIONS, durationsRefused, isoMillis, offeredDurations } from '../../../src/service/durations.ts';
import { SCHEMA_OF_0_14, SCHEMA_OF_TODAY } from './clients.ts';

const DATAHUB = { product: 'DataHub' };
const NO_EXPIRY_DISABLED =
  'Creating access tokens with no expiry is disabled. Configure authentication.accessTokens.allowNoExpiry=true to enable.';

suite('The durations offered', () => {
  test('leave out the week where a server has it in its schema only', () => {
    assert.ok(!offeredDurations(SCHEMA_OF_0_14, DATAHUB).includes('ONE_WEEK'));
    assert.ok(offeredDurations(SCHEMA_OF_TODAY, DATAHUB).includes('ONE_WEEK'));
    assert.ok(offeredDurations(SCHEMA_OF_0_14, { product: undefined }).includes('ONE_WEEK'), 'nothing is known against it');
  });

  test('are those of the server’s schema, where it tells', () => {
    assert.deepEqual(offeredDurations({ ...SCHEMA_OF_TODAY, durations: ['ONE_HOUR', 'NO_EXPIRY'] }, DATAHUB), ['ONE_HOUR', 'NO_EXPIRY']);
    assert.equal(offeredDurations({ ...SCHEMA_OF_TODAY, durations: undefined }, DATAHUB).length, DURATIONS.length);
  });

  test('end with "never" and leave out what was refused', () => {
    assert.equal(offeredDurations(SCHEMA_OF_TODAY, DATAHUB).at(-1), 'NO_EXPIRY');
    assert.equal(offeredDurations(SCHEMA_OF_TODAY, DATAHUB, ['NO_EXPIRY']).at(-1), 'ONE_YEAR');
  });
});

suite('A refusal', () => {
  for (const [asked, text, refused] of [
    ['NO_EXPIRY', NO_EXPIRY_DISABLED, ['NO_EXPIRY']],
    ['ONE_WEEK', 'Unrecognized access token duration ONE_WEEK provided', ['ONE_WEEK']],
    [
      'ONE_YEAR',
      'Access token duration ONE_YEAR is not allowed. Allowed durations: [PT1H, P1D, P30D]',
      ['ONE_WEEK', 'THREE_MONTHS', 'SIX_MONTHS', 'ONE_YEAR'],
    ],
    [{ iso: 'P400D' }, "Access token duration 'P400D' is not allowed. Allowed durations: PT1H, P1D, P7D, P30D, P90D, P180D, P365D", []],
    [{ iso: 'P400D' }, NO_EXPIRY_DISABLED, []],
    [
      'ONE_WEEK',
      "Variable 'input' has an invalid value: Invalid input for enum 'AccessTokenDuration'. No value found for name 'ONE_WEEK'",
      ['ONE_WEEK'],
    ],
    ['ONE_WEEK', 'An unknown error occurred.', []],
    ['NO_EXPIRY', 'Unauthorized to perform this action. Please contact your DataHub administrator.', []],
    ['ONE_DAY', 'Token name must not be empty', []],
  ] as const) {
    test(`of ${JSON.stringify(asked)} in the words "${text.slice(0, 60)}" rules out ${refused.join(', ') || 'nothing'}`, () => {
      assert.deepEqual(durationsRefused(asked, text), refused);
    });
  }
});

suite('A length in ISO 8601', () => {
  test('is read as the servers read it', () => {
    assert.equal(isoMillis('PT1H'), 3_600_000);
    assert.equal(isoMillis('P45D'), 45 * 86_400_000);
    assert.equal(isoMillis('P1DT2H3M4S'), 86_400_000 + 2 * 3_600_000 + 3 * 60_000 + 4_000);
  });

  for (const text of ['', 'P', 'PT', 'P1DT', 'P0D', 'P1Y', 'P1M', 'P1W', '45', 'P-1D', 'P1.5D', 'p45d', ' P1D', 'P999999D', 'PT1H1H']) {
    test(`is none when it is "${text}"`, () => {
      assert.equal(isoMillis(text), undefined);
    });
  }

  test('is found again in what it was made of', () => {
    fc.assert(
      fc.property(fc.nat(9_999), fc.nat(99), fc.nat(99), fc.nat(99), (days, hours, minutes, seconds) => {
        const millis = (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
        assert.equal(isoMillis(`P${days}DT${hours}H${minutes}M${seconds}S`), millis === 0 ? undefined : millis);
      }),
    );
  });
});

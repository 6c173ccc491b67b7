import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { useLanguage } from '../../../../src/language.ts';
import {
  closestDuration,
  endOfDuration,
  durationName,
  DURATIONS,
  isDurationRefusal,
} from '../../../../src/service/tokens/durations.ts';
import { KNOWN_FACTS, serviceAt } from '../clients.ts';

const DAY = 24 * 3_600_000;
const NOW = Date.UTC(2026, 10, 21, 12);

suite('The offered durations', () => {
  test('omit the week of a schema if the release is known not to create one', async () => {
    for (const [version, hasWeek] of [
      ['v0.14.0', false],
      ['v1.6.0', true],
      [undefined, true],
    ] as const) {
      const identity = { product: 'DataHub', version, entrance: 'direct' } as const;
      const knownFacts = { ...KNOWN_FACTS, identity };
      const offered = await serviceAt('http://127.0.0.1:9', { knownFacts }).tokens.offeredDurations();
      assert.equal(offered.includes('ONE_WEEK'), hasWeek, version);
    }
  });
});

test('The name of a duration is in the display language', (context) => {
  context.after(() => useLanguage('en', undefined));
  const names = ['en', 'de', 'ja'].map((locale) => {
    useLanguage(locale, {});
    return durationName('ONE_WEEK');
  });
  assert.deepEqual(names, ['1 week', '1 Woche', '1 週間']);
});

suite('A refusal is about its duration', () => {
  for (const text of [
    'Unrecognized access token duration ONE_WEEK provided',
    'Access token duration ONE_WEEK could not be mapped to milliseconds',
    'Access token duration ONE_YEAR is not allowed. Allowed durations: [PT1H, P1D, P30D]',
    "Access token duration 'P45D' is not allowed. Choose a value from ACCESS_TOKEN_ALLOWED_DURATIONS (currently: [PT1H]).",
    'Never-expiring access tokens (NO_EXPIRY) cannot be created.',
    'Creating access tokens with no expiry is disabled.',
    'Invalid input for enum "AccessTokenDuration".',
    'Value ONE_WEEK does not exist in enum AccessTokenDuration',
    "Variable 'input' has an invalid value: Invalid input for enum 'AccessTokenDuration'. No value found for name 'ONE_WEEK'",
  ]) {
    test(`in the words "${text.slice(0, 90)}"`, () => assert.equal(isDurationRefusal(text), true));
  }

  test('in no other words', () => assert.equal(isDurationRefusal('Token name must not be empty'), false));
});

suite('A duration', () => {
  test('proposed for a rotation is that of the old token', () => {
    for (const duration of DURATIONS) {
      assert.equal(closestDuration(NOW, endOfDuration(duration, NOW), DURATIONS), duration);
      const end = endOfDuration(duration, NOW);
      assert.equal(
        closestDuration(NOW, end === null ? null : end + 40_000, DURATIONS),
        duration,
        'the clocks of client and server differ',
      );
    }
    assert.equal(closestDuration(NOW, NOW + 45 * DAY, DURATIONS), 'ONE_MONTH');
    assert.equal(closestDuration(NOW, NOW + 3_000 * DAY, DURATIONS), 'ONE_YEAR');
  });

  test('proposed is a month if that of the old token is unknown', () => {
    assert.equal(closestDuration(undefined, NOW, DURATIONS), 'ONE_MONTH');
    assert.equal(closestDuration(NOW, undefined, DURATIONS), 'ONE_MONTH');
    assert.equal(closestDuration(undefined, null, DURATIONS), 'NO_EXPIRY');
  });

  test('proposed is accepted by the server: the longest if every token must end', () => {
    assert.equal(closestDuration(NOW, NOW + 30 * DAY, ['ONE_HOUR', 'ONE_DAY', 'ONE_YEAR']), 'ONE_DAY');
    assert.equal(closestDuration(NOW, null, ['ONE_HOUR', 'THREE_MONTHS', 'ONE_DAY']), 'THREE_MONTHS');
    assert.equal(closestDuration(NOW, NOW + 46 * DAY, []), 'ONE_MONTH');
  });
});

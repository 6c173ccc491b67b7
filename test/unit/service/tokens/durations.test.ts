import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { suite, test } from 'node:test';
import { useLanguage } from '../../../../src/language.ts';
import {
  closestDuration,
  endOfDuration,
  offeredDurations,
  durationMillis,
  durationName,
  DURATIONS,
  parseDurationRefusal,
} from '../../../../src/service/tokens/durations.ts';
import { failureOf, KNOWN_FACTS, SCHEMA_OF_TODAY, serviceAt, typeAnswer } from '../clients.ts';
import { answering, refusal } from '../tokenServer.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 21, 12);

suite('The offered durations', () => {
  test('omit the week of a schema if the release is known not to create one', async () => {
    for (const [version, hasWeek] of [
      ['v0.14.0', false],
      ['v1.6.0', true],
      [undefined, true],
    ] as const) {
      const identity = { product: 'DataHub', version, entrance: 'direct' } as const;
      const knownFacts = { ...KNOWN_FACTS, identity, tellsDurationPolicy: false };
      const offered = await serviceAt('http://127.0.0.1:9', { knownFacts }).tokens.offeredDurations();
      assert.equal(offered.includes('ONE_WEEK'), hasWeek, version);
    }
  });

  test('omit lengths that cannot be requested', () => {
    const policy = { allowsNoExpiry: false, lengths: [{ iso: 'P7D' }, { iso: 'P45D' }] };
    assert.deepEqual(offeredDurations(DURATIONS, false, true, policy), ['ONE_WEEK']);
    // A length that the enum lacks can still be sent in ISO 8601.
    assert.deepEqual(offeredDurations(['ONE_DAY'], true, true, policy), [{ iso: 'P7D' }, { iso: 'P45D' }]);
  });

  test('are those of the schema that the server allows, in order of their lengths, each once', () => {
    assert.deepEqual(offeredDurations(['ONE_HOUR', 'NO_EXPIRY'], true, true), ['ONE_HOUR', 'NO_EXPIRY']);
    const lengths = fc.uniqueArray(fc.integer({ min: 1, max: 400 }));
    fc.assert(
      fc.property(lengths, fc.option(fc.boolean(), { nil: undefined }), (allowed, allowsNoExpiry) => {
        const policy = { allowsNoExpiry, lengths: allowed.map((days) => ({ iso: `P${days}D` })) };
        const millis = offeredDurations(DURATIONS, true, true, policy).map(durationMillis);
        const expected: (number | null)[] = allowed.toSorted((a, b) => a - b).map((days) => days * DAY);
        assert.deepEqual(millis, allowsNoExpiry === false ? expected : [...expected, null]);
      }),
    );
  });
});

suite('A length in ISO 8601', () => {
  for (const [iso, millis] of [
    ['PT0.5S', 500],
    ['P99999D', 99_999 * DAY],
  ] as const) {
    test(`is read as the servers read it: ${iso}`, () => assert.equal(durationMillis({ iso }), millis));
  }

  const nonsense = ['', 'P', 'PT', 'P1DT', 'P0D', 'PT0S', '45', 'P-1D', 'P1.5D', 'P 1D', 'PT1H1H', 'P1D1W', 'P1D\nX'];
  for (const text of [...nonsense, 'XP1D', 'THREE_YEARS', 'P999999D', 'P99999DT1S', 'P9999Y']) {
    test(`is undefined for ${JSON.stringify(text)}`, () => assert.equal(durationMillis({ iso: text }), undefined));
  }

  test('is the sum of its parts', () => {
    const part = fc.nat(99);
    fc.assert(
      fc.property(
        part,
        part,
        part,
        fc.nat(9_999),
        part,
        part,
        part,
        (years, months, weeks, days, hours, minutes, seconds) => {
          const millis =
            (years * 365 + months * 30 + weeks * 7 + days) * DAY + ((hours * 60 + minutes) * 60 + seconds) * 1_000;
          const iso = `P${years}Y${months}M${weeks}W${days}DT${hours}H${minutes}M${seconds}S`;
          assert.equal(durationMillis({ iso }), millis === 0 ? undefined : millis);
        },
      ),
    );
  });
});

suite('The name of a duration', () => {
  for (const [duration, name] of [
    ['NO_EXPIRY', 'No expiry'],
    [{ iso: 'P45D' }, '45 days'],
    [{ iso: 'P1DT1H' }, '1 day 1 hour'],
    [{ iso: 'P2DT2H2M1S' }, '2 days 2 hours 2 minutes 1 second'],
    [{ iso: 'P7D' }, '1 week'],
    [{ iso: 'forever' }, ''],
  ] as const) {
    test(`is "${name}"`, () => assert.equal(durationName(duration), name));
  }

  test('is in the display language', (context) => {
    context.after(() => useLanguage('en', undefined));
    const names = ['de', 'es', 'pt-br', 'ja', 'zh-cn'].map((locale) => {
      useLanguage(locale, {});
      return [durationName({ iso: 'P3D' }), durationName({ iso: 'P1DT1H' })];
    });
    assert.deepEqual(names, [
      ['3 Tage', '1 Tag, 1 Stunde'],
      ['3 días', '1 día 1 hora'],
      ['3 dias', '1 dia 1 hora'],
      ['3 日', '1 日1 時間'],
      ['3天', '1天1小时'],
    ]);
  });
});

const { tellsDurationPolicy: _, ...UNASKED } = SCHEMA_OF_TODAY;
const POLICY_FIELDS = ['tokenAuthEnabled', 'allowNoExpiry', 'allowedAccessTokenDurations'];
const policy = (authConfig: unknown): object => ({ data: { appConfig: { authConfig } } });

suite('The duration policy', () => {
  test('is read once in a session if the schema has it', async (context) => {
    const lengths = ['PT1H', 'P1D', 'P7D', 'P1M', 'P90D', 'P180D', 'P365D', 'P45D'];
    const told = policy({ allowNoExpiry: false, allowedAccessTokenDurations: lengths });
    const { service, sent } = await answering(context, [typeAnswer('fields', POLICY_FIELDS), told], UNASKED);
    assert.deepEqual(await service.tokens.offeredDurations(), [
      'ONE_HOUR',
      'ONE_DAY',
      'ONE_WEEK',
      'ONE_MONTH',
      { iso: 'P45D' },
      'THREE_MONTHS',
      'SIX_MONTHS',
      'ONE_YEAR',
    ]);
    await Promise.all([service.tokens.offeredDurations(), service.tokens.offeredDurations()]);
    assert.deepEqual(
      sent().map(({ query }) => /allowNoExpiry|AuthConfig/.exec(query)?.[0]),
      ['AuthConfig', 'allowNoExpiry'],
    );
  });

  for (const fields of [[], null, ['allowNoExpiry']]) {
    test(`is not requested if the schema has ${JSON.stringify(fields)}`, async (context) => {
      const { service, server } = await answering(context, [typeAnswer('fields', fields)], UNASKED);
      assert.equal((await service.tokens.offeredDurations()).length, 8);
      assert.equal(server.requests.length, 1);
    });
  }

  const many = Array.from({ length: 100_000 }, (_none, days) => `P${(days % 9_999) + 1}D`);
  for (const [what, answer, count] of [
    ['no configuration', policy(null), 8],
    ['null for both', policy({ allowNoExpiry: null, allowedAccessTokenDurations: null }), 8],
    ['an empty list', policy({ allowedAccessTokenDurations: [] }), 8],
    ['invalid lengths', policy({ allowedAccessTokenDurations: ['forever', 7, null] }), 8],
    ['no list', policy({ allowedAccessTokenDurations: 'P1D' }), 8],
    ['a refusal', refusal(403), 8],
    ['an error', refusal(500), 8],
    [
      'one length twice, and what is none',
      policy({ allowNoExpiry: false, allowedAccessTokenDurations: ['P7D', 'P1W', 'forever', 7, ' pt1h ', 'P0D'] }),
      2,
    ],
    ['very many', policy({ allowNoExpiry: false, allowedAccessTokenDurations: many }), 50],
  ] as const) {
    test(`lets ${count} durations be offered if the server answers with ${what}`, async (context) => {
      const { service } = await answering(context, [answer]);
      assert.equal((await service.tokens.offeredDurations()).length, count);
    });
  }

  test('fails if the server does not accept the credential', async (context) => {
    const { service } = await answering(context, [refusal(401)]);
    assert.equal((await failureOf(service.tokens.offeredDurations())).kind, 'signedOut');
  });
});

suite('A refusal of a duration', () => {
  for (const [text, allowed] of [
    ['Unrecognized access token duration ONE_WEEK provided', []],
    ['Access token duration ONE_WEEK could not be mapped to milliseconds', []],
    ['Access token duration ONE_YEAR is not allowed. Allowed durations: [PT1H, P1D, P30D]', [HOUR, DAY, 30 * DAY]],
    ["Access token duration 'P400D' is not allowed. Allowed durations: PT1H, P1D", [HOUR, DAY]],
    ['Never-expiring access tokens (NO_EXPIRY) cannot be created.', []],
    ['allowed durations:[PT1H]', [HOUR]],
    ['Allowed durations: \n [P7D, PT1H]', [7 * DAY, HOUR]],
    ['Invalid input for enum "AccessTokenDuration".', []],
    ['Value ONE_WEEK does not exist in enum AccessTokenDuration', []],
    [
      "Variable 'input' has an invalid value: Invalid input for enum 'AccessTokenDuration'. No value found for name 'ONE_WEEK'",
      [],
    ],
  ] as const) {
    test(`names ${allowed.length} allowed lengths in the words "${text.slice(0, 90)}"`, () => {
      assert.deepEqual(parseDurationRefusal(text)?.map(durationMillis), allowed);
    });
  }

  test('is not recognized in other words', () =>
    assert.equal(parseDurationRefusal('Token name must not be empty'), undefined));

  test('names only lengths, whatever it says', () => {
    const word = fc.oneof(
      fc.constantFrom('P1D', 'PT1H', 'P30D', 'P1M', '[', ']', ', ', 'Allowed durations:', '(currently: ', 'P', 'T'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(word), (words) => {
        assert.ok(parseDurationRefusal(words.join(' '))?.every((one) => Number(durationMillis(one)) > 0) ?? true);
      }),
    );
  });
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
    assert.deepEqual(closestDuration(NOW, NOW + 46 * DAY, ['ONE_MONTH', { iso: 'P45D' }, 'THREE_MONTHS']), {
      iso: 'P45D',
    });
    assert.equal(closestDuration(NOW, NOW + 46 * DAY, []), 'ONE_MONTH');
  });
});

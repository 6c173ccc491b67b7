import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import {
  durationName,
  DURATIONS,
  parseIsoDuration,
  formatIsoDuration,
  describeLength,
  durationMillis,
} from '../../../../src/service/tokens/durations.ts';
import { offeredDurations } from '../../../../src/service/tokens/durationPolicy.ts';
import { useLanguage } from '../../../../src/language.ts';

const CURRENT = 'v1.7.0.1';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

suite('The offered durations', () => {
  for (const [version, hasWeek] of [
    ['v0.14.0', false],
    ['v0.15.0.1', false],
    ['1.1.0', false],
    ['v1.2.0.1', false],
    ['v1.2.0.2', true],
    ['v1.3.0', true],
    ['v1.6.0.16rc6', true],
    ['v10.0', true],
    ['v1.10.0', true],
    ['a build of our own', true],
    [undefined, true],
  ] as const) {
    test(`${hasWeek ? 'include' : 'omit'} the week that the schema of ${version ?? 'a server without a version'} has`, () => {
      const offered = offeredDurations(DURATIONS, false, version);
      assert.deepEqual(offered, hasWeek ? DURATIONS : DURATIONS.filter((duration) => duration !== 'ONE_WEEK'));
    });
  }

  test('are those of the server’s schema', () => {
    assert.deepEqual(offeredDurations(['ONE_HOUR', 'NO_EXPIRY'], true, CURRENT), ['ONE_HOUR', 'NO_EXPIRY']);
  });

  test('end with "never", unless the server says no', () => {
    assert.equal(offeredDurations(DURATIONS, true, CURRENT).at(-1), 'NO_EXPIRY');
    const policy = { allowsNoExpiry: false, lengths: undefined };
    assert.equal(offeredDurations(DURATIONS, true, CURRENT, policy).at(-1), 'ONE_YEAR');
  });

  test('are those that the server allows, compared by length', () => {
    const lengths = [30 * DAY, 3_600_000, 45 * DAY];
    assert.deepEqual(offeredDurations(DURATIONS, true, CURRENT, { allowsNoExpiry: false, lengths }), [
      'ONE_HOUR',
      'ONE_MONTH',
      { iso: 'P45D' },
    ]);
    assert.deepEqual(offeredDurations(DURATIONS, true, CURRENT, { allowsNoExpiry: true, lengths: [DAY] }), [
      'ONE_DAY',
      'NO_EXPIRY',
    ]);
  });

  test('omit lengths that cannot be requested', () => {
    const policy = { allowsNoExpiry: false, lengths: [7 * DAY, 45 * DAY] };
    assert.deepEqual(offeredDurations(DURATIONS, false, CURRENT, policy), ['ONE_WEEK']);
    // A length that the enum lacks can still be sent in ISO 8601.
    assert.deepEqual(offeredDurations(['ONE_DAY'], true, CURRENT, policy), [{ iso: 'P7D' }, { iso: 'P45D' }]);
  });

  test('are in order of their lengths, each once, and nothing else', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 400 }).map((days) => days * DAY));
    fc.assert(
      fc.property(lengths, fc.option(fc.boolean(), { nil: undefined }), (allowed, allowsNoExpiry) => {
        const policy = { allowsNoExpiry, lengths: allowed };
        const millis = offeredDurations(DURATIONS, true, CURRENT, policy).map(durationMillis);
        const expected: (number | null)[] = [...new Set(allowed)].toSorted((a, b) => a - b);
        assert.deepEqual(millis, allowsNoExpiry === false ? expected : [...expected, null]);
      }),
    );
  });
});

suite('A length in ISO 8601', () => {
  for (const [iso, millis] of [
    ['PT1H', HOUR],
    ['P45D', 45 * DAY],
    ['P1DT2H3M4S', DAY + 2 * HOUR + 3 * 60_000 + 4_000],
    ['P1W', 7 * DAY],
    ['P1M', 30 * DAY],
    ['P3M', 90 * DAY],
    ['P1Y', 365 * DAY],
    ['P3Y', 3 * 365 * DAY],
    ['P1Y2M3W4DT5H', (365 + 60 + 21 + 4) * DAY + 5 * HOUR],
    ['PT0.5S', 500],
    [' p1d ', DAY],
    ['pt1h', HOUR],
    ['P99999D', 99_999 * DAY],
  ] as const) {
    test(`is read as the servers read it: ${iso}`, () => assert.equal(parseIsoDuration(iso), millis));
  }

  for (const text of [
    '',
    'P',
    'PT',
    'P1DT',
    'P0D',
    'PT0S',
    '45',
    'P-1D',
    'P1.5D',
    'P 1D',
    'P999999D',
    'P99999DT1S',
    'P9999Y',
    'PT1H1H',
    'P1D1W',
    'THREE_YEARS',
    'P1D\nX',
    'XP1D',
  ]) {
    test(`is undefined for ${JSON.stringify(text)}`, () => assert.equal(parseIsoDuration(text), undefined));
  }

  test('is the sum of its parts', () => {
    fc.assert(
      fc.property(
        fc.nat(99),
        fc.nat(99),
        fc.nat(99),
        fc.nat(9_999),
        fc.nat(99),
        fc.nat(99),
        fc.nat(99),
        (years, months, weeks, days, hours, minutes, seconds) => {
          const millis =
            (years * 365 + months * 30 + weeks * 7 + days) * DAY + ((hours * 60 + minutes) * 60 + seconds) * 1_000;
          const iso = `P${years}Y${months}M${weeks}W${days}DT${hours}H${minutes}M${seconds}S`;
          assert.equal(parseIsoDuration(iso), millis === 0 ? undefined : millis);
        },
      ),
    );
  });

  test('is written in parts that mean the same to every server', () => {
    assert.deepEqual([45 * DAY, 12 * HOUR, DAY + HOUR, 90_000, 1].map(formatIsoDuration), [
      'P45D',
      'PT12H',
      'P1DT1H',
      'PT1M30S',
      'PT0.001S',
    ]);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 99_999 }).chain((days) => fc.nat(DAY - 1).map((rest) => (days - 1) * DAY + rest + 1)),
        (millis) => {
          assert.match(formatIsoDuration(millis), /^P(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:[\d.]+S)?)?$/);
          assert.equal(parseIsoDuration(formatIsoDuration(millis)), millis);
        },
      ),
    );
  });
});

suite('The name of a duration', () => {
  test('is unique, with its days if a month could mean several', () => {
    const names = DURATIONS.map(durationName);
    assert.equal(new Set(names).size, DURATIONS.length);
    assert.deepEqual(
      names.filter((name) => name.includes('days')),
      ['1 month (30 days)', '3 months (90 days)', '6 months (180 days)', '1 year (365 days)'],
    );
    assert.equal(durationName('NO_EXPIRY'), 'No expiry');
  });

  test('is empty without a length', () => assert.equal(durationName({ iso: 'forever' }), ''));

  test('of any other length says how long it is', () => {
    assert.equal(durationName({ iso: 'P45D' }), '45 days');
    assert.equal(durationName({ iso: 'PT12H' }), '12 hours');
    assert.equal(durationName({ iso: 'P1DT1H' }), '1 day 1 hour');
    assert.equal(describeLength(2 * DAY + 2 * HOUR + 120_000 + 1_000), '2 days 2 hours 2 minutes 1 second');
    assert.equal(describeLength(60_000 + 2_000), '1 minute 2 seconds');
  });

  test('is in the display language', (context) => {
    context.after(() => useLanguage('en', undefined));
    const names = ['de', 'es', 'pt-br', 'ja', 'zh-cn'].map((locale) => {
      useLanguage(locale, {});
      return [describeLength(3 * DAY), describeLength(DAY + HOUR)];
    });
    assert.deepEqual(names, [
      ['3 Tage', '1 Tag, 1 Stunde'],
      ['3 días', '1 día 1 hora'],
      ['3 dias', '1 dia 1 hora'],
      ['3 日', '1 日1 時間'],
      ['3天', '1天1小时'],
    ]);
  });

  test('is the same however the length was written', () => {
    assert.equal(durationName({ iso: 'P1M' }), durationName('ONE_MONTH'));
    assert.equal(describeLength(7 * DAY), '1 week');
  });
});

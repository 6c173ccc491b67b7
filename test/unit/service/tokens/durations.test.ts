import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { useLanguage } from '../../../../src/language.ts';
import {
  offeredDurations,
  describeLength,
  durationMillis,
  durationName,
  DURATIONS,
  formatIsoDuration,
  parseIsoDuration,
} from '../../../../src/service/tokens/durations.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

suite('The offered durations', () => {
  test('omit the week of a schema if the release is known not to create one', () => {
    for (const createsWeeks of [true, false, undefined]) {
      assert.equal(offeredDurations(DURATIONS, false, createsWeeks).includes('ONE_WEEK'), createsWeeks !== false);
    }
  });

  test('omit lengths that cannot be requested', () => {
    const policy = { allowsNoExpiry: false, lengths: [7 * DAY, 45 * DAY] };
    assert.deepEqual(offeredDurations(DURATIONS, false, true, policy), ['ONE_WEEK']);
    // A length that the enum lacks can still be sent in ISO 8601.
    assert.deepEqual(offeredDurations(['ONE_DAY'], true, true, policy), [{ iso: 'P7D' }, { iso: 'P45D' }]);
  });

  test('are those of the schema that the server allows, in order of their lengths, each once', () => {
    assert.deepEqual(offeredDurations(['ONE_HOUR', 'NO_EXPIRY'], true, true), ['ONE_HOUR', 'NO_EXPIRY']);
    const lengths = fc.array(fc.integer({ min: 1, max: 400 }).map((days) => days * DAY));
    fc.assert(
      fc.property(lengths, fc.option(fc.boolean(), { nil: undefined }), (allowed, allowsNoExpiry) => {
        const policy = { allowsNoExpiry, lengths: allowed };
        const millis = offeredDurations(DURATIONS, true, true, policy).map(durationMillis);
        const expected: (number | null)[] = [...new Set(allowed)].toSorted((a, b) => a - b);
        assert.deepEqual(millis, allowsNoExpiry === false ? expected : [...expected, null]);
      }),
    );
  });
});

suite('A length in ISO 8601', () => {
  for (const [iso, millis] of [
    ['PT0.5S', 500],
    [' p1d ', DAY],
    ['P99999D', 99_999 * DAY],
  ] as const) {
    test(`is read as the servers read it: ${iso}`, () => assert.equal(parseIsoDuration(iso), millis));
  }

  const nonsense = ['', 'P', 'PT', 'P1DT', 'P0D', 'PT0S', '45', 'P-1D', 'P1.5D', 'P 1D', 'PT1H1H', 'P1D1W', 'P1D\nX'];
  for (const text of [...nonsense, 'XP1D', 'THREE_YEARS', 'P999999D', 'P99999DT1S', 'P9999Y']) {
    test(`is undefined for ${JSON.stringify(text)}`, () => assert.equal(parseIsoDuration(text), undefined));
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
          assert.equal(parseIsoDuration(iso), millis === 0 ? undefined : millis);
        },
      ),
    );
  });

  test('is written in parts that mean the same to every server', () => {
    const lengths = [45 * DAY, 12 * HOUR, DAY + HOUR, 90_000, 1];
    assert.deepEqual(lengths.map(formatIsoDuration), ['P45D', 'PT12H', 'P1DT1H', 'PT1M30S', 'PT0.001S']);
    const upToLongest = fc
      .integer({ min: 1, max: 99_999 })
      .chain((days) => fc.nat(DAY - 1).map((rest) => (days - 1) * DAY + rest + 1));
    fc.assert(
      fc.property(upToLongest, (millis) => {
        assert.match(formatIsoDuration(millis), /^P(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:[\d.]+S)?)?$/);
        assert.equal(parseIsoDuration(formatIsoDuration(millis)), millis);
      }),
    );
  });
});

suite('The name of a duration', () => {
  for (const [duration, name] of [
    ['ONE_HOUR', '1 hour'],
    ['ONE_WEEK', '1 week'],
    ['ONE_MONTH', '1 month (30 days)'],
    ['THREE_MONTHS', '3 months (90 days)'],
    ['SIX_MONTHS', '6 months (180 days)'],
    ['ONE_YEAR', '1 year (365 days)'],
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
});

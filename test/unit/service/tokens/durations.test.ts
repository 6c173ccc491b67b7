import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { useLanguage } from '../../../../src/language.ts';
import {
  offeredDurations,
  durationMillis,
  durationName,
  DURATIONS,
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

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import * as fc from 'fast-check';
import { formatsOf, utcTimeText } from '../../../src/ui/formats.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

suite('Numbers and times', () => {
  before(() => {
    process.env['TZ'] = 'America/New_York';
  });

  test('show the change of a size with its sign', () => {
    const { change } = formatsOf('en');
    assert.deepEqual([45_000_000, -3_200_000, 0].map(change), ['+45 MB', '-3.2 MB', '0 bytes']);
    assert.equal(formatsOf('de').change(-999_600), '-1 MB');
  });

  test('are grouped and written for the language', () => {
    assert.equal(formatsOf('en').number(134_517), '134,517');
    assert.equal(formatsOf('de').number(134_517), '134.517');
    assert.equal(formatsOf('en').percent(99.2), '99.2%');
    assert.equal(formatsOf('pt-br').percent(9.94), '9,9%');
  });

  test('of a part are never nothing or all', () => {
    const part = fc.double({ min: 0, minExcluded: true, max: 100, maxExcluded: true, noNaN: true });
    for (const language of ['en', 'de', 'fr', 'es', 'pt-br', 'ja', 'ko', 'zh-cn', 'zh-tw']) {
      const { percent, share } = formatsOf(language);
      const [none, all] = [percent(0), percent(100)];
      assert.deepEqual([share(0), share(100)], [none, all]);
      fc.assert(
        fc.property(part, (value) => {
          for (const shown of [percent(value), share(value)]) {
            assert.ok(shown !== none && shown !== all, shown);
            assert.match(shown, /^[<>]?\d{1,2}(?:[.,]\d)?[\s\u00A0\u202F]?%$/);
            assert.equal(shown.startsWith('<'), value < 0.1);
            assert.equal(shown.startsWith('>'), value > 99.9);
          }
        }),
      );
    }
    assert.deepEqual(
      [208e3 / 812e9, 1 - 208e3 / 812e9].map((one) => formatsOf('de').share(one * 100)),
      ['<0,1\u00A0%', '>99,9\u00A0%'],
    );
  });

  test('use the local zone if Intl knows no such one', () => {
    const time = Date.UTC(2026, 4, 23, 12, 5);
    for (const zone of ['', 'Nowhere/At_All']) {
      assert.equal(formatsOf('en', zone).zonedTime(time), formatsOf('en', 'America/New_York').zonedTime(time));
    }
  });

  test('name their zone', () => {
    const formats = formatsOf('en');
    assert.match(formats.zonedTime(Date.UTC(2026, 4, 23, 12, 5)), /^May 23, 2026, 8:05.AM EDT$/);
    assert.match(formats.exactTime(Date.UTC(2026, 0, 3, 12, 5, 9)), /^Jan 3, 2026.*7:05:09.AM EST$/);
  });

  test('of today have no date', () => {
    const { moment } = formatsOf('en', 'Europe/Berlin');
    const now = Date.UTC(2026, 4, 23, 20, 0);
    assert.match(moment(Date.UTC(2026, 4, 23, 12, 5), now), /^2:05.PM$/);
    assert.match(moment(Date.UTC(2026, 4, 22, 12, 5), now), /^May 22, 2026, 2:05.PM$/);
    assert.match(moment(Date.UTC(2026, 4, 22, 22, 5), now), /^12:05.AM$/);
  });

  test('give durations that are short and unambiguous', () => {
    const units = ['year', 'month', 'day', 'hour', 'minute'] as const;
    const { duration } = formatsOf('en');
    assert.deepEqual(
      units.map((unit) => duration(8, unit)),
      ['8 yrs', '8 mo', '8 days', '8 hr', '8 min'],
    );
    assert.equal(duration(1, 'month'), '1 mo');
    assert.equal(formatsOf('de').duration(8, 'month'), '8 Mon.');
    for (const language of ['en', 'de', 'fr', 'es', 'pt-br', 'ja', 'ko', 'zh-cn', 'zh-tw']) {
      const texts = units.map((unit) => formatsOf(language).duration(8, unit));
      assert.equal(new Set(texts).size, units.length, texts.join());
    }
  });

  for (const [value, text] of [
    [0.31, '0.3%'],
    [9.94, '9.9%'],
    [9.95, '10%'],
    [62.4, '62%'],
    [99, '99%'],
    [99.4, '99.4%'],
    [99.87, '99.9%'],
  ] as const) {
    test(`tell a share of ${value} in two digits: ${text}`, () => assert.equal(formatsOf('en').share(value), text));
  }

  test('in UTC show seconds only if not zero', () => {
    assert.equal(utcTimeText(Date.UTC(2026, 4, 23, 12, 5)), '2026-05-23 12:05 UTC');
    assert.equal(utcTimeText(Date.UTC(2026, 4, 23, 12, 5, 9)), '2026-05-23 12:05:09 UTC');
    assert.equal(utcTimeText(Date.UTC(2026, 4, 23, 12, 5, 0, 250)), '2026-05-23 12:05:00.250 UTC');
  });
});

suite('A size', () => {
  for (const [bytes, text] of [
    [0, '0 bytes'],
    [1, '1 byte'],
    [999.4, '999 bytes'],
    [999.5, '1 kB'],
    [1_050, '1.1 kB'],
    [9_949, '9.9 kB'],
    [9_950, '10 kB'],
    [999_499, '999 kB'],
    [999_500, '1 MB'],
    [999_500_000_000, '1 TB'],
    [2e18, '2,000 PB'],
  ] as const) {
    test(`of ${bytes} bytes is "${text}"`, () => assert.equal(formatsOf('en').size(bytes), text));
  }

  test('uses the words of the display language', () => {
    assert.equal(formatsOf('de').size(8_100_000_000).replaceAll('\u00A0', ' '), '8,1 GB');
    assert.match(formatsOf('fr').size(8_100_000_000), /8,1\sGo/);
    for (const locale of ['zh-cn', 'pt-br', 'ja', 'tr', 'qps-ploc']) {
      assert.ok(formatsOf(locale).size(8_100_000_000).length > 2, locale);
    }
  });

  test('has at most three digits, with an error below a twentieth', () => {
    const factors: Readonly<Record<string, number>> = {
      byte: 1,
      bytes: 1,
      kB: 1e3,
      MB: 1e6,
      GB: 1e9,
      TB: 1e12,
      PB: 1e15,
    };
    fc.assert(
      fc.property(fc.maxSafeInteger().map(Math.abs), (bytes) => {
        const [, digits = '', unit = ''] = /^([\d.]+) (\w+)$/.exec(formatsOf('en').size(bytes)) ?? [];
        assert.ok(digits.replace('.', '').length <= 3);
        const said = Number(digits) * (factors[unit] ?? Number.NaN);
        assert.ok(Math.abs(said - bytes) <= bytes / 19);
      }),
    );
  });
});

suite('A time from now', () => {
  const { distance } = formatsOf('en');

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
    test(`of ${millis} ms is "${text}"`, () => assert.equal(distance(millis, 0), text));
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
          /(\d+) ([a-z]+?)s?(?: ago)?$/.exec(distance(millis, 0).replaceAll(',', '')) ?? [];
        const said = Number(count) * (units[unit] ?? Number.NaN);
        const allowed = unit === 'month' ? DAY + MINUTE : MINUTE;
        assert.ok(said <= Math.abs(millis) + allowed && Math.abs(millis) < said + (units[unit] ?? 0));
        assert.equal(distance(millis, 0).endsWith('ago'), millis <= 0);
      }),
    );
  });
});

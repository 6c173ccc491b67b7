import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { isoMillis, isoOf } from '../../../src/service/isoDuration.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

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
    test(`is read as the servers read it: ${iso}`, () => assert.equal(isoMillis(iso), millis));
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
    test(`is none when it is ${JSON.stringify(text)}`, () => assert.equal(isoMillis(text), undefined));
  }

  test('is found again in what it was made of', () => {
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
          assert.equal(isoMillis(iso), millis === 0 ? undefined : millis);
        },
      ),
    );
  });

  test('is written in parts that mean the same to everybody', () => {
    assert.deepEqual([45 * DAY, 12 * HOUR, DAY + HOUR, 90_000, 1].map(isoOf), [
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
          assert.match(isoOf(millis), /^P(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:[\d.]+S)?)?$/);
          assert.equal(isoMillis(isoOf(millis)), millis);
        },
      ),
    );
  });
});

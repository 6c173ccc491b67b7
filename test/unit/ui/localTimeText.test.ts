import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import * as fc from 'fast-check';
import { localDateText, parseLocalTime, startOfLocalDay } from '../../../src/ui/formats.ts';

/** Writes a local time as a user would. */
function written(millis: number, separator: string): string {
  const date = new Date(millis);
  const two = (part: number): string => String(part).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day}${separator}${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

suite('A typed date and time', () => {
  // Each test file has a process of its own.
  before(() => {
    process.env['TZ'] = 'America/New_York';
    assert.equal(Intl.DateTimeFormat().resolvedOptions().timeZone, 'America/New_York');
  });

  for (const [text, millis] of [
    ['2026-05-23', Date.UTC(2026, 4, 23, 4)],
    ['2026-05-23 14:05', Date.UTC(2026, 4, 23, 18, 5)],
    ['2026-12-24T14:05:07', Date.UTC(2026, 11, 24, 19, 5, 7)],
    ['  2026-05-23  ', Date.UTC(2026, 4, 23, 4)],
    ['2024-02-29', Date.UTC(2024, 1, 29, 5)],
    ['2026-05-23Z', Date.UTC(2026, 4, 23)],
    ['2026-05-23T14:05Z', Date.UTC(2026, 4, 23, 14, 5)],
    ['2026-05-23 14:05 +02:00', Date.UTC(2026, 4, 23, 12, 5)],
    ['2026-05-23 14:05:59-09:30', Date.UTC(2026, 4, 23, 23, 35, 59)],
    // Clocks skip 2:30 and show 1:30 twice. The first one is meant, so that less is deleted.
    ['2026-03-08 02:30', Date.UTC(2026, 2, 8, 7, 30)],
    ['2026-11-01 01:30', Date.UTC(2026, 10, 1, 5, 30)],
  ] as const) {
    test(`"${text}" is ${new Date(millis).toISOString()}`, () => assert.equal(parseLocalTime(text), millis));
  }

  for (const text of [
    '',
    'yesterday',
    '2026',
    '2026-05',
    '23.05.2026',
    '05/23/2026',
    '1687970192000',
    '2026-5-23',
    '26-05-23',
    '0026-05-23',
    '0099-12-31',
    '12026-05-23',
    '2026-00-10',
    '2026-13-01',
    '2026-02-29',
    '2026-02-31',
    '2026-04-31',
    '2026-05-00',
    '2026-05-32',
    '2026-05-23 24:00',
    '2026-05-23 99:59',
    '2026-12-31 24:00',
    '2026-05-23 12:60',
    '2026-05-23 12:00:60',
    '2026-05-23 12',
    '2026-05-23 12:00:00.5',
    '2026-05-23 12:00 +25:00',
    '2026-05-23 12:00 +2:00',
    '2026-05-23 12:00 CET',
    '2026-05-23\n12:00',
    '٢٠٢٦-٠٥-٢٣',
  ]) {
    test(`${JSON.stringify(text)} is none`, () => assert.equal(parseLocalTime(text), undefined));
  }

  test('is read back to the second', () => {
    const seconds = fc.integer({ min: Date.UTC(1975, 0) / 1_000, max: Date.UTC(2100, 0) / 1_000 });
    fc.assert(
      fc.property(seconds, fc.constantFrom(' ', 'T'), (second, separator) => {
        const millis = second * 1_000;
        const read = parseLocalTime(written(millis, separator));
        // The second of two equal hours is read as the first.
        assert.ok(read === millis || (read === millis - 3_600_000 && written(read, ' ') === written(millis, ' ')));
        assert.equal(parseLocalTime(new Date(millis).toISOString().replace('.000', '')), millis);
      }),
    );
  });

  test('is a time or undefined, for any text', () => {
    const parts = fc.array(fc.constantFrom('2026', '-', '02', '30', 'T', ' ', ':', '59', 'Z', '+', '99', '0000'), {
      maxLength: 14,
    });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          parts.map((some) => some.join('')),
        ),
        (text) => {
          const millis = parseLocalTime(text);
          assert.ok(millis === undefined || Number.isSafeInteger(millis));
        },
      ),
    );
  });
});

suite('A day', () => {
  for (const [timeZone, utc] of [
    ['America/Los_Angeles', '2026-11-21T08:00:00Z'],
    ['UTC', '2026-11-21T00:00:00Z'],
    ['Pacific/Auckland', '2026-11-20T11:00:00Z'],
  ] as const) {
    test(`is a day of the person, in ${timeZone} too`, () => {
      process.env.TZ = timeZone;
      const begins = startOfLocalDay(' 2026-11-21 ');
      assert.equal(begins, Date.parse(utc));
      assert.equal(localDateText(new Date(begins ?? 0)), '2026-11-21');
      assert.equal(localDateText(new Date((begins ?? 0) - 1)), '2026-11-20');
    });
  }

  test('must exist, and have no time', () => {
    for (const text of ['', '2026-02-31', '2026-13-01', '26-01-01', '2026-11-21 10:00', '2026-11-21Z', 'tomorrow']) {
      assert.equal(startOfLocalDay(text), undefined, text);
    }
  });
});

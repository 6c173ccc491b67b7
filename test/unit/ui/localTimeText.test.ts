import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { localDateText, startOfLocalDay } from '../../../src/ui/typedValues.ts';

suite('A typed day', () => {
  // Each test file has a process of its own.
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
      assert.equal(localDateText(new Date(startOfLocalDay('2024-02-29') ?? 0)), '2024-02-29');
    });
  }

  for (const text of [
    '',
    'tomorrow',
    '1687970192000',
    '2026-5-23',
    '26-01-01',
    '0026-05-23',
    '12026-05-23',
    '2026-13-01',
    '2026-02-29',
    '2026-05-00',
    '2026-11-21 10:00',
    '2026-11-21Z',
    '٢٠٢٦-٠٥-٢٣',
  ]) {
    test(`is none in ${JSON.stringify(text)}`, () => assert.equal(startOfLocalDay(text), undefined));
  }
});

import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { startOfDay } from '../../../src/tokens/filterDate.ts';
import { localDate } from '../../../src/ui/localTimeText.ts';

const zone = process.env.TZ;
after(() => {
  if (zone === undefined) {
    delete process.env.TZ;
  } else {
    process.env.TZ = zone;
  }
});

suite('The date of a filter', () => {
  for (const [timeZone, utc] of [
    ['America/Los_Angeles', '2026-11-21T08:00:00Z'],
    ['UTC', '2026-11-21T00:00:00Z'],
    ['Pacific/Auckland', '2026-11-20T11:00:00Z'],
  ] as const) {
    test(`is a day of the person, in ${timeZone} too`, () => {
      process.env.TZ = timeZone;
      const begins = startOfDay(' 2026-11-21 ');
      assert.equal(begins, Date.parse(utc));
      assert.equal(localDate(new Date(begins ?? 0)), '2026-11-21');
      assert.equal(localDate(new Date((begins ?? 0) - 1)), '2026-11-20');
    });
  }

  test('is one that exists, and nothing but a date', () => {
    for (const text of ['', '2026-02-31', '2026-13-01', '26-01-01', '2026-11-21 10:00', '2026-11-21Z', 'tomorrow']) {
      assert.equal(startOfDay(text), undefined, text);
    }
  });
});

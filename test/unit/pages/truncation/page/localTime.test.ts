import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { before, suite, test } from 'node:test';
import { readLocalText, toLocalText } from '../../../../../src/pages/truncation/page/cutoff.ts';

const HOUR = 3_600_000;

/** Sets the zone of this process. Each test file has its own process. */
function useZone(zone: string): void {
  process.env['TZ'] = zone;
  assert.equal(Intl.DateTimeFormat().resolvedOptions().timeZone, zone);
}

suite('A local date and time', () => {
  before(() => useZone('Europe/Berlin'));

  test("is read in the user's zone", () => {
    assert.equal(readLocalText({ date: '2026-05-23', time: '14:05' }), Date.UTC(2026, 4, 23, 12, 5));
    assert.equal(readLocalText({ date: '2026-12-24', time: '14:05:07.5' }), Date.UTC(2026, 11, 24, 13, 5, 7, 500));
  });

  test('means the same distance after the change if clocks skip it', () => {
    assert.equal(readLocalText({ date: '2026-03-29', time: '02:30' }), Date.UTC(2026, 2, 29, 1, 30));
    assert.deepEqual(toLocalText(Date.UTC(2026, 2, 29, 1, 30)), { date: '2026-03-29', time: '03:30' });
  });

  test('means the first if it occurs twice, so that less is deleted', () => {
    assert.equal(readLocalText({ date: '2026-10-25', time: '02:30' }), Date.UTC(2026, 9, 25, 0, 30));
  });

  for (const [why, text] of Object.entries({
    'no date': { date: '', time: '12:00' },
    'no time': { date: '2026-05-23', time: '' },
    'a year that is still being typed': { date: '0020-05-23', time: '12:00' },
    'a year beyond what a Date can hold': { date: '999999-01-01', time: '00:00' },
  })) {
    test(`is undefined with ${why}`, () => assert.equal(readLocalText(text), undefined));
  }

  test('reads back as the original time, except in the second of two equal hours', () => {
    const millis = fc.integer({ min: Date.UTC(1980, 0, 1), max: Date.UTC(2100, 0, 1) });
    fc.assert(
      fc.property(millis, (point) => {
        const reading = readLocalText(toLocalText(point));
        assert.ok(reading !== undefined);
        assert.ok(reading === point || reading === point - HOUR);
      }),
    );
  });
});

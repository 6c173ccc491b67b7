import assert from 'node:assert/strict';
import { env } from 'node:process';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { movedByKey, nearestDay } from '../../../../src/wizard/page/cutOffMoves.ts';

// A zone whose clocks change.
env['TZ'] = 'Europe/Berlin';

const SPAN = { start: at(2020, 1, 1), end: at(2026, 11, 22, 14, 5) };

/** In the person's zone; months from 1. Unix time in ms. */
function at(year: number, month: number, day: number, hour = 0, minute = 0): number {
  return new Date(year, month - 1, day, hour, minute).getTime();
}

suite('A key moves the cut-off', () => {
  for (const [key, from, to] of [
    ['ArrowLeft', at(2026, 3, 30, 14, 5), at(2026, 3, 29, 14, 5)],
    ['ArrowDown', at(2026, 3, 29, 14, 5), at(2026, 3, 28, 14, 5)],
    ['ArrowRight', at(2026, 10, 24, 14, 5), at(2026, 10, 25, 14, 5)],
    ['ArrowUp', at(2026, 5, 1), at(2026, 5, 2)],
    ['PageDown', at(2026, 3, 31, 14, 5), at(2026, 2, 28, 14, 5)],
    ['PageUp', at(2026, 1, 31), at(2026, 2, 28)],
    ['Home', at(2026, 1, 31), SPAN.start],
    ['End', at(2026, 1, 31), SPAN.end],
    ['ArrowRight', SPAN.end, SPAN.end],
    ['PageDown', SPAN.start, SPAN.start],
    // Of a cut-off outside of the chart: never further than a person asked for, and never the other way.
    ['ArrowLeft', at(2019, 5, 2), at(2019, 5, 2)],
    ['ArrowRight', at(2019, 5, 2), at(2019, 5, 3)],
    ['Home', at(2019, 5, 2), SPAN.start],
    ['ArrowRight', at(2027, 5, 2), at(2027, 5, 2)],
    ['ArrowLeft', at(2027, 5, 2), at(2027, 5, 1)],
    ['End', at(2027, 5, 2), SPAN.end],
  ] as const) {
    test(`by ${key} from ${new Date(from).toString()}`, () => assert.equal(movedByKey(key, from, SPAN), to));
  }

  test('unless it is none of a slider', () => assert.equal(movedByKey('Tab', SPAN.end, SPAN), undefined));
});

test('Who points at the end in the afternoon means now, and not tomorrow', () =>
  assert.equal(nearestDay(SPAN.end, SPAN), SPAN.end));

test('What is pointed at is the start of the nearest day', () => {
  assert.equal(nearestDay(at(2026, 5, 23, 11, 59), SPAN), at(2026, 5, 23));
  assert.equal(nearestDay(at(2026, 5, 23, 12, 1), SPAN), at(2026, 5, 24));
  fc.assert(
    fc.property(fc.date({ min: new Date(SPAN.start), max: new Date(SPAN.end), noInvalidDate: true }), (date) => {
      const day = nearestDay(date.getTime(), SPAN);
      assert.ok(day === SPAN.end || new Date(day).getHours() === 0);
      assert.ok(day <= SPAN.end);
      assert.ok(Math.abs(day - date.getTime()) <= 12.5 * 3_600_000);
      assert.equal(nearestDay(day, SPAN), day);
    }),
  );
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { growthFrom, nextReached } from '../../../src/indices/growth.ts';
import type { SizeFigure } from '../../../src/indices/growth.ts';

const MB = 1_000_000;
const GB = 1_000 * MB;

/** One figure for each of these days. */
function seen(days: readonly number[], bytesOn: (day: number) => number): SizeFigure[] {
  return days.map((day) => ({ day: 20_000 + day, bytes: bytesOn(day) }));
}

function daily(count: number, bytesOn: (day: number) => number): SizeFigure[] {
  return seen(
    Array.from({ length: count }, (_, day) => day),
    bytesOn,
  );
}

function monthly(figures: readonly SizeFigure[]): number {
  return Math.round(growthFrom(figures)?.bytesPerMonth ?? Number.NaN);
}

suite('How fast an index grows', () => {
  test('is what it gains in thirty days', () => {
    assert.deepEqual(growthFrom(daily(11, (day) => GB + day * MB)), { bytesPerMonth: 30 * MB, days: 10 });
    assert.equal(monthly(seen([0, 3, 21], (day) => GB + day * MB)), 30 * MB);
    assert.equal(monthly(daily(11, () => GB)), 0);
    assert.equal(monthly(daily(11, (day) => GB - day * MB)), -30 * MB);
  });

  test("isn't known from a few days, or from two looks", () => {
    assert.equal(growthFrom([]), undefined);
    assert.equal(growthFrom(daily(7, (day) => GB + day * MB)), undefined);
    assert.equal(growthFrom(seen([0, 30], (day) => GB + day * MB)), undefined);
    assert.notEqual(growthFrom(daily(8, (day) => GB + day * MB)), undefined);
    // Between two truncations there was one look each.
    assert.equal(growthFrom(seen([0, 10, 20], (day) => GB - day * 40 * MB)), undefined);
  });

  test('is told by the last three months, not by what was before', () => {
    const figures = daily(200, (day) => (day < 100 ? GB + day * 9 * MB : 2 * GB + day * MB));
    assert.equal(monthly(figures), 30 * MB);
  });

  test('is the same with truncations in between, whenever they were and whatever they took', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.uniqueArray(fc.integer({ min: 1, max: 39 }), { maxLength: 4 }),
        fc.double({ min: 0.1, max: 0.9, noNaN: true }),
        (perDay, truncatedOn, share) => {
          let bytes = 4 * GB;
          const figures = daily(40, (day) => {
            bytes = truncatedOn.includes(day) ? bytes * (1 - share) : bytes + perDay * MB;
            return bytes;
          });
          const growth = growthFrom(figures);
          assert.ok(growth !== undefined && Math.abs(growth.bytesPerMonth / (30 * perDay * MB) - 1) < 0.001);
        },
      ),
    );
  });

  test('of an index that stays as large as it is, is about nothing, however its segments merge', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -0.02, max: 0.02, noNaN: true }), { minLength: 60, maxLength: 60 }),
        (noise) => {
          const growth = growthFrom(daily(60, (day) => GB * (1 + (noise[day] ?? 0))));
          // The most that a line through such points can rise in a month.
          assert.ok(growth !== undefined && Math.abs(growth.bytesPerMonth) <= GB * 0.04);
        },
      ),
    );
  });

  test('is a number, or unknown, whatever was seen', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(500)), fc.array(fc.nat({ max: Number.MAX_SAFE_INTEGER })), (days, sizes) => {
        const growth = growthFrom(
          seen(
            days.toSorted((a, b) => a - b),
            (day) => sizes[day % (sizes.length || 1)] ?? 0,
          ),
        );
        assert.ok(growth === undefined || Number.isFinite(growth.bytesPerMonth));
      }),
    );
  });
});

suite('The size that an index reaches next', () => {
  test('is the next round one, and when', () => {
    const growth = { bytesPerMonth: 500 * MB, days: 60 };
    assert.deepEqual(nextReached(8.1 * GB, growth), { bytes: 10 * GB, days: 114 });
    assert.deepEqual(nextReached(900 * MB, growth), { bytes: GB, days: 6 });
    assert.deepEqual(nextReached(GB, growth), { bytes: 2 * GB, days: 60 });
    assert.deepEqual(nextReached(2.5 * GB, { bytesPerMonth: GB, days: 60 }), { bytes: 5 * GB, days: 75 });
  });

  test("isn't told where the index doesn't grow, where it is far off, and where little is known", () => {
    assert.equal(nextReached(GB, { bytesPerMonth: 0, days: 60 }), undefined);
    assert.equal(nextReached(GB, { bytesPerMonth: -MB, days: 60 }), undefined);
    assert.equal(nextReached(0, { bytesPerMonth: MB, days: 60 }), undefined);
    assert.equal(nextReached(8.1 * GB, { bytesPerMonth: 500 * MB, days: 40 }), undefined);
    assert.equal(nextReached(GB, { bytesPerMonth: MB, days: 90 }), undefined);
  });

  test('is larger than it is now, and not reached today', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1, max: 1e18, noNaN: true }),
        fc.double({ min: 1, max: 1e18, noNaN: true }),
        (bytes, bytesPerMonth) => {
          const next = nextReached(bytes, { bytesPerMonth, days: 90 });
          assert.ok(next === undefined || (next.bytes > bytes && next.days >= 1 && next.days <= 180));
        },
      ),
    );
  });
});

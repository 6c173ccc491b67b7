import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import type { AgeSample, RowsByAgeState } from '../../../../../src/rowsByAge/ageHistogram.ts';
import {
  ageChartBarsOf,
  placeOfTime,
  ageChartSpanOf,
  deletedRowsText,
  sliderDays,
  sliderRange,
  splitBarAtPlace,
  timeAtPlace,
  type AgeChartTimeSpan,
} from '../../../../../src/pages/truncation/page/ageChartLayout.ts';
import { formatsOf } from '../../../../../src/ui/formats.ts';
import { NOTHING_COUNTED } from '../pageViews.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 4, 23, 12, 5);

/** Ascending cutoffs up to now with non-decreasing rows, and rows dated in the future. */
const CURVE = fc
  .record({
    ages: fc.uniqueArray(fc.integer({ min: 1, max: 5_000 }), { maxLength: 11 }),
    steps: fc.array(fc.nat(100_000), { minLength: 12, maxLength: 12 }),
    ahead: fc.nat(1_000),
  })
  .map(({ ages, steps, ahead }) => {
    let rows = 0;
    const samples: AgeSample[] = [...ages.toSorted((a, b) => b - a), 0].map((age, index) => ({
      endTimeMillis: NOW - age * DAY,
      rows: (rows += steps[index] ?? 0),
    }));
    return { samples, total: rows + ahead };
  });

const SPAN = fc
  .record({ start: fc.integer({ min: 0, max: NOW }), length: fc.integer({ min: DAY, max: 5_000 * DAY }) })
  .map(({ start, length }): AgeChartTimeSpan => ({ start, end: start + length, older: 0 }));

/** @param check Called for each histogram that can be drawn. */
function barRect(check: (curve: { samples: AgeSample[]; total: number }, span: AgeChartTimeSpan) => void): void {
  fc.assert(
    fc.property(CURVE, (curve) => {
      const span = ageChartSpanOf(curve);
      assert.equal(span === undefined, curve.samples.at(-1)?.rows === 0);
      if (span !== undefined) check(curve, span);
    }),
  );
}

suite('The bars of the chart', () => {
  test('have equal widths and fill the chart', () =>
    barRect((curve, span) => {
      const bars = ageChartBarsOf(curve, span);
      assert.deepEqual([bars[0]?.from, bars.at(-1)?.to], [0, 1]);
      bars.forEach((bar, index) => {
        assert.equal(bar.from, bars[index - 1]?.to ?? 0);
        assert.ok(Math.abs(bar.to - bar.from - 1 / bars.length) < 1e-9);
      });
      assert.ok(bars.length <= 60 && (bars.length === 1 || (span.end - span.start) / bars.length >= DAY));
    }));

  test('contain all rows up to now except those counted beside it, and are never negative', () =>
    barRect((curve, span) => {
      const bars = ageChartBarsOf(curve, span);
      assert.equal(
        bars.reduce((sum, { rows }) => sum + rows, span.older),
        curve.samples.at(-1)?.rows,
      );
      assert.ok(bars.every(({ rows }) => rows >= 0));
    }));

  test('have the same height for the same rows per day, whatever the interval', () => {
    const samples = [
      { endTimeMillis: NOW - 120 * DAY, rows: 0 },
      { endTimeMillis: NOW - 100 * DAY, rows: 2_000 },
      { endTimeMillis: NOW, rows: 12_000 },
    ];
    const curve = { samples, total: 12_000 };
    const span = ageChartSpanOf(curve);
    assert.ok(span !== undefined);
    assert.deepEqual(new Set(ageChartBarsOf(curve, span).map(({ rows }) => rows)), new Set([200]));
  });

  test('are split by the cutoff into parts that add up to the whole', () =>
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (place) => {
        for (const bar of [
          { from: 0, to: 0.5, rows: 3 },
          { from: 0.5, to: 1, rows: 7 },
        ]) {
          const { deleted, kept } = splitBarAtPlace(bar, place);
          assert.equal(deleted?.from ?? bar.from, bar.from);
          assert.equal(kept?.to ?? bar.to, bar.to);
          assert.equal(deleted?.to ?? bar.from, kept?.from ?? bar.to);
        }
      }),
    ));
});

suite('The span of the chart', () => {
  test('leaves out the oldest rows up to one half percent and counts them, and no more', () => {
    const curve = (oldest: number): Parameters<typeof ageChartSpanOf>[0] => ({
      samples: [
        { endTimeMillis: 1_000, rows: oldest },
        { endTimeMillis: NOW - 90 * DAY, rows: oldest },
        { endTimeMillis: NOW - 30 * DAY, rows: 400 },
        { endTimeMillis: NOW, rows: 1_000 },
      ],
      total: 1_000,
    });
    assert.deepEqual(ageChartSpanOf(curve(5)), { start: NOW - 90 * DAY, end: NOW, older: 5 });
    assert.equal(ageChartSpanOf(curve(6))?.older, 0);
  });

  test('starts before the oldest sample while the age of its rows is unknown', () => {
    const samples = [
      { endTimeMillis: NOW - 30 * DAY, rows: 400 },
      { endTimeMillis: NOW, rows: 1_000 },
    ];
    const span = ageChartSpanOf({ samples, total: 1_000 });
    assert.deepEqual(span, { start: NOW - 33 * DAY, end: NOW, older: 0 });
  });

  test('maps times to places and back', () =>
    fc.assert(
      fc.property(SPAN, fc.double({ min: 0, max: 1, noNaN: true }), (span, place) => {
        const millis = timeAtPlace(place, span);
        assert.ok(millis >= span.start && millis <= span.end);
        assert.equal(timeAtPlace(placeOfTime(millis, span), span), millis);
        assert.ok(Math.abs(placeOfTime(millis, span) - place) <= 1 / (span.end - span.start));
      }),
    ));
});

suite('The slider over the chart', () => {
  const ages = fc.integer({ min: 1, max: 4_000 });

  test('has each age where its cutoff is drawn, however old the counts are', () =>
    fc.assert(
      fc.property(SPAN, fc.integer({ min: 0, max: 60 * DAY }), ages, (span, since, age) => {
        const now = span.end + since;
        const { min, max } = sliderRange(span, now);
        const cutoff = now - age * DAY;
        fc.pre(cutoff >= span.start && cutoff <= span.end);
        const place = (-age - min) / (max - min);
        assert.ok(Math.abs(place - placeOfTime(cutoff, span)) < 1e-6);
      }),
    ));

  test('takes the age nearest to a click, and never one within the last day', () =>
    fc.assert(
      fc.property(SPAN, fc.integer({ min: 0, max: 60 * DAY }), fc.nat(4_000), (span, since, steps) => {
        const now = span.end + since;
        const { min, max } = sliderRange(span, now);
        // Browsers allow whole steps from the start.
        const value = Math.min(max, min + steps);
        const days = sliderDays(value);
        assert.ok(Number.isInteger(days) && days >= 1);
        assert.ok(days === 1 || Math.abs(days + value) <= 0.5 + 1e-9);
      }),
    ));
});

const formats = formatsOf('en', 'UTC');
const AUGUST_23 = Date.UTC(2026, 7, 23);
const VIEW: RowsByAgeState = {
  ...NOTHING_COUNTED,
  phase: 'complete',
  samples: [
    { endTimeMillis: AUGUST_23 - DAY, rows: 134_000 },
    { endTimeMillis: AUGUST_23 + DAY, rows: 135_000 },
  ],
  total: 236_000,
  at: AUGUST_23 + DAY,
};

for (const [what, cutoff, bytes, text] of [
  ['an estimate', AUGUST_23, undefined, 'about 134,500 of 236,000 rows (about 57%)'],
  ['not "about 0"', 0, undefined, '0 of 236,000 rows (0%)'],
  ['of about a size', AUGUST_23 - DAY, 2e9, 'about 134,000 of 236,000 rows (about 1.1 GB)'],
] as const) {
  test(`The rows that a cutoff would delete are ${what}`, () =>
    assert.equal(deletedRowsText(VIEW, cutoff, bytes, formats), text));
}

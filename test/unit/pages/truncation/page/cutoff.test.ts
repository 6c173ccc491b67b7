import assert from 'node:assert/strict';
import { before, suite, test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import {
  cutoffForLimit,
  offeredKinds,
  readCutoff,
  readLimit,
  withKind,
  type Limit,
} from '../../../../../src/pages/truncation/page/cutoff.ts';
import { ageHistogramOf, countRowsUpTo } from '../../../../../src/rowsByAge/ageHistogram.ts';
import {
  CUTOFF_KINDS,
  cutoffDaysBefore,
  cutoffInDays,
  daysBetween,
  MOST_DAYS,
  type CutoffInput,
} from '../../../../../src/truncation/cutoff.ts';
import { INDICES, anyRows, countedIn, wholeCurve } from '../../../rowsByAge/ages.ts';
import { DAY, NOW } from '../../../truncation/samples.ts';
import { NOTHING_COUNTED } from '../pageViews.ts';

const NOON = Date.UTC(2026, 4, 23, 12, 0);
const TYPED: CutoffInput = { ...cutoffInDays(90), date: '2026-05-23', time: '12:00', gigabytes: '0.5', rows: '1,000' };
/** A row a second for 100 days, in 1 GB. */
const COUNTED = {
  ...NOTHING_COUNTED,
  state: 'complete',
  samples: [100, 50, 0].map((days) => ({ endTimeMillis: NOW - days * DAY, rows: (100 - days) * 86_400 })),
  total: 8_640_000,
  at: NOW,
} as const;
const INDEX = { rowsByAge: COUNTED, indexBytes: 1e9 };
const UNCOUNTED = { rowsByAge: NOTHING_COUNTED, indexBytes: 1e9 };

before(() => {
  process.env['TZ'] = 'UTC';
});

/** Sets the zone of this process for a test. Each test file that names TZ has its own process. */
function useZone(context: TestContext, zone: string): void {
  process.env['TZ'] = zone;
  assert.equal(Intl.DateTimeFormat().resolvedOptions().timeZone, zone);
  context.after(() => (process.env['TZ'] = 'UTC'));
}

suite('A cutoff is read', () => {
  for (const [change, reading] of [
    [{}, { endTimeMillis: NOW - 90 * DAY }],
    [{ days: ' 36,500 ' }, { endTimeMillis: NOW - 36_500 * DAY }],
    [{ days: '1' }, { endTimeMillis: NOW - DAY }],
    [{ kind: 'dateTime' }, { endTimeMillis: NOON }],
    [{ kind: 'dateTime', time: '' }, { endTimeMillis: undefined }],
    [{ kind: 'keepBytes' }, { endTimeMillis: NOW - 50 * DAY }],
    [
      { kind: 'keepBytes', gigabytes: '1' },
      { endTimeMillis: undefined, problem: "The rows don't exceed your limit." },
    ],
    [{ kind: 'deleteRows', rows: '864,000' }, { endTimeMillis: NOW - 90 * DAY }],
    [
      { kind: 'deleteRows', rows: '0' },
      { endTimeMillis: undefined, problem: 'Enter a whole number from 1 to 1,000,000,000,000.' },
    ],
  ] as const) {
    test(`from ${JSON.stringify(change)}`, () =>
      assert.deepEqual(readCutoff({ ...TYPED, ...change }, INDEX, NOW), reading));
  }

  for (const days of ['0', '1.5', '-3', '36501', 'many']) {
    test(`not from "${days}" days`, () => {
      const problem = 'Enter a whole number from 1 to 36,500.';
      assert.deepEqual(readCutoff({ ...TYPED, days }, INDEX, NOW), { endTimeMillis: undefined, problem });
    });
  }

  for (const [what, date, time, endTimeMillis] of [
    ["in the user's zone", '2026-05-23', '14:05', Date.UTC(2026, 4, 23, 12, 5)],
    ['that clocks skip, as a later one', '2026-03-29', '02:30', Date.UTC(2026, 2, 29, 1, 30)],
    ['that occurs twice, as the first, so that less is deleted', '2026-10-25', '02:30', Date.UTC(2026, 9, 25, 0, 30)],
    ['never without a date', '', '12:00', undefined],
    ['never from a year that is still being typed', '0020-05-23', '12:00', undefined],
    ['never from a year beyond what a Date can hold', '999999-01-01', '00:00', undefined],
  ] as const)
    test(`from a time ${what}`, (context) => {
      useZone(context, 'Europe/Berlin');
      assert.deepEqual(readCutoff({ ...TYPED, kind: 'dateTime', date, time }, INDEX, NOW), { endTimeMillis });
    });

  for (const [kind, index, now] of [
    ['keepBytes', UNCOUNTED, NOW],
    ['deleteRows', UNCOUNTED, NOW],
    ['keepBytes', INDEX, NOW + DAY],
  ] as const) {
    test(`from ${kind} only once the rows by age say it: ${JSON.stringify([index, now])}`, () =>
      assert.deepEqual(readCutoff({ ...TYPED, kind }, index, now), {
        endTimeMillis: undefined,
        problem: 'Count the rows by age first.',
      }));
  }
});

test('A size to keep needs an exact size of the index, which counting finds out nothing about', () => {
  const { problem } = readCutoff({ ...TYPED, kind: 'keepBytes' }, { ...INDEX, indexBytes: undefined }, NOW);
  assert.match(problem ?? '', /^The exact size of the index isn't known\. Enter an age or a date\.$/);
});

test('Limits are offered once the rows are counted, one of bytes for a day and with an exact size', () => {
  const dates = ['days', 'dateTime'];
  assert.deepEqual(offeredKinds(INDEX, NOW + DAY - 1), CUTOFF_KINDS);
  assert.deepEqual(offeredKinds(INDEX, NOW + DAY), [...dates, 'deleteRows']);
  assert.deepEqual(offeredKinds({ ...INDEX, indexBytes: undefined }, NOW), [...dates, 'deleteRows']);
  for (const rowsByAge of [undefined, { ...COUNTED, samples: COUNTED.samples.slice(1) }, { ...COUNTED, total: 0 }]) {
    assert.deepEqual(offeredKinds({ ...INDEX, rowsByAge }, NOW), dates);
  }
});

suite('Another way to say a cutoff', () => {
  test('is what was typed there before, and a date starts at the present cutoff', () => {
    const reading = readCutoff(TYPED, INDEX, NOW);
    for (const kind of CUTOFF_KINDS) {
      const dated = kind === 'dateTime' ? { date: '2026-08-23', time: '12:00' } : {};
      assert.deepEqual(withKind(kind, TYPED, reading), { ...TYPED, kind, ...dated });
    }
  });

  test('never means something that was not entered', () => {
    const empty = cutoffInDays('');
    for (const kind of CUTOFF_KINDS) {
      assert.equal(
        readCutoff(withKind(kind, empty, readCutoff(empty, INDEX, NOW)), INDEX, NOW).endTimeMillis,
        undefined,
      );
    }
  });
});

const BYTES = 1e9;

suite('A limit', () => {
  for (const [kind, text, limit] of [
    ['deleteRows', '1000000', { kind: 'deleteRows', rows: 1_000_000 }],
    ['deleteRows', '1,000,000', { kind: 'deleteRows', rows: 1_000_000 }],
    ['deleteRows', '1.000.000', { kind: 'deleteRows', rows: 1_000_000 }],
    ['deleteRows', '1\u202f000', { kind: 'deleteRows', rows: 1_000 }],
    ['keepBytes', '5', { kind: 'keepBytes', bytes: 5e9 }],
    ['keepBytes', '0.25', { kind: 'keepBytes', bytes: 250e6 }],
    ['keepBytes', '0,25', { kind: 'keepBytes', bytes: 250e6 }],
    ['keepBytes', '0.01', { kind: 'keepBytes', bytes: 10e6 }],
    ['keepBytes', '2.12', { kind: 'keepBytes', bytes: 2.12e9 }],
    ['keepBytes', '1500', { kind: 'keepBytes', bytes: 1.5e12 }],
  ] as const) {
    test(`is read from "${text}"`, () => assert.deepEqual(readLimit(kind, text), { limit }));
  }

  for (const [kind, problem, texts] of [
    [
      'deleteRows',
      'Enter a whole number from 1 to 1,000,000,000,000.',
      ['', '0', '1000000000001', 'many', '1,00', '1,000.000', '2.5'],
    ],
    [
      'keepBytes',
      'Enter a number from 0.01 to 1,000,000, with two decimals at most.',
      ['', '0', '0.00', '0,250', '2.125', '1,500', '1.500', '5 GB', '1000001'],
    ],
  ] as const) {
    for (const text of texts) {
      test(`of ${kind} isn't read from "${text}"`, () => assert.deepEqual(readLimit(kind, text), { problem }));
    }
  }
});

suite('The cutoff for a limit', () => {
  const anyLimit: fc.Arbitrary<Limit> = fc.oneof(
    fc.integer({ min: 1, max: 2_000 }).map((rows) => ({ kind: 'deleteRows', rows }) as const),
    fc.integer({ min: 1, max: BYTES * 1.1 }).map((bytes) => ({ kind: 'keepBytes', bytes }) as const),
  );

  test('meets it and a day more would not, or it says why there is none', () => {
    fc.assert(
      fc.property(anyRows, anyLimit, (rows, limit) => {
        const histogram = ageHistogramOf(wholeCurve(countedIn(rows)));
        const { total } = histogram;
        const older = (days: number): number => countRowsUpTo(histogram, cutoffDaysBefore(days, NOW)).rows;
        const meets = (days: number): boolean =>
          !exceedsLimit(limit, { toDelete: older(days), total }, BYTES) && older(days) > 0;
        const found = cutoffForLimit(limit, histogram, BYTES, NOW);
        if ('endTimeMillis' in found) {
          const days = daysBetween(found.endTimeMillis, NOW);
          assert.equal(found.endTimeMillis, cutoffDaysBefore(days, NOW));
          assert.ok(meets(days) && !meets(limit.kind === 'keepBytes' ? days + 1 : days - 1), `${days} days`);
          return;
        }
        const reasons: Readonly<Record<string, () => boolean>> = {
          "The rows don't exceed your limit.": () =>
            limit.kind === 'keepBytes' ? limit.bytes >= BYTES : older(1) <= limit.rows,
          'No cutoff in whole days meets your limit.': () =>
            limit.kind === 'keepBytes'
              ? !meets(1)
              : !Array.from({ length: MOST_DAYS }, (_, day) => day + 1).some(meets),
        };
        const reason = Object.keys(reasons).find((one) => found.problem.startsWith(one));
        assert.ok(reason !== undefined && reasons[reason]?.(), found.problem);
      }),
      { examples: [[INDICES['all at one instant'], { kind: 'deleteRows', rows: 999 }]] },
    );
  });
});

/** @param bytes Size of the whole index. */
function exceedsLimit(limit: Limit, { toDelete, total }: { toDelete: number; total: number }, bytes: number): boolean {
  return limit.kind === 'deleteRows' ? toDelete > limit.rows : (total - toDelete) * bytes > limit.bytes * total;
}

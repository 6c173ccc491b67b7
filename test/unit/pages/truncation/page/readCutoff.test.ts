import assert from 'node:assert/strict';
import { before, suite, test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import {
  offeredKinds,
  readCutoff,
  withKind,
  type CutoffReading,
} from '../../../../../src/pages/truncation/page/readCutoff.ts';
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
  phase: 'complete',
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
    ['never from a year of five digits', '12026-01-01', '00:00', undefined],
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

  test("is a date in the user's zone", (context) => {
    useZone(context, 'America/New_York');
    const { date, time } = withKind('dateTime', TYPED, { endTimeMillis: Date.UTC(2026, 4, 24, 1, 5) });
    assert.deepEqual([date, time], ['2026-05-23', '21:05']);
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

suite('A limit', () => {
  for (const [kind, text, plain] of [
    ['rows', '1,000,000', '1000000'],
    ['rows', '1.000.000', '1000000'],
    ['rows', '864\u202f000', '864000'],
    ['gigabytes', '0,25', '0.25'],
    ['gigabytes', ' 0.5 ', '0.50'],
  ] as const) {
    test(`of ${kind} is read from "${text}"`, () => {
      const { endTimeMillis } = limited(kind, text);
      assert.ok(endTimeMillis !== undefined);
      assert.equal(endTimeMillis, limited(kind, plain).endTimeMillis);
    });
  }

  for (const [kind, text] of [
    ['rows', '1000000000000'],
    ['gigabytes', '1500'],
  ] as const) {
    test(`of ${kind} may be ${text}`, () =>
      assert.equal(limited(kind, text).problem, "The rows don't exceed your limit."));
  }

  for (const [kind, problem, texts] of [
    [
      'rows',
      'Enter a whole number from 1 to 1,000,000,000,000.',
      ['', '0', '1000000000001', 'many', '1,00', '1,000.000', '2.5'],
    ],
    [
      'gigabytes',
      'Enter a number from 0.01 to 1,000,000, with two decimals at most.',
      ['', '0', '0.00', '0,250', '2.125', '1,500', '1.500', '5 GB', '1000001'],
    ],
  ] as const) {
    for (const text of texts) {
      test(`of ${kind} isn't read from "${text}"`, () =>
        assert.deepEqual(limited(kind, text), { endTimeMillis: undefined, problem }));
    }
  }

  const anyLimit = fc.oneof(
    fc.integer({ min: 1, max: 2_000 }).map((rows) => ({ kind: 'rows', text: String(rows), most: rows }) as const),
    fc
      .integer({ min: 1, max: 110 })
      .map((share) => ({ kind: 'gigabytes', text: (share / 100).toFixed(2), most: share / 100 }) as const),
  );

  test('is met by its cutoff and a day more would not, or it says why there is none', () => {
    fc.assert(
      fc.property(anyRows, anyLimit, (rows, { kind, text, most }) => {
        const histogram = ageHistogramOf(wholeCurve(countedIn(rows)));
        const index = { ...INDEX, rowsByAge: { ...COUNTED, ...histogram } };
        fc.pre(offeredKinds(index, NOW).includes('deleteRows'));
        const { total } = histogram;
        const older = (days: number): number => countRowsUpTo(histogram, cutoffDaysBefore(days, NOW));
        // The index has 1 GB.
        const exceeds = (toDelete: number): boolean =>
          kind === 'rows' ? toDelete > most : total - toDelete > Number((most * total).toFixed(6));
        const meets = (days: number): boolean => !exceeds(older(days)) && older(days) > 0;
        const found = limited(kind, text, index);
        if (found.endTimeMillis !== undefined) {
          const days = daysBetween(found.endTimeMillis, NOW);
          assert.equal(found.endTimeMillis, cutoffDaysBefore(days, NOW));
          assert.ok(meets(days) && !meets(kind === 'gigabytes' ? days + 1 : days - 1), `${days} days`);
          return;
        }
        const reasons: Readonly<Record<string, () => boolean>> = {
          "The rows don't exceed your limit.": () => (kind === 'gigabytes' ? most >= 1 : older(1) <= most),
          'No cutoff in whole days meets your limit.': () =>
            kind === 'gigabytes' ? !meets(1) : !Array.from({ length: MOST_DAYS }, (_, day) => day + 1).some(meets),
        };
        const reason = Object.keys(reasons).find((one) => found.problem === one);
        assert.ok(reason !== undefined && reasons[reason]?.(), found.problem);
      }),
      { examples: [[INDICES['all at one instant'], { kind: 'rows', text: '999', most: 999 }]] },
    );
  });
});

function limited(
  kind: 'rows' | 'gigabytes',
  text: string,
  index: Parameters<typeof readCutoff>[1] = INDEX,
): CutoffReading {
  const input = { ...TYPED, kind: kind === 'rows' ? 'deleteRows' : 'keepBytes', [kind]: text } as const;
  return readCutoff(input, index, NOW);
}

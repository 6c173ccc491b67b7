import assert from 'node:assert/strict';
import { before, suite, test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import { inputFor, offeredKinds, readCutoff, withKind } from '../../../../../src/pages/truncation/page/cutoff.ts';
import { CUTOFF_KINDS, cutoffInDays, type CutoffInput } from '../../../../../src/truncation/cutoff.ts';
import { DAY, NOW } from '../../../truncation/samples.ts';
import { NOTHING_COUNTED } from '../views.ts';

const HOUR = 3_600_000;
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
    [{ days: '36501' }, { endTimeMillis: undefined, problem: 'Enter a whole number from 1 to 36,500.' }],
    [{ kind: 'dateTime' }, { endTimeMillis: NOON }],
    [{ kind: 'dateTime', time: '' }, { endTimeMillis: undefined }],
    [{ kind: 'keepBytes' }, { endTimeMillis: NOW - 50 * DAY }],
    [
      { kind: 'keepBytes', gigabytes: '1' },
      { endTimeMillis: undefined, problem: "The index isn't larger than your limit." },
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

  for (const [what, date, time, endTimeMillis] of [
    ["in the user's zone", '2026-05-23', '14:05', Date.UTC(2026, 4, 23, 12, 5)],
    ['to the millisecond', '2026-12-24', '14:05:07.5', Date.UTC(2026, 11, 24, 13, 5, 7, 500)],
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
  const changed = (input: CutoffInput, ...kinds: readonly CutoffInput['kind'][]): CutoffInput =>
    kinds.reduce((one, kind) => withKind(kind, one, readCutoff(one, INDEX, NOW), INDEX, NOW), input);

  test('starts at the present cutoff, and goes back to what was typed', () => {
    const dated = changed(cutoffInDays(90), 'dateTime');
    assert.deepEqual([dated.date, dated.time], ['2026-08-23', '12:00']);
    assert.deepEqual(changed({ ...TYPED, kind: 'keepBytes' }, 'days', 'keepBytes').gigabytes, '0.5');
    assert.deepEqual(changed(dated, 'days').days, '90');
  });

  test('as a limit is what the rows by age tell of the present one', () => {
    assert.deepEqual(changed(cutoffInDays(90), 'keepBytes', 'deleteRows', 'days'), {
      ...cutoffInDays(90),
      gigabytes: '0.9',
      rows: '864000',
    });
    assert.equal(withKind('deleteRows', TYPED, { endTimeMillis: NOW - 50 * DAY }, INDEX, NOW).rows, '4320000');
    for (const index of [UNCOUNTED, { ...INDEX, indexBytes: undefined }]) {
      assert.equal(withKind('keepBytes', TYPED, { endTimeMillis: NOW - 50 * DAY }, index, NOW).gigabytes, '0.5');
    }
    // More than a limit can say.
    assert.equal(changed(cutoffInDays(200), 'deleteRows').rows, '');
  });

  test('as a limit never deletes newer rows', () => {
    // As many as at 60 days, which the limit would mean.
    const samples = [100, 90, 60, 0].map((days) => ({
      endTimeMillis: NOW - days * DAY,
      rows: days === 0 ? 8_640_000 : (100 - Math.max(days, 90)) * 86_400,
    }));
    const unchanged = { ...INDEX, rowsByAge: { ...COUNTED, samples } };
    const days90 = cutoffInDays(90);
    const reading = readCutoff(days90, unchanged, NOW);
    assert.deepEqual(withKind('deleteRows', days90, reading, unchanged, NOW), { ...days90, kind: 'deleteRows' });
    // A part of a day.
    const dated = { ...TYPED, kind: 'dateTime', days: '', date: '2026-08-23', time: '08:30' } as const;
    for (const kind of ['keepBytes', 'deleteRows'] as const) {
      const { endTimeMillis } = readCutoff(changed(dated, kind), INDEX, NOW);
      assert.equal(endTimeMillis, NOW - 91 * DAY, kind);
    }
  });

  test('in days never deletes newer rows than a date', () => {
    for (const [date, time, days] of [
      ['2026-10-25', '08:30', '28'],
      ['2026-10-25', '11:59', '28'],
      ['2026-10-25', '12:00', '27'],
      ['2026-11-21', '08:30', '1'],
    ] as const) {
      for (const typed of ['', '1', '90']) {
        assert.equal(changed({ ...TYPED, kind: 'dateTime', days: typed, date, time }, 'days').days, days);
      }
    }
  });

  test('in days goes back to an age that was typed some minutes ago', () => {
    const dated = changed(cutoffInDays(90), 'dateTime');
    const days = (later: number): string =>
      withKind('days', dated, readCutoff(dated, INDEX, NOW), INDEX, NOW + later).days;
    assert.deepEqual([days(HOUR / 2), days(HOUR)], ['90', '91']);
  });

  test('never means something that was not entered', () => {
    for (const kind of CUTOFF_KINDS) {
      assert.equal(readCutoff(changed(cutoffInDays(''), kind), INDEX, NOW).endTimeMillis, undefined);
    }
  });
});

test('The cutoff of a plan that was made elsewhere is a date, to the millisecond', (context) => {
  useZone(context, 'Europe/Berlin');
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(1980, 0, 1), max: Date.UTC(2100, 0, 1) }), (millis) => {
      const { endTimeMillis } = readCutoff(inputFor(millis), INDEX, NOW);
      // The second of two equal hours is the first one.
      assert.ok(endTimeMillis === millis || endTimeMillis === millis - HOUR);
    }),
  );
  assert.deepEqual(inputFor(undefined), cutoffInDays(''));
});

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { inputFor, offeredKinds, readCutoff, withKind } from '../../../../../src/pages/truncation/page/cutoff.ts';
import { CUTOFF_KINDS, cutoffInDays, type CutoffInput } from '../../../../../src/truncation/cutoff.ts';
import { DAY, NOW } from '../../../truncation/samples.ts';
import { NOTHING_COUNTED } from '../views.ts';

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

  test('from a time that clocks skip, as a later one', (context) => {
    process.env['TZ'] = 'Europe/Berlin';
    context.after(() => (process.env['TZ'] = 'UTC'));
    const skipped = { ...TYPED, kind: 'dateTime', date: '2026-03-29', time: '02:30' } as const;
    assert.deepEqual(readCutoff(skipped, INDEX, NOW), {
      endTimeMillis: Date.UTC(2026, 2, 29, 1, 30),
    });
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
    kinds.reduce((one, kind) => withKind(kind, one, readCutoff(one, INDEX, NOW), NOW), input);

  test('starts at the present cutoff, and goes back to what was typed', () => {
    const dated = changed(cutoffInDays(90), 'dateTime');
    assert.deepEqual([dated.date, dated.time], ['2026-08-23', '12:00']);
    assert.deepEqual(changed(TYPED, 'keepBytes', 'deleteRows', 'days'), TYPED);
    assert.deepEqual(changed(dated, 'days').days, '90');
  });

  test('in days never deletes newer rows than a date', () => {
    for (const [date, days] of [
      ['2026-10-25', '28'],
      ['2026-11-21', '1'],
    ] as const) {
      for (const typed of ['', '1', '90']) {
        assert.equal(changed({ ...TYPED, kind: 'dateTime', days: typed, date, time: '08:30' }, 'days').days, days);
      }
    }
  });

  test('never means something that was not entered', () => {
    for (const kind of CUTOFF_KINDS) {
      assert.equal(readCutoff(changed(cutoffInDays(''), kind), INDEX, NOW).endTimeMillis, undefined);
    }
  });
});

test('The cutoff of a plan that was made elsewhere is a date, to the millisecond', () => {
  for (const millis of [NOON, NOON + 1, NOON + 59_000]) {
    assert.equal(readCutoff(inputFor(millis), INDEX, NOW).endTimeMillis, millis);
  }
  assert.deepEqual(inputFor(undefined), cutoffInDays(''));
});

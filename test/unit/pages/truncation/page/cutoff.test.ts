import assert from 'node:assert/strict';
import { before, suite, test, type TestContext } from 'node:test';
import { offeredKinds, readCutoff, withKind } from '../../../../../src/pages/truncation/page/cutoff.ts';
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

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import {
  judgeCompletion,
  type CompletionJudgement,
  type ReaderCount,
  STILL_MILLIS,
} from '../../../src/truncation/judgeCompletion.ts';
import { MINUTE } from './samples.ts';

type JudgedTruncation = Parameters<typeof judgeCompletion>[0];

/** How often in a row, and over what time, searches find the right rows before they are believed. */
const CLEAN_COUNTS = 5;
const CLEAN_MILLIS = 10_000;
/** How long rows are missing before they count as lost. */
const MISSING_MILLIS = 2 * MINUTE;

const KEPT = 100;
const WHOLE = KEPT;

/** Counts of `[toDelete, kept]` at the given interval in ms. */
function counts(seen: readonly (readonly [number, number])[], every: number): ReaderCount[] {
  return seen.map(([toDelete, kept], place) => ({ at: place * every, toDelete, kept }));
}

function times<T>(length: number, value: T): T[] {
  return Array.from({ length }, () => value);
}

function judged(seen: readonly ReaderCount[], change: Partial<JudgedTruncation> = {}): CompletionJudgement {
  return judgeCompletion({
    strategy: 'deleteByQuery',
    kept: KEPT,
    task: 'whole',
    writesRefused: false,
    counts: seen,
    ...change,
  });
}

suite('Truncation is finished', () => {
  const clean = times(CLEAN_COUNTS, [0, WHOLE] as const);

  for (const task of ['whole', 'short', 'neverBegan', 'gone', 'unreported'] as const) {
    test(`after five right counts over ten seconds, whatever the end of the task (${task})`, () => {
      assert.deepEqual(judged(counts(clean, CLEAN_MILLIS / 4), { task }), { kind: 'clean' });
    });
  }

  test('only after five counts, and only after ten seconds', () => {
    assert.equal(judged(counts(clean.slice(1), CLEAN_MILLIS)).kind, 'open');
    assert.equal(judged(counts(clean, CLEAN_MILLIS / 4 - 1)).kind, 'open');
  });

  test('only after the task has ended', () => {
    assert.equal(judged(counts(clean, CLEAN_MILLIS), { task: undefined }).kind, 'open');
  });

  test('even if rows came back after a copy, or more rows stay than before', () => {
    const seen = counts([[0, 0], [0, 60], ...times(CLEAN_COUNTS, [0, WHOLE + 7] as const)], CLEAN_MILLIS / 4);
    assert.deepEqual(judged(seen, { strategy: 'reindex' }), { kind: 'clean' });
  });

  test('only if all of the last five counts are right', () => {
    for (const wrong of [
      [1, WHOLE],
      [0, WHOLE - 1],
    ] as const) {
      for (let place = 0; place < CLEAN_COUNTS; place++) {
        const seen = clean.with(place, wrong as never);
        assert.equal(judged(counts(seen, CLEAN_MILLIS)).kind, 'open', String([wrong, place]));
      }
    }
  });
});

suite('Rows to delete', () => {
  const rows = (...found: readonly number[]): (readonly [number, number])[] => found.map((row) => [row, WHOLE]);
  const still = counts(rows(...times(11, 5)), MINUTE);
  const refused = { task: 'gone', writesRefused: true } as const;
  /** Another deletion was deleting them. */
  const elsewhere = { task: 'neverBegan', hasDeletedNone: true } as const;

  for (const [what, verdict, seen, change = {}] of [
    ['may still be found for some time', { kind: 'open' }, still.slice(0, 10)],
    ['may become fewer', { kind: 'open' }, counts(rows(20, 5), MINUTE)],
    ['restart the ten minutes if they become fewer', { kind: 'open' }, counts(rows(...times(11, 5), 4), MINUTE)],
    ['are left after ten minutes without change if the task deleted all', { kind: 'rowsLeft', rows: 5 }, still],
    ['are left by a task that stopped short', { kind: 'stopped', rows: 5 }, still, { task: 'short' }],
    ['are left by a task that is gone', { kind: 'stopped', rows: 5 }, still, { task: 'gone' }],
    ['are left by a task that is not reported', { kind: 'stopped', rows: 5 }, still, { task: 'unreported' }],
    [
      'are not being deleted if others were written',
      { kind: 'rowsLeft', rows: 9 },
      counts(rows(5, 6, 5, 7, 5, 6, 7, 8, 9, 9, 9), MINUTE),
    ],
    ['are told at once if the task never began', { kind: 'neverBegan' }, counts(rows(20), 0), { task: 'neverBegan' }],
    ['are told at once if the cluster refuses writes', { kind: 'writesRefused' }, counts(rows(20), 0), refused],
    // Until the next refresh.
    ['may be deleted elsewhere for half a minute', { kind: 'open' }, counts(rows(...times(5, 20)), 7_000), elsewhere],
    ['may be deleted elsewhere in few counts', { kind: 'open' }, counts(rows(...times(4, 20)), MINUTE / 4), elsewhere],
    ['are not deleted elsewhere', { kind: 'neverBegan' }, counts(rows(...times(5, 20)), MINUTE / 4), elsewhere],
  ] as readonly (readonly [string, CompletionJudgement, readonly ReaderCount[], Partial<JudgedTruncation>?])[]) {
    test(what, () => assert.deepEqual(judged(seen, change), verdict));
  }
});

suite('Rows to keep that are not found', () => {
  const every = MISSING_MILLIS / 4;
  const missing = counts(times(CLEAN_COUNTS, [0, 0] as const), every);

  for (const [strategy, task, cause] of [
    ['reindex', 'whole', 'notRefreshed'],
    ['reindex', 'short', 'notRefreshedOrCopied'],
    ['reindex', 'neverBegan', 'notRefreshedOrCopied'],
    ['reindex', 'gone', 'notRefreshedOrCopied'],
    ['reindex', 'unreported', 'notRefreshedOrCopied'],
    ['unknown', 'whole', 'notRefreshedOrCopied'],
    ['deleteByQuery', 'whole', 'notAvailable'],
    ['deleteByQuery', 'gone', 'notAvailable'],
  ] as const) {
    test(`are missing after two minutes: ${strategy}, ${task}: ${cause}`, () => {
      assert.deepEqual(judged(missing, { strategy, task }), { kind: 'missing', cause });
    });
  }

  for (const [task, cause] of [
    ['whole', 'notAvailable'],
    ['short', 'notCopied'],
    ['gone', 'notCopied'],
    ['unreported', 'notCopied'],
  ] as const) {
    for (const strategy of ['reindex', 'unknown'] as const) {
      test(`are not for want of a refresh where the release makes one: ${strategy}, ${task}: ${cause}`, () => {
        const verdict = judged(missing, { strategy, task, release: 'v0.14.0' });
        assert.deepEqual(verdict, { kind: 'missing', cause });
      });
    }
  }

  suite('after a reindex by a release that never refreshes its new index', () => {
    const change = { strategy: 'reindex', release: 'v1.6.0.16rc6' } as const;
    const hidden = counts(times(CLEAN_COUNTS, [0, 0] as const), CLEAN_MILLIS / 4);

    test('are hidden after five equal counts over ten seconds', () => {
      const verdict = { kind: 'missing', cause: 'notRefreshed' };
      assert.deepEqual(judged(hidden, change), verdict);
      assert.equal(judged(hidden.slice(1), change).kind, 'open');
      assert.equal(judged(counts(times(CLEAN_COUNTS, [0, 0] as const), CLEAN_MILLIS / 4 - 1), change).kind, 'open');
    });

    for (const [releases, kind] of [
      [['v1.2.0', '1.2.0.2', '1.6.0', 'v1.7.1-SNAPSHOT', 'v1.10.0', 'v2.0.0'], 'missing'],
      [['v0.14.0', '0.15.0.1', 'v1.0.0', 'v1.1.0.6', '1.1.20', '2024.01.3', '5a7c2b90', undefined], 'open'],
    ] as const) {
      for (const release of releases) {
        test(`are ${kind} by ${String(release)}`, () =>
          assert.equal(judged(hidden, { ...change, release }).kind, kind));
      }
    }

    test('are not hidden yet while counts differ', () => {
      const rising = hidden.map((count, place) => ({ ...count, kept: place }));
      assert.equal(judged(rising, change).kind, 'open');
    });

    test('are not hidden yet if anything else may be why', () => {
      assert.equal(judged(hidden, { ...change, strategy: 'deleteByQuery' }).kind, 'open');
      assert.equal(judged(hidden, { ...change, strategy: 'unknown' }).kind, 'open');
      for (const task of ['short', 'neverBegan', 'gone', 'unreported'] as const) {
        assert.equal(judged(hidden, { ...change, task }).kind, 'open', task);
      }
    });
  });

  /** Counts that depend on their place. */
  const seen = (
    length: number,
    pause: number,
    rows: (place: number) => readonly [toDelete: number, kept: number],
  ): ReaderCount[] =>
    counts(
      times(length, 0).map((_, place) => rows(place)),
      pause,
    );
  const rising = (length: number, step: number, from = 0): ReaderCount[] =>
    seen(length, MINUTE, (place) => [0, from + place * step]);
  const back = seen(5, every, (place) => [0, place * 10]);
  const hereAndThere = (length: number): ReaderCount[] => seen(length, 5_000, (place) => [0, place % 2 ? 0 : WHOLE]);
  const gone = times(10, [0, 0] as const);
  const backAgain = (length: number): ReaderCount[] => counts([...gone, ...times(length, [1, WHOLE] as const)], MINUTE);
  const asleep = [40_000, 41_000, 41_000].map((kept, place) => ({
    at: 60 * MINUTE + place * every,
    toDelete: 0,
    kept,
  }));
  const many = { task: 'gone', kept: 100_000 } as const;

  for (const [what, kind, found, change] of [
    ['are not missing before two minutes', 'open', missing.slice(0, -1), {}],
    ['are not missing while they come back', 'open', back, { task: 'unreported' }],
    [
      'are missing after they stop coming back',
      'missing',
      [...back, ...[1, 2, 3, 4].map((step) => ({ at: (4 + step) * every, toDelete: 0, kept: 40 }))],
      { task: 'unreported' },
    ],
    ['show that copies disagree if only some copies have them', 'copiesDisagree', hereAndThere(60), {}],
    ['may be found by all copies for some minutes', 'open', hereAndThere(40), {}],
    [
      'show that copies disagree even with a count every half minute',
      'copiesDisagree',
      seen(20, MINUTE / 2, (place) => [place % 2 ? 0 : 20, WHOLE]),
      { strategy: 'deleteByQuery' },
    ],
    [
      'do not show that copies disagree if rows with earlier dates only increase',
      'rowsLeft',
      seen(40, MINUTE / 2, (place) => [place * 2, WHOLE]),
      { strategy: 'deleteByQuery' },
    ],
    // Any other strategy than a delete by query may have hidden rows before.
    ['are not proven by one whole count', 'open', counts(times(2, [1, WHOLE] as const), 11 * MINUTE), {}],
    ['are not back after four counts', 'open', backAgain(4), { task: 'short' }],
    ['are back after five counts, even if rows to delete are found too', 'stopped', backAgain(11), { task: 'short' }],
    // They are written all the time.
    ['are reported even if rows with earlier dates increase', 'missing', rising(12, 1, 60), { ...many, task: 'short' }],
    ['may be brought back by a copy for ten minutes', 'open', rising(10, 1, 60), many],
    ['are missing after ten minutes in which no copy would be so slow', 'missing', rising(12, 1, 60), many],
    ['are not missing for hours while a copy that may still run brings them back', 'open', rising(90, 1_000), many],
    ['the same without a report of its task', 'open', rising(90, 1_000), { ...many, task: 'unreported' }],
    [
      'are not missing right after hours without a count, as of a laptop that was asleep, if they came back',
      'open',
      [...seen(CLEAN_COUNTS, every, () => [0, 1]), ...asleep],
      many,
    ],
    ['are not missing while a copy of days brings many back', 'open', rising(12, 150_000), { ...many, kept: 1e9 }],
    ['are missing if only so many are written', 'missing', rising(12, 12_000), { ...many, kept: 1e9 }],
    [
      'are missing ten minutes after a copy has stopped, though rows with earlier dates are written',
      'missing',
      seen(40, MINUTE, (place) => [0, Math.min(place, 10) * 5_000 + place]),
      many,
    ],
    [
      'are found in the end by copies that refresh at different times',
      'clean',
      seen(13, 2_500, (place) => [place >= 8 ? 0 : place % 2 ? 3 : 20, WHOLE]),
      { strategy: 'deleteByQuery' },
    ],
  ] as readonly (readonly [string, CompletionJudgement['kind'], readonly ReaderCount[], Partial<JudgedTruncation>])[]) {
    test(what, () => assert.equal(judged(found, { strategy: 'reindex', ...change }).kind, kind));
  }

  for (const task of ['whole', 'short', 'neverBegan', 'gone'] as const) {
    test(`are not back in one count, which may come from one copy: ${task}`, () =>
      assert.equal(judged(backAgain(1), { strategy: 'reindex', task }).kind, 'open'));
  }

  test('show that copies disagree or that rows are left if only one count of many lacks them', () => {
    const most = seen(80, MINUTE / 2, (place) => (place % 18 === 9 ? [0, 0] : [5, WHOLE]));
    const ends = new Set(most.map((_, place) => judged(most.slice(0, place + 1), { strategy: 'reindex' }).kind));
    assert.deepEqual([...ends].toSorted(), ['copiesDisagree', 'open']);
  });
});

suite('Any counts', () => {
  const seen = fc
    .array(
      fc.record({ pause: fc.integer({ min: 1, max: STILL_MILLIS }), toDelete: fc.nat(3), kept: fc.nat(KEPT + 2) }),
      { maxLength: 40 },
    )
    .map((list) => {
      let at = 0;
      return list.map(({ pause, ...rows }) => ({ at: (at += pause), ...rows }));
    });
  const task = fc.constantFrom('whole', 'short', 'neverBegan', 'gone', 'unreported', undefined);
  const strategy = fc.constantFrom('reindex', 'deleteByQuery', 'unknown');

  test('never finish with a wrong row, hide rows of a delete by query, or judge a running task', () => {
    fc.assert(
      fc.property(seen, task, strategy, fc.boolean(), (list, end, how, writesRefused) => {
        const found = judged(list, { strategy: how, task: end, writesRefused });
        const last = list.slice(-CLEAN_COUNTS);
        const isClean =
          last.length === CLEAN_COUNTS && last.every(({ toDelete, kept }) => toDelete === 0 && kept >= KEPT);
        assert.ok(found.kind !== 'clean' || isClean);
        assert.ok(found.kind !== 'rowsLeft' || (end === 'whole' && (list.at(-1)?.kept ?? 0) >= KEPT));
        assert.ok(found.kind !== 'missing' || how !== 'deleteByQuery' || found.cause === 'notAvailable');
        assert.ok(found.kind === 'open' || end !== undefined);
      }),
      { numRuns: 300 },
    );
  });
});

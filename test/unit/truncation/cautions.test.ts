import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { cautionsFor, type Caution } from '../../../src/truncation/cautions.ts';
import { MILLIS_PER_DAY as DAY, MILLIS_PER_MINUTE as MINUTE } from '../../../src/time.ts';
import { DELETE_BY_QUERY, NOW, REINDEX, UNKNOWN_WORDS } from './samples.ts';

type CautionFacts = Parameters<typeof cautionsFor>[0];

const USUAL: CautionFacts = {
  endTimeMillis: NOW - 90 * DAY,
  now: NOW,
  review: undefined,
  holdsState: false,
  earlier: [],
};

function kindsOf(facts: Partial<CautionFacts>): readonly Caution['kind'][] {
  return cautionsFor({ ...USUAL, ...facts }).map(({ kind }) => kind);
}

function reviewOf(toDelete: number, total: number, answeredAt?: number): CautionFacts['review'] {
  const report = { serverText: '', rows: { toDelete, total }, strategy: 'deleteByQuery' } as const;
  return { report: answeredAt === undefined ? report : { ...report, answeredAt }, at: NOW };
}

function truncated(sentAt: number, age: number): CautionFacts['earlier'][number] {
  return { sentAt, plan: { endTimeMillis: sentAt - age } };
}

suite('A cutoff needs a caution', () => {
  test('in the last 24 hours and in the future, to the millisecond', () => {
    assert.deepEqual(kindsOf({ endTimeMillis: undefined }), []);
    assert.deepEqual(kindsOf({ endTimeMillis: NOW - DAY }), []);
    assert.deepEqual(kindsOf({ endTimeMillis: NOW - DAY + 1 }), ['last24Hours']);
    assert.deepEqual(kindsOf({ endTimeMillis: NOW }), ['last24Hours']);
    assert.deepEqual(kindsOf({ endTimeMillis: NOW + 1 }), ['future']);
  });

  test('if the response is dated more than five minutes away, and not without a date', () => {
    for (const [answeredAt, expected] of [
      [undefined, []],
      [NOW - 5 * MINUTE, []],
      [NOW + 5 * MINUTE, []],
      [NOW - 5 * MINUTE - 1000, ['clock']],
      [NOW + 5 * MINUTE + 1000, ['clock']],
      [NOW - 60 * DAY, ['clock']],
    ] as const) {
      assert.deepEqual(kindsOf({ review: reviewOf(1, 2, answeredAt) }), expected);
    }
    assert.deepEqual(cautionsFor({ ...USUAL, review: reviewOf(1, 2, 7_000) }), [
      { kind: 'clock', answeredAt: 7_000, at: NOW },
    ]);
  });

  test('if no row stays, but not for an empty index', () => {
    assert.deepEqual(kindsOf({ review: reviewOf(5, 5) }), ['noRowStays']);
    assert.deepEqual(kindsOf({ review: reviewOf(4, 5) }), []);
    assert.deepEqual(kindsOf({ review: reviewOf(0, 0) }), []);
  });

  test('if it is less than half as old as at the last truncation of the index', () => {
    const last = truncated(NOW - 10 * DAY, 90 * DAY);
    const ofAge = (days: number, ...earlier: CautionFacts['earlier']): readonly Caution['kind'][] =>
      kindsOf({ endTimeMillis: NOW - days * DAY, earlier });
    assert.deepEqual(ofAge(9, last), ['muchYounger']);
    assert.deepEqual(ofAge(44, last), ['muchYounger']);
    assert.deepEqual(ofAge(45, last), []);
    assert.deepEqual(ofAge(90, last), []);
    assert.deepEqual(ofAge(9, truncated(NOW - 20 * DAY, 90 * DAY), truncated(NOW - 10 * DAY, 10 * DAY)), []);
    assert.deepEqual(ofAge(9, truncated(NOW - 10 * DAY, -DAY)), []);
    assert.deepEqual(ofAge(0.5, last), ['last24Hours']);
  });

  for (const [what, report, expected] of [
    ['by a reindex, which can hide rows', REINDEX, ['reindex']],
    ['by a report that says neither rows nor strategy', UNKNOWN_WORDS, ['unreadable']],
    ['by a report without its rows', { ...REINDEX, rows: undefined }, ['unreadable', 'reindex']],
    ['by a report without its strategy', { ...DELETE_BY_QUERY, strategy: 'unknown' }, ['unreadable']],
    ['by none if rows are deleted by query', DELETE_BY_QUERY, []],
  ] as const) {
    test(what, () => assert.deepEqual(kindsOf({ review: { report, at: NOW } }), expected));
  }

  test('if the index holds state, also before the dry run, with the cutoff', () => {
    assert.deepEqual(cautionsFor({ ...USUAL, holdsState: true }), [
      { kind: 'holdsState', endTimeMillis: USUAL.endTimeMillis },
    ]);
    assert.deepEqual(kindsOf({ holdsState: true, review: { report: REINDEX, at: NOW } }), ['holdsState', 'reindex']);
  });
});

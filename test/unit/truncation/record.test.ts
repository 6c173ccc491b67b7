import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  blockingReason,
  hidesRows,
  isTaskUnderWay,
  parseRecord,
  shownStatusOf,
  statusOf,
  type TruncationRecord,
} from '../../../src/truncation/record.ts';
import { isSameOutcome } from '../../../src/truncation/outcome.ts';
import {
  DELETE_BY_QUERY,
  FAILED,
  FINISHED,
  LOST,
  MINUTE,
  NOW,
  PLAN,
  RECORD,
  REINDEX,
  UNKNOWN_WORDS,
} from './samples.ts';

/** A record as a memento stores it. */
function stored(record: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(record)) as Record<string, unknown>;
}

suite('Stored truncation', () => {
  const { taskId: _taskId, sizeBefore: _sizeBefore, ...sending } = RECORD;
  const records: Readonly<Record<string, TruncationRecord>> = {
    'that was just sent': sending,
    'that runs': RECORD,
    'that finished': { ...RECORD, ending: FINISHED, endedAt: NOW + MINUTE },
    'with the run time of the task': { ...RECORD, ending: FINISHED, endedAt: NOW + MINUTE, runTimeMillis: 1.5 },
    'with the ID of its session': { ...sending, sessionId: 'a session' },
    'with the sender that the server reported': {
      ...RECORD,
      actorUrn: 'urn:li:corpuser:a',
      callerUrn: 'urn:li:corpuser:b',
    },
    'with an approximate size': { ...RECORD, sizePrecision: 'approximate' },
    'that failed': { ...RECORD, ending: FAILED, endedAt: NOW + MINUTE },
    'with a lost response': { ...sending, ending: LOST, endedAt: NOW + MINUTE },
    'with a timeout and a chosen strategy': {
      ...RECORD,
      plan: { ...PLAN, timeoutSeconds: 60, strategy: 'deleteByQuery' },
    },
    'with a strategy that reindexes': { ...RECORD, plan: { ...PLAN, strategy: 'reindex' } },
    'of a reindex': { ...RECORD, report: REINDEX },
    'with an unreadable dry run': { ...RECORD, report: UNKNOWN_WORDS },
  };
  for (const [which, record] of Object.entries(records)) {
    test(`${which} is restored unchanged`, () =>
      assert.deepEqual(stored(parseRecord(stored(record)) ?? {}), stored(record)));
  }

  test('has no end before the truncation ends', () => {
    assert.ok(!Object.hasOwn(parseRecord(stored(RECORD)) ?? {}, 'ending'));
  });

  test('drops fields that only other versions know', () => {
    assert.deepEqual(stored(parseRecord({ ...stored(RECORD), token: 'x' }) ?? {}), stored(RECORD));
  });

  for (const [which, damage] of Object.entries({
    'no ID': { id: undefined },
    'an invalid ID': { id: '../x' },
    'no connection': { connectionId: undefined },
    'no plan': { plan: undefined },
    'a plan without a cutoff': { plan: { ...PLAN, endTimeMillis: undefined } },
    'no report': { report: null },
    'a report without a text': { report: { ...DELETE_BY_QUERY, serverText: undefined } },
    'no time of sending': { sentAt: 'now' },
  })) {
    test(`is rejected with ${which}`, () => assert.equal(parseRecord({ ...stored(RECORD), ...damage }), undefined));
  }

  for (const [which, damage] of Object.entries({
    'an unknown strategy': { plan: { ...PLAN, strategy: 'drop' } },
    'an unknown strategy of the server': { report: { ...REINDEX, strategy: 'drop' } },
    'an unknown ending': { report: REINDEX, ending: { kind: 'exploded' } },
    'a failure for no known reason': { report: REINDEX, ending: { ...FAILED, reason: 'bewitched' } },
    'an unknown end of the task': { report: REINDEX, taskEnd: { kind: 'exploded' } },
    'an unknown precision': { report: REINDEX, sizePrecision: 'wrong' },
    'an unknown cause of missing rows': {
      report: REINDEX,
      ending: { kind: 'unknown', reason: 'missing', hidesRows: true, missing: 'exploded' },
    },
  })) {
    test(`of a later version still blocks its index with ${which}`, () => {
      const record = parseRecord({ ...stored({ ...RECORD, report: REINDEX }), ...damage });
      assert.ok(record);
      assert.notEqual(blockingReason({ ...record, report: { ...record.report, strategy: 'unknown' } }), undefined);
    });
  }

  for (const damaged of [undefined, null, 'x', 1, [], {}]) {
    test(`is rejected if it is ${JSON.stringify(damaged)}`, () => assert.equal(parseRecord(damaged), undefined));
  }

  test('has a status by its end, its task ID and its age', () => {
    assert.equal(statusOf(sending, NOW), 'sending');
    assert.equal(statusOf(sending, NOW + 3 * MINUTE), 'sending');
    assert.equal(statusOf(sending, NOW + 3 * MINUTE + 1), 'lost');
    assert.equal(statusOf(RECORD, NOW + 1_000 * MINUTE), 'running');
    assert.equal(statusOf(sending, NOW - 1), 'lost', 'the clock was set back: how old it is cannot be told');
    for (const ending of [FINISHED, FAILED, LOST]) {
      assert.equal(statusOf({ ...RECORD, ending }, NOW), ending.kind);
      assert.equal(statusOf({ ...sending, ending }, NOW + 1_000 * MINUTE), ending.kind);
    }
  });
});

suite('Execution without a response', () => {
  const { taskId: _, ...unanswered } = RECORD;

  for (const [by, sessionId, shown] of [
    ['this window', 'this', 'sending'],
    ['another window, or this one before a reload', 'another', 'unanswered'],
    ['an old version, which stored no session', undefined, 'unanswered'],
  ] as const) {
    test(`is ${shown}, then lost, if it was sent by ${by}`, () => {
      const record = sessionId === undefined ? unanswered : { ...unanswered, sessionId };
      assert.equal(shownStatusOf(record, NOW, 'this'), shown);
      assert.equal(shownStatusOf(record, NOW + 4 * MINUTE, 'this'), 'lost');
      assert.equal(statusOf(record, NOW), 'sending', 'nothing else may be sent meanwhile');
      assert.equal(blockingReason({ ...record, report: REINDEX }), 'underWay');
    });
  }

  test('has the stored status, whichever window sent it', () => {
    assert.equal(shownStatusOf({ ...RECORD, sessionId: 'another' }, NOW, 'this'), 'running');
    assert.equal(shownStatusOf({ ...unanswered, sessionId: 'another', ending: FINISHED }, NOW, 'this'), 'finished');
  });
});

suite('Rows to keep', () => {
  const reindexing = { ...RECORD, report: REINDEX };
  for (const [what, record, may] of [
    ['a reindex that runs', reindexing, false],
    ['a reindex that finished', { ...reindexing, ending: FINISHED }, false],
    ['a reindex that failed', { ...reindexing, ending: FAILED }, true],
    ['a delete by query that failed', { ...RECORD, ending: FAILED }, false],
    ['a reindex whose response was lost', { ...reindexing, ending: LOST }, false],
    [
      'an execution after which searches find fewer rows',
      { ...RECORD, ending: { ...LOST, hidesRows: true } as typeof LOST },
      true,
    ],
    ['a truncation that runs', RECORD, false],
  ] as const) {
    test(`${may ? 'may be' : 'are not'} hidden after ${what}`, () => assert.equal(hidesRows(record), may));
  }
});

suite('Index of an earlier truncation', () => {
  const reindex = { ...RECORD, report: { ...RECORD.report, strategy: 'reindex' as const } };
  const unknown = { kind: 'unknown', reason: 'lost' } as const;
  for (const [what, record, block] of [
    ['a reindex that runs', reindex, 'underWay'],
    ['a reindex whose response was lost', { ...reindex, ending: unknown }, 'underWay'],
    [
      'a truncation with an unknown strategy',
      { ...RECORD, report: { ...RECORD.report, strategy: 'unknown' as const } },
      'underWay',
    ],
    ['a reindex that may have hidden rows', { ...reindex, ending: { ...unknown, hidesRows: true } }, 'rowsHidden'],
    [
      'a reindex after which searches find all rows',
      { ...reindex, ending: { ...unknown, hidesRows: false } },
      undefined,
    ],
    ['a reindex that finished', { ...reindex, ending: FINISHED }, undefined],
    ['a delete by query that runs', RECORD, undefined],
    ['a delete by query whose response was lost', { ...RECORD, ending: unknown }, undefined],
  ] as const) {
    test(`${block === undefined ? 'is not blocked' : `is blocked (${block})`} after ${what}`, () =>
      assert.equal(blockingReason(record), block));
  }
});

suite('A truncation on the server', () => {
  test('is under way until its task has ended, and not while its rows are counted', () => {
    assert.equal(isTaskUnderWay(RECORD, NOW), true);
    for (const kind of ['whole', 'short', 'neverBegan', 'gone'] as const) {
      assert.equal(isTaskUnderWay({ ...RECORD, taskEnd: { kind } }, NOW), false, kind);
    }
    assert.equal(isTaskUnderWay({ ...RECORD, ending: FINISHED }, NOW), false);
  });
});

suite('An end', () => {
  test('is the same whatever the order of its keys, since a file has another one', () => {
    const ending = {
      missing: 'notCopied',
      found: { toDelete: 1, kept: 2 },
      reason: 'missing',
      kind: 'unknown',
    } as const;
    const read = parseRecord(JSON.parse(JSON.stringify({ ...RECORD, ending })));
    assert.ok(isSameOutcome(read?.ending, ending));
    assert.ok(!isSameOutcome(read?.ending, { ...ending, found: { toDelete: 1, kept: 3 } }));
  });
});

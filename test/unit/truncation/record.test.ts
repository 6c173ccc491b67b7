import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { blockingReason, hidesRows, isTaskUnderWay, shownStatusOf, statusOf } from '../../../src/truncation/record.ts';
import { isSameOutcome } from '../../../src/truncation/outcome.ts';
import { FAILED, FINISHED, LOST, MINUTE, NOW, RECORD, REINDEX } from './samples.ts';

suite('A truncation that was sent', () => {
  const { taskId: _taskId, ...sending } = RECORD;

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
    const read = Object.fromEntries(Object.entries(ending).toSorted()) as typeof ending;
    assert.ok(isSameOutcome(read, ending));
    assert.ok(!isSameOutcome(read, { ...ending, found: { toDelete: 1, kept: 3 } }));
  });
});

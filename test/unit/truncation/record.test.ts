import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  blockingReason,
  deletedRows,
  hidesRows,
  isTaskUnderWay,
  mayStillRun,
  statusOf,
  resumedState,
  type TruncationRecord,
} from '../../../src/truncation/record.ts';
import { reduceState } from '../../../src/truncation/state.ts';
import { isSameOutcome } from '../../../src/truncation/outcome.ts';
import {
  ACCESS,
  DAY,
  DRAFT,
  FAILED,
  FINISHED,
  LOST,
  MAX_AGE,
  MINUTE,
  NOW,
  RECORD,
  REINDEX,
  TASK_ID,
} from './samples.ts';

suite('A truncation that was sent', () => {
  const { taskId: _taskId, ...sending } = RECORD;
  for (const [what, record, after, status] of [
    ['just now', sending, 0, 'sending'],
    ['three minutes ago', sending, 3 * MINUTE, 'sending'],
    ['longer ago', sending, 3 * MINUTE + 1, 'lost'],
    // How old it is can't be told.
    ['before the clock was set back', sending, -1, 'lost'],
    ['with a task', RECORD, 1_000 * MINUTE, 'running'],
    ['and finished', { ...sending, ending: FINISHED }, 1_000 * MINUTE, 'finished'],
    ['and failed', { ...RECORD, ending: FAILED }, 0, 'failed'],
    ['and is unknown', { ...RECORD, ending: LOST }, 0, 'unknown'],
  ] as const) {
    test(`${what} is ${status}`, () => assert.equal(statusOf(record, NOW + after), status));
  }

  test('is under way until its task has ended, and not while its rows are counted', () => {
    assert.equal(isTaskUnderWay(RECORD, NOW), true);
    assert.equal(isTaskUnderWay({ ...RECORD, taskEnd: { kind: 'gone' } }, NOW), false);
    assert.equal(isTaskUnderWay({ ...RECORD, ending: FINISHED }, NOW), false);
  });

  test('has deleted what its task did', () =>
    assert.equal(deletedRows({ ...RECORD, ending: { ...FINISHED, deleted: 0, versionConflicts: 20 } }), 0));
});

test('A truncation may still run until its task says that it has ended, or for a day after a lost response', () => {
  const { taskId: _taskId, ...sent } = RECORD;
  for (const [record, after, may] of [
    [RECORD, 30 * DAY, true],
    [{ ...RECORD, taskEnd: { kind: 'gone' } }, 0, true],
    [{ ...RECORD, taskEnd: { kind: 'short' } }, 0, false],
    [{ ...RECORD, taskEnd: { kind: 'whole' } }, 0, false],
    [{ ...RECORD, ending: FINISHED }, 0, false],
    [{ ...RECORD, ending: FAILED }, 0, false],
    [sent, 0, true],
    [sent, 4 * MINUTE, true],
    [sent, DAY, false],
    [{ ...sent, ending: LOST }, MINUTE, true],
    [{ ...sent, ending: LOST }, DAY, false],
    [{ ...RECORD, ending: { kind: 'unknown', reason: 'missing' } }, 0, false],
  ] as const) {
    assert.equal(mayStillRun(record, NOW + after), may, JSON.stringify([record.ending, record.taskEnd, after]));
  }
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

test('A reindex that stopped with all rows to keep found hides none, and blocks nothing', () => {
  const ending = { kind: 'failed', reason: 'stopped', rowsLeft: 3, readers: 'whole' } as const;
  const record = { ...RECORD, report: REINDEX, ending };
  assert.deepEqual([hidesRows(record), blockingReason(record)], [false, undefined]);
});

const { taskId: _, ...UNANSWERED } = RECORD;

suite('Restored truncation', () => {
  for (const [what, record, phase, taskId, ending] of [
    ['with a running task', RECORD, 'running', TASK_ID, undefined],
    ['that finished', { ...RECORD, ending: FINISHED }, 'finished', TASK_ID, FINISHED],
    ['that finished without a known task', { ...UNANSWERED, ending: FINISHED }, 'finished', undefined, FINISHED],
    ['that failed', { ...RECORD, ending: FAILED }, 'failed', TASK_ID, FAILED],
    ['that the server no longer knows', { ...RECORD, ending: LOST }, 'failed', TASK_ID, LOST],
    ['that is lost', { ...UNANSWERED, ending: LOST }, 'failed', undefined, LOST],
    ['without a response', UNANSWERED, 'failed', undefined, { kind: 'unknown', reason: 'lost' }],
  ] as const satisfies readonly (readonly [string, TruncationRecord, string, string | undefined, unknown])[]) {
    test(`${what} is ${phase}`, () => {
      const state = resumedState(record);
      assert.equal(state.phase, phase);
      assert.ok('taskId' in state && state.taskId === taskId);
      assert.deepEqual('ending' in state ? state.ending : undefined, ending);
    });
  }

  test('shows its draft, and the dry run that was executed', () => {
    assert.deepEqual(resumedState(RECORD).draft, DRAFT);
    const plan = { ...RECORD.plan, batchSize: 500, timeoutSeconds: 60, strategy: 'reindex' } as const;
    const state = resumedState({ ...RECORD, plan });
    assert.ok('review' in state);
    const draft = { ...DRAFT, batchSize: '500', timeoutSeconds: '60', strategy: 'reindex' };
    assert.deepEqual(state.draft, draft);
    assert.partialDeepStrictEqual(state.review, { plan, report: RECORD.report, at: RECORD.reviewedAt });
  });

  test('has a dry run that cannot be executed, since it belongs to no connection', () => {
    const state = resumedState({ ...RECORD, ending: FAILED });
    assert.ok('review' in state);
    const { draft, review } = state;
    for (const access of [ACCESS, 'mutant']) {
      const again = reduceState(
        { phase: 'reviewed', draft, review },
        { type: 'executeAsked', access, now: NOW, monotonicNow: 0, maxAge: MAX_AGE },
      );
      assert.notEqual(again.phase, 'confirming');
    }
  });
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  blockingReason,
  deletedRows,
  hidesRows,
  isTaskUnderWay,
  mayStillRun,
  statusOf,
  type TruncationRecord,
} from '../../../src/truncation/sentTruncation.ts';
import { reduceState, sentState } from '../../../src/truncation/state.ts';
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
  UNANSWERED,
} from './samples.ts';

const REINDEXING = { ...RECORD, report: REINDEX };
const UNKNOWN_STRATEGY = { ...RECORD, report: { ...RECORD.report, strategy: 'unknown' } } as const;
const WHOLE = { kind: 'failed', reason: 'stopped', rowsLeft: 3, readers: 'whole' } as const;
const UNCHECKED = { ...FINISHED, readers: 'notChecked' } as const;
const MISSING = { kind: 'unknown', reason: 'missing' } as const;

suite('What a truncation means for its index', () => {
  for (const [what, record, after, status, mayRun, block] of [
    ['was just sent', UNANSWERED, 0, 'sending', true, undefined],
    ['was sent three minutes ago', UNANSWERED, 3 * MINUTE, 'sending', true, undefined],
    ['got no response since', UNANSWERED, 3 * MINUTE + 1, 'lost', true, undefined],
    ['got none for a day', UNANSWERED, DAY, 'lost', false, undefined],
    // How old it is can't be told.
    ['was sent before the clock was set back', UNANSWERED, -1, 'lost', true, undefined],
    ['has a task', RECORD, 30 * DAY, 'running', true, undefined],
    ['has a task that is gone', { ...RECORD, taskEnd: { kind: 'gone' } }, 0, 'running', true, undefined],
    ['has a task that ended early', { ...RECORD, taskEnd: { kind: 'short' } }, 0, 'running', false, undefined],
    ['is counted', { ...RECORD, taskEnd: { kind: 'whole' } }, 0, 'running', false, undefined],
    ['finished', { ...UNANSWERED, ending: FINISHED }, 0, 'finished', false, undefined],
    ['failed', { ...RECORD, ending: FAILED }, 0, 'failed', false, undefined],
    ['lost its response', { ...UNANSWERED, ending: LOST }, MINUTE, 'unknown', true, undefined],
    ['lost it a day ago', { ...UNANSWERED, ending: LOST }, DAY, 'unknown', false, undefined],
    ['misses rows', { ...RECORD, ending: MISSING }, 0, 'unknown', false, undefined],
    ['hides rows', { ...RECORD, ending: { ...MISSING, hidesRows: true } }, 0, 'unknown', false, 'rowsHidden'],
    ['may be a reindex', UNKNOWN_STRATEGY, 0, 'running', true, 'underWay'],
    ['is a reindex that runs', REINDEXING, 0, 'running', true, 'underWay'],
    ['is a reindex that finished', { ...REINDEXING, ending: FINISHED }, 0, 'finished', false, undefined],
    ['is a reindex that was not checked', { ...REINDEXING, ending: UNCHECKED }, 0, 'finished', false, 'notChecked'],
    ['is a reindex that failed', { ...REINDEXING, ending: FAILED }, 0, 'failed', false, 'rowsHidden'],
    [
      'is a reindex that stopped with all rows to keep',
      { ...REINDEXING, ending: WHOLE },
      0,
      'failed',
      false,
      undefined,
    ],
    ['is a reindex that lost its response', { ...REINDEXING, ending: LOST }, 0, 'unknown', true, 'underWay'],
    [
      'is a reindex after which searches find all rows',
      { ...REINDEXING, ending: { ...MISSING, hidesRows: false } },
      0,
      'unknown',
      false,
      undefined,
    ],
  ] as const) {
    test(`that ${what}: ${status}, ${mayRun ? 'may' : "can't"} run, ${block ?? 'blocks nothing'}`, () => {
      const now = NOW + after;
      assert.deepEqual(
        [statusOf(record, now), mayStillRun(record, now), blockingReason(record)],
        [status, mayRun, block],
      );
      assert.equal(hidesRows(record), block === 'rowsHidden');
    });
  }

  test('is that it is under way until its task has ended, and not while its rows are counted', () => {
    assert.equal(isTaskUnderWay(RECORD, NOW), true);
    assert.equal(isTaskUnderWay({ ...RECORD, taskEnd: { kind: 'gone' } }, NOW), false);
    assert.equal(isTaskUnderWay({ ...RECORD, ending: FINISHED }, NOW), false);
  });

  test('is what its task has deleted', () =>
    assert.equal(deletedRows({ ...RECORD, ending: { ...FINISHED, deleted: 0, versionConflicts: 20 } }), 0));
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

suite('Restored truncation', () => {
  for (const [what, record, phase] of [
    ['with a running task', RECORD, 'running'],
    ['that finished', { ...RECORD, ending: FINISHED }, 'finished'],
    ['that finished without a known task', { ...UNANSWERED, ending: FINISHED }, 'finished'],
    ['that failed', { ...RECORD, ending: FAILED }, 'failed'],
    ['that the server no longer knows', { ...RECORD, ending: LOST }, 'failed'],
    ['that is lost', { ...UNANSWERED, ending: LOST }, 'failed'],
    ['without a response', UNANSWERED, 'failed'],
  ] as const satisfies readonly (readonly [string, TruncationRecord, string])[]) {
    test(`${what} is ${phase}`, () => assert.equal(sentState(record).phase, phase));
  }

  test('shows its draft, and the dry run that was executed', () => {
    assert.deepEqual(sentState(RECORD).draft, DRAFT);
    const plan = { ...RECORD.plan, batchSize: 500, timeoutSeconds: 60, strategy: 'reindex' } as const;
    const state = sentState({ ...RECORD, plan });
    assert.ok('review' in state);
    const draft = { ...DRAFT, batchSize: '500', timeoutSeconds: '60', strategy: 'reindex' };
    assert.deepEqual(state.draft, draft);
    assert.partialDeepStrictEqual(state.review, { plan, report: RECORD.report, at: RECORD.reviewedAt });
  });

  test('has a dry run that cannot be executed, since it belongs to no connection', () => {
    const state = sentState({ ...RECORD, ending: FAILED });
    assert.ok('review' in state);
    const { draft, review } = state;
    for (const access of [ACCESS, 'mutant']) {
      const again = reduceState(
        { phase: 'reviewed', draft, review },
        { type: 'executeAsked', access, at: NOW, monotonicAt: 0, maxAge: MAX_AGE },
      );
      assert.notEqual(again.phase, 'confirming');
    }
  });
});

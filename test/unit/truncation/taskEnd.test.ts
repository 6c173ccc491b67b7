import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { progressOf, refusesWrites, taskEndOf } from '../../../src/truncation/taskEnd.ts';
import { DELETE_BY_QUERY, RUNNING_TASK as RUNNING, UNKNOWN_WORDS, type KnownStatus } from './samples.ts';

const DONE: KnownStatus = { ...RUNNING, completed: true, deleted: 20 };
const NOTHING: KnownStatus = { ...DONE, total: 0, deleted: 0 };
const REINDEXING = { ...DELETE_BY_QUERY, strategy: 'reindex' } as const;
const KEPT = 181;

suite('Progress of a task', () => {
  test('counts deleted rows, or copied rows of a reindex', () => {
    assert.deepEqual(progressOf(DELETE_BY_QUERY, RUNNING), { counts: 'deleted', done: 5, total: 20 });
    const copying = { ...RUNNING, deleted: 0, created: 3, updated: 1 };
    assert.deepEqual(progressOf(REINDEXING, copying), { counts: 'copied', done: 4, total: 20 });
    assert.deepEqual(progressOf(DELETE_BY_QUERY, copying), { counts: 'deleted', done: 0, total: 20 });
    assert.deepEqual(
      progressOf(REINDEXING, RUNNING),
      { counts: 'deleted', done: 5, total: 20 },
      'it says reindex, and deletes in place',
    );
  });

  test('has no total while the server reports 0', () => {
    assert.equal(progressOf(DELETE_BY_QUERY, { ...RUNNING, total: 0 }).total, undefined);
  });
});

suite('End of a task', () => {
  test('is undefined while the task runs, whatever its counts', () => {
    assert.equal(taskEndOf(DELETE_BY_QUERY, KEPT, RUNNING), undefined);
    assert.equal(taskEndOf(DELETE_BY_QUERY, KEPT, { ...NOTHING, completed: false }), undefined);
  });

  for (const [what, kind, report, status] of [
    ['deleted all it found', 'whole', DELETE_BY_QUERY, DONE],
    ['skipped a changed row', 'whole', DELETE_BY_QUERY, { ...DONE, deleted: 19, versionConflicts: 1 }],
    ['stopped at the first changed row', 'short', DELETE_BY_QUERY, { ...DONE, deleted: 7, versionConflicts: 1 }],
    ['deleted fewer rows than it found', 'short', DELETE_BY_QUERY, { ...DONE, deleted: 12 }],
    ['deleted none of the rows it found, as with a write block', 'short', DELETE_BY_QUERY, { ...DONE, deleted: 0 }],
    ['found no row although the dry run did', 'neverBegan', DELETE_BY_QUERY, NOTHING],
    ['met a conflict at every row', 'neverBegan', DELETE_BY_QUERY, { ...DONE, deleted: 0, versionConflicts: 20 }],
    ['was cancelled', 'short', DELETE_BY_QUERY, { ...DONE, deleted: 3, cancelled: 'by user' }],
    ['copied all it found', 'whole', REINDEXING, { ...DONE, total: KEPT, deleted: 0, created: KEPT }],
    ['copied fewer rows than it found', 'short', REINDEXING, { ...DONE, total: KEPT, deleted: 0, created: 5 }],
    ['copied nothing although rows should stay', 'neverBegan', REINDEXING, NOTHING],
    ['found no row, and the expected number is unknown', 'neverBegan', UNKNOWN_WORDS, NOTHING],
  ] as const) {
    test(`is ${kind} if the task ${what}`, () => {
      assert.equal(taskEndOf(report, KEPT, status)?.kind, kind);
    });
  }

  test('is whole if no row stays after a reindex, and if no row is to be deleted', () => {
    assert.equal(taskEndOf(REINDEXING, 0, NOTHING)?.kind, 'whole');
    const none = { ...DELETE_BY_QUERY, rows: { toDelete: 0, total: 201 } };
    assert.equal(taskEndOf(none, 201, NOTHING)?.kind, 'whole');
  });

  test("keeps the counts and the server's reason", () => {
    const end = taskEndOf(DELETE_BY_QUERY, KEPT, { ...DONE, deleted: 3, cancelled: 'by user' });
    assert.deepEqual(end, { kind: 'short', done: 3, total: 20, versionConflicts: 0, cancelled: 'by user' });
  });
});

test('A cluster that retries writes and deletes nothing refuses writes', () => {
  assert.equal(refusesWrites({ ...RUNNING, deleted: 0, bulkRetries: 4 }), true);
  assert.equal(refusesWrites({ ...RUNNING, deleted: 0 }), false);
  assert.equal(refusesWrites({ ...RUNNING, bulkRetries: 4 }), false);
});

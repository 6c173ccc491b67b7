import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { TaskStatus } from '../../../../src/service/indices/tasks.ts';
import { outcomeOf, progressOf } from '../../../../src/truncation/model/taskOutcome.ts';
import type { Outcome } from '../../../../src/truncation/model/state.ts';
import { RECORD } from './samples.ts';

type KnownStatus = Extract<TaskStatus, { readonly kind: 'known' }>;

const RUNNING: KnownStatus = {
  kind: 'known',
  completed: false,
  total: 20,
  deleted: 5,
  created: 0,
  updated: 0,
  versionConflicts: 0,
  runTimeMillis: undefined,
  cancelled: undefined,
  failures: [],
};
const DONE: KnownStatus = { ...RUNNING, completed: true, deleted: 20 };
const reindexing = { report: { ...RECORD.report, strategy: 'reindex' as const } };

suite('What the status of a task says', () => {
  test('a task that runs has no ending', () => assert.equal(outcomeOf(RECORD, RUNNING), undefined));

  test('progress counts deleted rows, or copied ones when it reindexes', () => {
    assert.deepEqual(progressOf(RECORD, RUNNING), { counts: 'deleted', done: 5, total: 20 });
    assert.deepEqual(progressOf(reindexing, { ...RUNNING, deleted: 0, created: 3, updated: 1 }), {
      counts: 'copied',
      done: 4,
      total: 20,
    });
    assert.equal(progressOf(RECORD, { ...RUNNING, total: 0 }).total, undefined, 'not counted yet');
    assert.deepEqual(progressOf(RECORD, { ...RUNNING, deleted: 0, created: 3 }), {
      counts: 'deleted',
      done: 0,
      total: 20,
    });
    assert.deepEqual(
      progressOf(reindexing, RUNNING),
      { counts: 'deleted', done: 5, total: 20 },
      'it says reindex, and deletes in place',
    );
  });

  test('a task that ended tells how many rows went', () => {
    assert.deepEqual(outcomeOf(RECORD, DONE), { kind: 'finished', deleted: 20, versionConflicts: 0 });
    assert.deepEqual(outcomeOf(RECORD, { ...DONE, deleted: 19, versionConflicts: 1 }), {
      kind: 'finished',
      deleted: 19,
      versionConflicts: 1,
    });
  });

  for (const [what, record, status] of [
    ['a deletion that counted nothing', RECORD, { ...DONE, total: 0, deleted: 0 }],
    ['a reindex that counted nothing', reindexing, { ...DONE, total: 0, deleted: 0 }],
    [
      'a reindex that copied fewer rows than should stay',
      reindexing,
      { ...DONE, total: 180, deleted: 0, created: 180 },
    ],
    [
      'a reindex of which nobody knows how many rows should stay',
      { report: { ...reindexing.report, rows: undefined } },
      { ...DONE, total: 9, deleted: 0, created: 9 },
    ],
    [
      'a deletion that counted nothing, of nobody knows how many rows',
      { report: { ...RECORD.report, rows: undefined } },
      { ...DONE, total: 0, deleted: 0 },
    ],
    [
      'what may have been a reindex and counted nothing',
      { report: { ...RECORD.report, strategy: 'unknown' as const } },
      { ...DONE, total: 0, deleted: 0 },
    ],
  ] as const) {
    test(`${what} doesn't say what became of the rows`, () => assert.equal(outcomeOf(record, status), 'untold'));
  }

  test('what has deleted rows says so, whatever it was called before', () => {
    const unknown = { report: { ...RECORD.report, strategy: 'unknown' as const } };
    assert.deepEqual(outcomeOf(unknown, DONE), { kind: 'finished', deleted: 20, versionConflicts: 0 });
    const uncounted = { report: { ...reindexing.report, rows: undefined } };
    assert.deepEqual(outcomeOf(uncounted, DONE), { kind: 'finished', deleted: undefined, versionConflicts: 0 });
  });

  test('rows that changed while they were copied are there', () => {
    const copied = { ...DONE, total: 181, deleted: 0, created: 180, versionConflicts: 1 };
    assert.deepEqual(outcomeOf(reindexing, copied), { kind: 'finished', deleted: 20, versionConflicts: 1 });
  });

  test('a reindex after which nothing should stay is finished without copying', () => {
    const all = { report: { ...reindexing.report, rows: { toDelete: 20, total: 20 } } };
    assert.deepEqual(outcomeOf(all, { ...DONE, total: 0, deleted: 0 }), {
      kind: 'finished',
      deleted: 20,
      versionConflicts: 0,
    });
  });

  test('an index in which nothing was to be deleted has lost nothing', () => {
    const nothing = { report: { ...RECORD.report, rows: { toDelete: 0, total: 201 } } };
    assert.deepEqual(outcomeOf(nothing, { ...DONE, total: 0, deleted: 0 }), {
      kind: 'finished',
      deleted: 0,
      versionConflicts: 0,
    });
    const notUnderstood = { report: { ...RECORD.report, rows: undefined } };
    assert.deepEqual(outcomeOf(notUnderstood, DONE), { kind: 'finished', deleted: 20, versionConflicts: 0 });
  });

  test('a reindex has deleted what was to go, whatever it copied', () => {
    const copied = { ...DONE, total: 181, deleted: 0, created: 180, updated: 1 };
    assert.deepEqual(outcomeOf(reindexing, copied), { kind: 'finished', deleted: 20, versionConflicts: 0 });
  });

  test('cancelled, failed and broken off are told apart', () => {
    assert.equal(ended(RECORD, { ...DONE, cancelled: 'by user' }).kind, 'failed');
    const failed = ended(RECORD, { ...DONE, failures: ['disk full'] });
    assert.ok(failed.kind === 'failed' && failed.failures[0] === 'disk full');
    const early = ended(RECORD, { ...DONE, deleted: 12 });
    assert.ok(early.kind === 'failed' && early.failing.sentence.includes('12'));
    assert.deepEqual(early.failures, []);
  });
});

function ended(...[record, status]: Parameters<typeof outcomeOf>): Outcome {
  const outcome = outcomeOf(record, status);
  assert.ok(outcome !== undefined && outcome !== 'untold');
  return outcome;
}

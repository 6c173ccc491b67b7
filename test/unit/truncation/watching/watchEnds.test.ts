// What the answers to the polls of a truncation say about its end.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { TruncationOutcome, UnknownOutcome } from '../../../../src/truncation/outcome.ts';
import { blockingReason, repairOf, type TruncationRecord } from '../../../../src/truncation/sentTruncation.ts';
import type { TaskProgress } from '../../../../src/truncation/taskEnd.ts';
import { windowOn } from '../../connections/window.ts';
import { leaveTruncation } from '../journals.ts';
import { FAILED, FINISHED, MINUTE, NOW, RECORD, TASK_ID } from '../samples.ts';
import { BASELINE, laterThan, task, watching, type ServerTruth } from './watchedServer.ts';

/** Polls, and what is known after the last of them. */
interface Step {
  readonly set?: Partial<ServerTruth>;
  /** Another truncation of the index that any window has sent before. */
  readonly later?: Partial<TruncationRecord>;
  readonly times?: number;
  /** Pause before each, in ms. */
  readonly every?: number;
  /** Undefined: open. */
  readonly ending: TruncationOutcome | undefined;
  readonly blocks?: ReturnType<typeof blockingReason>;
  readonly repair?: UnknownOutcome['missing'];
  readonly taskEnd?: TruncationRecord['taskEnd'];
  readonly asked?: number;
  /** Why it can't be watched. Not looked at if omitted. */
  readonly problem?: RegExp;
  readonly progress?: Partial<TaskProgress>;
}

const KEPT = BASELINE.kept;
const CLEAN = { ...FINISHED, readers: 'clean' } as const;
const { deleted: _deleted, ...UNCOUNTED } = CLEAN;
const NOT_CHECKED = { ...FINISHED, readers: 'notChecked' } as const;
const NONE = /^$/;
const COPIED = task(true, { total: KEPT, created: KEPT });
const UNKNOWN = { error: `Could not get task status for ${TASK_ID}` };
const REINDEXING = { report: { ...RECORD.report, strategy: 'reindex' } } as const;
/** The server refused it after it had pointed searches at its index. */
const REFUSED_REINDEX = {
  taskId: undefined,
  taskEnd: { kind: 'short' },
  ending: { kind: 'unknown', reason: 'rowsHidden', hidesRows: true, missing: 'notRefreshedOrCopied' },
  endedAt: NOW,
} as const;

function rowsLeft(rows: number): TruncationOutcome {
  return { ...FINISHED, readers: 'rowsLeft', rowsLeft: rows };
}

function stopped(rows: number): TruncationOutcome {
  return { kind: 'failed', reason: 'stopped', rowsLeft: rows, readers: 'whole' };
}

function failed(reason: 'neverBegan' | 'writesRefused'): TruncationOutcome {
  return { kind: 'failed', reason, readers: 'whole' };
}

function missing(kept: number, cause: UnknownOutcome['missing'], hidesRows = true): TruncationOutcome {
  return { kind: 'unknown', reason: 'missing', found: { kept }, hidesRows, missing: cause };
}

const DISAGREE: TruncationOutcome = { kind: 'unknown', reason: 'missing', hidesRows: true, missing: 'copiesDisagree' };

type Case = readonly [what: string, change: Partial<TruncationRecord>, ...steps: readonly Step[]];

function tests(cases: readonly Case[]): void {
  for (const [what, change, ...steps] of cases) {
    test(what, async (context) => {
      const { server, window, shared, watch, record, asked, look, stored } = await watching(context, change);
      for (const [place, step] of steps.entries()) {
        Object.assign(server, step.set);
        if (step.later !== undefined) {
          await look(0);
          // Of another window, of which this one is not notified.
          const { jobs } = windowOn(shared);
          await leaveTruncation(jobs, laterThan(record, step.later));
          await window.jobs.reload();
        }
        const at = `step ${place + 1}`;
        await look(step.times, step.every);
        const found = stored() ?? assert.fail(at);
        assert.deepEqual(found.ending, step.ending, at);
        const facts = { blocks: blockingReason(found), repair: repairOf(found), taskEnd: found.taskEnd };
        for (const fact of ['blocks', 'repair', 'taskEnd'] as const) {
          if (fact in step) {
            assert.deepEqual(facts[fact], step[fact], `${fact} of ${at}`);
          }
        }
        if (step.asked !== undefined) {
          assert.equal(asked().filter((action) => action === 'getEsTaskStatus').length, step.asked, at);
        }
        if (step.problem !== undefined) {
          const { sentence, next } = watch.lastPoll(record.id)?.problem ?? { sentence: '' };
          assert.match([sentence, next ?? ''].join(' ').trim(), step.problem, at);
        }
        if ('progress' in step) {
          const { seen: _, ...progress } = watch.lastPoll(record.id)?.progress ?? {};
          assert.deepEqual(progress, step.progress ?? {}, at);
        }
      }
    });
  }
}

suite('A completed task', () => {
  tests([
    [
      'is finished after five right counts over ten seconds, and is not asked for again meanwhile',
      {},
      { times: 4, ending: undefined },
      { ending: CLEAN, asked: 1 },
    ],
    [
      'is finished with rows left if they stay for ten minutes, which are counted again each time',
      {},
      { set: { toDelete: 8 }, times: 12, every: MINUTE, ending: rowsLeft(8) },
      { set: { toDelete: 3 }, ending: rowsLeft(3) },
      { set: { toDelete: 0 }, times: 5, ending: CLEAN },
    ],
    [
      // The count failed, not the deletion, and there is nothing to do.
      'is finished and not checked after ten minutes of failed counts, of which is said that they are repeated',
      {},
      {
        set: { isDown: true },
        times: 2,
        ending: undefined,
        problem: /^The rows couldn't be counted: .* This is tried again automatically\.$/,
      },
      { times: 7, every: MINUTE, ending: undefined },
      { times: 3, every: MINUTE, ending: NOT_CHECKED, problem: NONE },
    ],
    [
      'is still judged if only some counts have failed',
      {},
      { set: { isDown: true, toDelete: 20 }, times: 2, every: 5 * MINUTE, ending: undefined },
      { set: { isDown: false }, ending: undefined },
      { set: { isDown: true }, times: 2, every: 4 * MINUTE, ending: undefined },
      { set: { isDown: false, toDelete: 0 }, times: 5, ending: CLEAN },
    ],
    [
      'is judged by counts, and not asked for again, once the server has not known it for ten seconds',
      {},
      { set: { task: UNKNOWN, toDelete: 20 }, times: 6, every: 10_000, ending: undefined, taskEnd: { kind: 'gone' } },
      { set: { toDelete: 0 }, times: 5, ending: CLEAN, asked: 3 },
    ],
    [
      'of a delete by query never blocks the index, whatever is missing',
      {},
      {
        set: { kept: 100 },
        times: 6,
        every: MINUTE,
        ending: missing(100, 'notAvailable', false),
        blocks: undefined,
      },
    ],
  ]);
});

suite('A completed reindex', () => {
  tests([
    [
      'hides rows after five equal counts by a release that never refreshes',
      REINDEXING,
      { set: { release: 'v1.6.0.16rc6', task: COPIED, kept: 0 }, times: 4, ending: undefined },
      { ending: missing(0, 'notRefreshed') },
    ],
    [
      'hides rows after two minutes of missing rows, until searches find them again in five counts',
      REINDEXING,
      { set: { task: COPIED, kept: 0 }, times: 5, ending: undefined },
      { times: 4, every: MINUTE, ending: missing(0, 'notRefreshed'), blocks: 'rowsHidden' },
      // What can't be counted heals nothing.
      { set: { isUnreadable: true }, ending: missing(0, 'notRefreshed') },
      // What is said follows the last count at once.
      { set: { isUnreadable: false, kept: 7 }, ending: missing(7, 'notRefreshed') },
      { set: { kept: KEPT }, times: 4, ending: missing(KEPT, 'notRefreshed'), blocks: 'rowsHidden' },
      // Rows written later may stay hidden.
      { ending: CLEAN, blocks: undefined, repair: 'notRefreshed' },
    ],
    [
      'that hid rows needs repair also after copies disagreed, and if rows to delete are left',
      REINDEXING,
      { set: { task: COPIED, kept: 0 }, times: 6, every: MINUTE, ending: missing(0, 'notRefreshed') },
      { set: { kept: KEPT }, every: MINUTE, ending: missing(KEPT, 'notRefreshed') },
      { set: { kept: 0 }, every: MINUTE, ending: missing(0, 'notRefreshed') },
      { set: { kept: KEPT }, every: MINUTE, ending: missing(KEPT, 'notRefreshed') },
      { set: { kept: 0 }, every: MINUTE, ending: DISAGREE, repair: 'notRefreshed' },
      { set: { kept: KEPT, toDelete: 3 }, times: 25, every: MINUTE, ending: rowsLeft(3), repair: 'notRefreshed' },
    ],
    [
      'blocks its index if it could not be checked, since it may have hidden rows',
      REINDEXING,
      { set: { task: COPIED, isDown: true }, ending: undefined },
      // Two looks may have failed by chance.
      { every: 60 * MINUTE, ending: undefined },
      { ending: NOT_CHECKED, blocks: 'notChecked' },
      { set: { isDown: false }, times: 5, ending: CLEAN, blocks: undefined },
    ],
    [
      'that was refused hides rows until found, even if its dry run said delete by query',
      REFUSED_REINDEX,
      {
        set: { kept: 0 },
        times: 6,
        every: MINUTE,
        ending: missing(0, 'notRefreshedOrCopied'),
        blocks: 'rowsHidden',
      },
      { set: { kept: KEPT }, times: 5, ending: CLEAN, repair: 'notRefreshed' },
    ],
    [
      'that was refused needs no repair if no count ever missed a row',
      REFUSED_REINDEX,
      { set: { toDelete: 20 }, times: 25, every: MINUTE, ending: stopped(20), repair: undefined },
    ],
  ]);
});

suite('An incomplete task', () => {
  tests([
    [
      'failed before it began if it found no row, and deleted none if none is left later',
      {},
      { set: { task: task(true, { total: 0 }), toDelete: 20 }, ending: failed('neverBegan') },
      { set: { toDelete: 0 }, times: 5, ending: UNCOUNTED },
    ],
    [
      'is finished if another deletion took its rows, which searches found until the next refresh',
      {},
      { set: { task: task(true, { version_conflicts: 20 }), toDelete: 20 }, times: 2, ending: undefined },
      { set: { toDelete: 0 }, times: 5, ending: { ...CLEAN, deleted: 0, versionConflicts: 20 } },
    ],
    [
      'has failed after a minute if a write block let the task delete none',
      {},
      { set: { task: task(true, { deleted: 0 }), toDelete: 20 }, times: 4, ending: undefined },
      { times: 2, every: MINUTE / 2, ending: stopped(20), blocks: undefined },
    ],
    [
      'shows that the cluster refuses writes, while it runs and after it is gone',
      {},
      {
        set: { task: task(false, { retries: { bulk: 7, search: 0 } }), toDelete: 20 },
        ending: undefined,
        problem: /refuses writes.*disk is full/,
      },
      { set: { task: UNKNOWN }, times: 5, every: 10_000, ending: failed('writesRefused') },
    ],
    [
      'shows that the cluster refuses writes no more once rows are deleted',
      {},
      { set: { task: task(false, { retries: { bulk: 7, search: 0 } }), toDelete: 20 }, ending: undefined },
      { set: { task: task(false, { retries: { bulk: 7, search: 0 }, deleted: 5 }) }, ending: undefined, problem: NONE },
      { set: { task: UNKNOWN, toDelete: 15 }, times: 5, every: 10_000, ending: undefined },
    ],
    [
      'whose status can not be read is read again, not by the user',
      {},
      { set: { task: 500 }, ending: undefined, problem: / This is tried again automatically\.$/ },
    ],
  ]);
});

suite('A truncation whose task cannot be asked for', () => {
  tests([
    [
      'is judged only by counts, after it was refused for more than a moment',
      {},
      { set: { task: 403, toDelete: 5 }, times: 4, ending: undefined, progress: {} },
      { ending: undefined, progress: { counts: 'deleted', done: 15, total: 20 } },
      { set: { toDelete: 0 }, times: 5, ending: CLEAN },
    ],
    [
      'is judged by counts at once, and asked for only once, where the server lacks the action',
      {},
      {
        set: { task: undefined, toDelete: 5 },
        ending: undefined,
        progress: { counts: 'deleted', done: 15, total: 20 },
      },
      { set: { toDelete: 0 }, times: 5, ending: CLEAN, asked: 1 },
    ],
    [
      'is not judged by missing rows while its response may still come',
      { ...REINDEXING, taskId: undefined, sentAt: NOW },
      { set: { kept: 5 }, times: 6, every: 25_000, ending: undefined },
      { times: 2, every: 25_000, ending: missing(5, 'notRefreshedOrCopied') },
    ],
    [
      'is asked for again after a refusal of a moment',
      {},
      { set: { task: 404, toDelete: 20 }, times: 2, ending: undefined },
      { set: { task: task(false, { deleted: 5 }) }, times: 20, every: MINUTE, ending: undefined },
    ],
    [
      'is not judged if its rows could not be counted before it was sent',
      { baseline: undefined },
      { times: 5, ending: NOT_CHECKED },
    ],
  ]);
});

suite('A truncation that has ended', () => {
  const ended = { ending: CLEAN };
  tests([
    [
      'is not checked again after another truncation of the index, which deletes its rows',
      { ending: FAILED, endedAt: NOW },
      { ending: FAILED },
      { later: ended, set: { kept: 100 }, times: 6, every: MINUTE, ending: FAILED },
    ],
    [
      'keeps its end if its rows cannot be counted any more',
      { ...REINDEXING, taskEnd: { kind: 'whole' }, ending: missing(5, 'notRefreshed'), endedAt: NOW },
      { set: { isDown: true }, times: 8, every: 2 * MINUTE, ending: missing(5, 'notRefreshed'), blocks: 'rowsHidden' },
    ],
    [
      'ends without a check if another truncation of the index was sent meanwhile',
      {},
      { set: { task: task(false, { deleted: 5 }) }, ending: undefined },
      { later: {}, set: { task: task(true, { deleted: 20 }), kept: 100 }, ending: NOT_CHECKED },
    ],
    [
      'is judged even after another truncation if it blocks its index',
      {
        report: { ...RECORD.report, strategy: 'unknown' },
        ending: NOT_CHECKED,
        taskEnd: { kind: 'whole' },
        endedAt: NOW,
      },
      { later: ended, set: { kept: 0 }, times: 6, every: MINUTE, ending: missing(0, 'notRefreshedOrCopied') },
      { times: 2, every: MINUTE, ending: missing(0, 'notRefreshedOrCopied') },
      { set: { kept: KEPT }, times: 5, ending: CLEAN, repair: 'notRefreshed' },
    ],
    [
      'is judged by its rows even if another was sent later on another server',
      {},
      { later: { ...ended, baseUrl: 'https://staging.example.com' }, times: 5, ending: CLEAN },
    ],
    [
      'is judged by its rows even if another was sent before the clock was set back',
      {},
      { later: { ...ended, sentAt: NOW + 60 * 24 * MINUTE }, times: 5, ending: CLEAN },
    ],
  ]);
});

suite('A truncation before another one of its index', () => {
  tests([
    [
      'is unknown once its task cannot be asked for',
      {},
      { later: {}, set: { task: UNKNOWN }, times: 2, every: 10_000, ending: undefined },
      { every: 10_000, ending: { kind: 'unknown', reason: 'superseded' } },
    ],
  ]);
});

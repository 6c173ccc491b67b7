import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { removeConnection } from '../../../src/connections/removal.ts';
import { problemText } from '../../../src/truncation/outcome.ts';
import { endingRemarks } from '../../../src/truncation/texts/endingTexts.ts';
import { endMessage, statusText } from '../../../src/truncation/texts/statusTexts.ts';
import { TaskWatch } from '../../../src/truncation/watch.ts';
import {
  blockingReason,
  deletedRows,
  repairOf,
  rowsGone,
  taskEndTime,
  type TruncationRecord,
} from '../../../src/truncation/record.ts';
import {
  addConnection,
  connectionTo,
  type SharedStorage,
  sharedStorage,
  type Window,
  windowOn,
} from '../connections/window.ts';
import { reply, wireServer } from '../service/wireServer.ts';
import { Memory } from '../memory.ts';
import { SteppedClock } from '../steppedClock.ts';
import { itemOf, type JobRef } from '../../../src/truncation/job.ts';
import { leaveTruncation } from './journals.ts';
import { FAILED, FINISHED, MINUTE, NOW, RECORD, REINDEX, TASK_ID, dryRunText, endProblem } from './samples.ts';

/** State of the server, which a test changes. */
interface ServerTruth {
  /** Undefined: the server doesn't say. */
  release: string | undefined;
  /** Status of the task, or an HTTP status. */
  task: object | number;
  /** Rows that searches find: dated at or before the cutoff, and later. */
  toDelete: number;
  kept: number;
  /** Rows dated after the execution. */
  later: number;
  /** Makes dry runs fail. */
  isDown: boolean;
  /** Makes dry runs respond without counts. */
  isUnreadable: boolean;
  /** Called before the response to each dry run. */
  counted: () => Promise<void> | void;
}

interface Watching {
  readonly window: Window;
  readonly shared: SharedStorage;
  readonly watch: TaskWatch;
  readonly clock: SteppedClock;
  readonly server: ServerTruth;
  /** Record of an existing connection. Not stored yet. */
  readonly record: TruncationRecord;
  /** Actions that were requested. */
  readonly asked: () => (string | null)[];
  readonly shown: TruncationRecord[];
  /** Stores the record, looks several times with pauses, and returns what is stored then. */
  look(times?: number, pauseMillis?: number): Promise<TruncationRecord | undefined>;
}

const BASELINE = { countedUpTo: NOW, kept: 181 };
const CLEAN = { ...FINISHED, readers: 'clean' } as const;

function task(completed: boolean, counts: object, more: object = {}): object {
  const status = { total: 20, created: 0, updated: 0, deleted: 0, version_conflicts: 0, ...counts };
  return { completed, taskId: TASK_ID, status: JSON.stringify(status), ...more };
}

async function watching(context: TestContext, change: Partial<TruncationRecord> = {}): Promise<Watching> {
  const truth: ServerTruth = {
    release: undefined,
    task: task(true, { deleted: 20 }),
    toDelete: 0,
    kept: BASELINE.kept,
    later: 0,
    isDown: false,
    isUnreadable: false,
    counted: () => undefined,
  };
  const server = await wireServer(context, async ({ path, body }, response) => {
    if (path.includes('getEsTaskStatus')) {
      return typeof truth.task === 'number'
        ? reply(response, truth.task, { message: 'User is unauthorized', status: truth.task })
        : reply(response, 200, { value: JSON.stringify(truth.task) });
    }
    if (!path.includes('truncate')) {
      const versions = truth.release === undefined ? {} : { 'acryldata/datahub': { version: truth.release } };
      return reply(response, 200, { noCode: 'true', versions });
    }
    await truth.counted();
    const { endTimeMillis } = JSON.parse(body) as { endTimeMillis: number };
    const upToThen = truth.toDelete + truth.kept;
    const toDelete = endTimeMillis === RECORD.plan.endTimeMillis ? truth.toDelete : upToThen;
    const text = truth.isUnreadable
      ? 'The moon is full.'
      : dryRunText(toDelete, upToThen + truth.later, 'deleteByQuery');
    return truth.isDown
      ? reply(response, 400, { message: 'Down', status: 400 })
      : reply(response, 200, { value: text });
  });
  const shared = await sharedStorage(context);
  const window = windowOn(shared);
  const connection = await addConnection(window, connectionTo(server.url));
  const clock = new SteppedClock(NOW);
  const shown: TruncationRecord[] = [];
  const watch = new TaskWatch(window.jobs, window.services, window.store, clock);
  watch.onDidChange((record) => shown.push(record));
  context.after(() => watch.dispose());
  const record = {
    ...RECORD,
    baseline: BASELINE,
    ...change,
    connectionId: connection.id,
    baseUrl: connection.baseUrl,
  };
  return {
    window,
    shared,
    watch,
    clock,
    server: truth,
    record,
    shown,
    asked: () => server.requests.map(({ path }) => new URL(path, server.url).searchParams.get('action')),
    look: async (times = 1, pauseMillis = 2_500) => {
      if (window.jobs.get(record.connectionId, record.id) === undefined) {
        await leaveTruncation(window.jobs, record);
      }
      for (let time = 0; time < times; time++) {
        clock.advance(pauseMillis);
        await watch.checkNow(record);
      }
      return window.jobs.get(record.connectionId, record.id);
    },
  };
}

suite('Completed task', () => {
  test('is finished after five right counts over ten seconds', async (context) => {
    const { look } = await watching(context);
    const early = await look(4);
    assert.deepEqual([early?.ending, early?.taskEnd?.kind], [undefined, 'whole']);
    const end = await look();
    assert.deepEqual(end?.ending, CLEAN);
    assert.deepEqual(end.readers, { at: end.endedAt, toDelete: 0, kept: BASELINE.kept });
  });

  test('is not asked for again while rows are counted', async (context) => {
    const { look, asked } = await watching(context);
    await look(5);
    assert.equal(asked().filter((action) => action === 'getEsTaskStatus').length, 1);
  });

  test('is not finished while searches find old rows, and is finished once they do not', async (context) => {
    const { server, look } = await watching(context);
    server.toDelete = 20;
    assert.equal((await look(10))?.ending, undefined);
    server.toDelete = 0;
    assert.deepEqual((await look(5))?.ending, CLEAN);
  });

  test('is finished with rows left if they stay for ten minutes', async (context) => {
    const { server, look } = await watching(context);
    server.toDelete = 3;
    const end = await look(12, MINUTE);
    assert.deepEqual(end?.ending, { ...FINISHED, readers: 'rowsLeft', rowsLeft: 3 });
    server.toDelete = 0;
    assert.deepEqual((await look(5))?.ending, CLEAN, 'it is judged again');
  });

  test('is finished and not checked after ten minutes without a count in the responses', async (context) => {
    const { server, look } = await watching(context);
    server.isUnreadable = true;
    assert.equal((await look(2))?.ending, undefined);
    assert.deepEqual((await look(10, MINUTE))?.ending, { ...FINISHED, readers: 'notChecked' });
  });

  test('is finished and not checked after ten minutes of failed counts', async (context) => {
    const { server, look, watch, record } = await watching(context);
    server.isDown = true;
    assert.equal((await look(2))?.ending, undefined);
    // The count failed, not the deletion, and there is nothing to do.
    assert.match(watch.watchProblem(record.id)?.sentence ?? '', /^The rows couldn't be counted: /);
    assert.equal(watch.watchProblem(record.id)?.next, "They're counted again automatically.");
    assert.deepEqual((await look(10, MINUTE))?.ending, { ...FINISHED, readers: 'notChecked' });
    assert.equal(watch.watchProblem(record.id), undefined, 'how it ended is shown');
  });

  for (const [release, looks] of [
    ['v1.6.0.16rc6', 5],
    ['v0.14.0', undefined],
  ] as const) {
    test(`of a reindex by ${release} hides rows after ${looks ?? 'more than five'} equal counts`, async (context) => {
      const { server, look } = await watching(context, { report: { ...RECORD.report, strategy: 'reindex' } });
      server.release = release;
      server.task = task(true, { total: BASELINE.kept, created: BASELINE.kept });
      server.kept = 0;
      assert.equal((await look(4))?.ending, undefined);
      const ending = (await look())?.ending;
      assert.equal(ending?.kind === 'unknown' && ending.missing, looks === undefined ? false : 'notRefreshed');
    });
  }

  test('of a reindex hides rows after two minutes of missing rows, until searches find them again', async (context) => {
    const { server, look } = await watching(context, { report: { ...RECORD.report, strategy: 'reindex' } });
    server.task = task(true, { total: BASELINE.kept, created: BASELINE.kept });
    server.kept = 0;
    assert.equal((await look(5))?.ending, undefined);
    const hidden = await look(4, MINUTE);
    assert.ok(hidden?.ending?.kind === 'unknown');
    assert.deepEqual([hidden.ending.hidesRows, hidden.ending.missing], [true, 'notRefreshed']);
    assert.equal(blockingReason(hidden), 'rowsHidden');
    server.isUnreadable = true;
    assert.deepEqual((await look())?.ending, hidden.ending, 'what cannot be counted heals nothing');
    server.isUnreadable = false;
    // The headline follows the last count at once.
    for (const kept of [7, BASELINE.kept]) {
      server.kept = kept;
      const again = await look();
      assert.ok(again?.ending?.kind === 'unknown');
      assert.match(
        endProblem(again).sentence,
        new RegExp(`^Searches find ${kept} of ${BASELINE.kept} rows to keep\\b`),
      );
    }
    const unproven = await look(3);
    assert.equal(unproven?.ending?.kind, 'unknown', 'one right count heals nothing');
    assert.equal(blockingReason(unproven), 'rowsHidden');
    const healed = await look();
    assert.deepEqual(healed?.ending, CLEAN);
    assert.equal(repairOf(healed), 'notRefreshed', 'rows written later may stay hidden');
    assert.equal(blockingReason(healed), undefined);
  });

  test('of a reindex that hid rows needs repair also after copies disagreed, and if rows to delete are left', async (context) => {
    const { server, look } = await watching(context, { report: { ...RECORD.report, strategy: 'reindex' } });
    server.task = task(true, { total: BASELINE.kept, created: BASELINE.kept });
    server.kept = 0;
    await look(6, MINUTE);
    for (let minute = 0; minute < 12; minute++) {
      server.kept = minute % 2 === 0 ? BASELINE.kept : 0;
      await look(1, MINUTE);
    }
    const disagreeing = await look();
    assert.equal(disagreeing?.ending?.kind === 'unknown' && disagreeing.ending.missing, 'copiesDisagree');
    assert.equal(disagreeing && repairOf(disagreeing), 'notRefreshed');
    Object.assign(server, { kept: BASELINE.kept, toDelete: 3 });
    const left = (await look(25, MINUTE)) ?? assert.fail();
    assert.equal(left.ending?.kind === 'finished' && left.ending.readers, 'rowsLeft');
    assert.equal(repairOf(left), 'notRefreshed');
  });

  test('of a reindex blocks its index if it could not be checked, since it may have hidden rows', async (context) => {
    const { server, look } = await watching(context, { report: { ...RECORD.report, strategy: 'reindex' } });
    server.task = task(true, { total: BASELINE.kept, created: BASELINE.kept });
    server.isDown = true;
    await look();
    assert.equal((await look(1, 60 * MINUTE))?.ending, undefined, 'two looks may have failed by chance');
    const end = await look();
    assert.deepEqual(end?.ending, { ...FINISHED, deleted: 20, readers: 'notChecked' });
    assert.equal(blockingReason(end), 'notChecked');
    server.isDown = false;
    assert.equal(blockingReason((await look(5)) ?? assert.fail()), undefined);
  });

  test('of a refused reindex hides rows until found, even if its dry run said delete by query', async (context) => {
    const { server, look } = await watching(context, {
      taskId: undefined,
      taskEnd: { kind: 'short' },
      ending: { kind: 'unknown', reason: 'rowsHidden', hidesRows: true, missing: 'notRefreshedOrCopied' },
      endedAt: NOW,
    });
    server.kept = 0;
    const hidden = await look(6, MINUTE);
    assert.ok(hidden?.ending?.kind === 'unknown');
    assert.deepEqual([hidden.ending.missing, blockingReason(hidden)], ['notRefreshedOrCopied', 'rowsHidden']);
    server.kept = BASELINE.kept;
    const healed = await look(5);
    assert.deepEqual(healed?.ending, { ...CLEAN, deleted: 20 });
    assert.equal(repairOf(healed), 'notRefreshed');
  });

  test('of a refused reindex needs no repair if no count ever missed a row', async (context) => {
    const { server, look } = await watching(context, {
      taskId: undefined,
      taskEnd: { kind: 'short' },
      ending: { kind: 'unknown', reason: 'rowsHidden', hidesRows: true, missing: 'notRefreshedOrCopied' },
      endedAt: NOW,
    });
    server.toDelete = 20;
    const end = (await look(25, MINUTE)) ?? assert.fail();
    assert.deepEqual([end.ending?.kind, repairOf(end)], ['failed', undefined]);
  });

  test('is judged only by counts after its end', async (context) => {
    const { server, look } = await watching(context);
    Object.assign(server, { task: { error: `Could not get task status for ${TASK_ID}` }, toDelete: 20 });
    assert.equal((await look(6, 10_000))?.taskEnd?.kind, 'gone');
    server.task = task(false, { deleted: 5 });
    await look(20, MINUTE);
    server.task = task(true, { deleted: 20 });
    assert.equal((await look())?.ending, undefined, 'searches may show the rows for some seconds more');
  });

  test('is checked at growing intervals if the rows can no longer be counted', async (context) => {
    const { server, look, asked, watch, clock } = await watching(context);
    await look();
    server.isDown = true;
    await look();
    const before = asked().length;
    const looking = watch.keepWatching();
    // The timer of the next look starts once a look is over.
    const looked = async (): Promise<void> => {
      while (clock.waiting === 0) await new Promise(setImmediate);
    };
    await looked();
    for (let seconds = 0; seconds < 300; seconds++) {
      clock.advance(1_000);
      await looked();
    }
    looking.dispose();
    const requests = asked().length - before;
    assert.ok(requests >= 10 && requests < 60, String(requests));
  });

  test('is judged even after the clock was set back', async (context) => {
    const { look, clock } = await watching(context);
    await look(3);
    clock.advance(-60 * MINUTE);
    assert.deepEqual((await look(5))?.ending, CLEAN);
  });

  test('of a delete by query never blocks the index, whatever is missing', async (context) => {
    const { server, look } = await watching(context);
    server.kept = 100;
    const end = await look(6, MINUTE);
    assert.ok(end?.ending?.kind === 'unknown');
    assert.deepEqual(
      [end.ending.hidesRows, end.ending.missing, blockingReason(end)],
      [false, 'notAvailable', undefined],
    );
  });
});

suite('Incomplete task', () => {
  for (const [what, status, remark] of [
    ['ended early', task(true, { deleted: 12 }), /after 12 of 20 rows\.$/],
    ['was cancelled', task(true, { deleted: 12, canceled: 'by user' }), /canceled on the server: by user\.$/],
    ['failed', task(true, { deleted: 12, failures: ['disk full'] }), /ended with failures\.$/],
  ] as const) {
    test(`has stopped after ten minutes without change and does not block its index if it ${what}`, async (context) => {
      const { server, look } = await watching(context);
      Object.assign(server, { task: status, toDelete: 8 });
      assert.equal((await look(5))?.ending, undefined);
      const end = await look(10, MINUTE);
      assert.ok(end?.ending?.kind === 'failed');
      assert.equal(endProblem(end).sentence, 'Stopped with 8 rows left to delete.');
      assert.match(endingRemarks(end, NOW).join('; '), remark);
      assert.equal(blockingReason(end), undefined);
    });
  }

  for (const [what, status, polls] of [
    ['found no row', task(true, { total: 0 }), 1],
    ['met only conflicts, and no other deletion takes the rows', task(true, { version_conflicts: 20 }), 25],
  ] as const) {
    test(`failed before it began if it ${what}`, async (context) => {
      const { server, look } = await watching(context);
      Object.assign(server, { task: status, toDelete: 20 });
      const end = await look(polls);
      assert.ok(end?.ending?.kind === 'failed');
      assert.match(endProblem(end).sentence, /^It failed before it began/);
      server.toDelete = 0;
      const healed = await look(5);
      assert.ok(healed?.ending?.kind === 'finished');
      assert.equal(healed.ending.deleted ?? 0, 0, 'it deleted none');
    });
  }

  test('is finished if another deletion took its rows, which searches found until the next refresh', async (context) => {
    const { server, look } = await watching(context);
    Object.assign(server, { task: task(true, { version_conflicts: 20 }), toDelete: 20 });
    assert.equal((await look(2))?.ending, undefined);
    server.toDelete = 0;
    const end = (await look(5)) ?? assert.fail();
    assert.equal(statusText(end, undefined, NOW), 'Another deletion had already deleted these rows.');
    assert.deepEqual([deletedRows(end), rowsGone(end)], [0, 20]);
    assert.match(
      endMessage(end, 'prod', true),
      /: 0 rows deleted\. Another deletion had already deleted these rows\.$/,
    );
  });

  test('has failed after a minute if a write block let the task delete none', async (context) => {
    const { server, look } = await watching(context);
    Object.assign(server, { task: task(true, { deleted: 0 }), toDelete: 20 });
    assert.equal((await look(4))?.ending, undefined);
    const end = await look(2, MINUTE / 2);
    assert.ok(end?.ending?.kind === 'failed');
    assert.equal(endProblem(end).sentence, 'Stopped with 20 rows left to delete.');
    assert.match(endingRemarks(end, NOW).join('; '), /^The task ended early, after 0 of 20 rows\.$/);
    assert.doesNotMatch(endProblem(end).next ?? '', /Run the truncation again/);
    assert.equal(blockingReason(end), undefined);
  });

  test('keeps the reason of a full disk if the window is reloaded before the task is forgotten', async (context) => {
    const { server, look, window, record } = await watching(context);
    Object.assign(server, { task: task(false, { retries: { bulk: 7, search: 0 } }), toDelete: 20 });
    await look();
    server.task = { error: `Could not get task status for ${TASK_ID}` };
    const clock = new SteppedClock(NOW + MINUTE);
    const reloaded = new TaskWatch(window.jobs, window.services, window.store, clock);
    context.after(() => reloaded.dispose());
    for (let time = 0; time < 6; time++) {
      clock.advance(10_000);
      await reloaded.checkNow(record);
    }
    const stored = window.jobs.get(record.connectionId, record.id) ?? assert.fail();
    assert.match(endProblem(stored).sentence, /refuses writes.*disk is full/);
  });

  test('says of a failed status that it is read again, not that the user should try again', async (context) => {
    const { server, look, watch, record } = await watching(context);
    server.task = 500;
    await look();
    assert.equal(watch.watchProblem(record.id)?.next, "The task's status is read again automatically.");
  });

  test('counts the rows left in its headline again with each count', async (context) => {
    const { server, look } = await watching(context);
    Object.assign(server, { task: task(true, { deleted: 12 }), toDelete: 8 });
    const stopped = await look(12, MINUTE);
    const headline = (ended: TruncationRecord): string => problemText(endProblem(ended));
    assert.match(
      headline(stopped ?? assert.fail()),
      /Stopped with 8 rows left to delete\. Run the truncation again\.$/,
    );
    server.toDelete = 3;
    assert.match(headline((await look()) ?? assert.fail()), /Stopped with 3 rows left to delete\./);
    server.toDelete = 0;
    const none = headline((await look()) ?? assert.fail());
    assert.match(none, /No row to delete is left\. Check again later\.$/);
    assert.doesNotMatch(none, /Run the truncation again/);
  });

  test('counts the rows that searches still find again with each count', async (context) => {
    const { server, look } = await watching(context);
    server.toDelete = 8;
    const found = await look(12, MINUTE);
    assert.deepEqual(found?.ending?.kind === 'finished' && found.ending.rowsLeft, 8);
    server.toDelete = 3;
    const fewer = await look();
    assert.deepEqual(fewer?.ending?.kind === 'finished' && fewer.ending.rowsLeft, 3);
  });

  test('shows that the cluster refuses writes, while it runs and after it is gone', async (context) => {
    const { server, look, watch, record } = await watching(context);
    Object.assign(server, { task: task(false, { retries: { bulk: 7, search: 0 } }), toDelete: 20 });
    assert.equal((await look())?.ending, undefined);
    assert.match(watch.watchProblem(record.id)?.sentence ?? '', /refuses writes.*disk is full/);
    server.task = { error: `Could not get task status for ${TASK_ID}` };
    const end = await look(5, 10_000);
    assert.ok(end?.ending?.kind === 'failed');
    assert.match(endProblem(end).sentence, /refuses writes/);
  });
});

suite('Task that the server does not know', () => {
  const unknown = { error: `Could not get task status for ${TASK_ID}` };

  test('is not gone after one response or after a failure', async (context) => {
    const { server, look } = await watching(context);
    server.task = unknown;
    assert.equal((await look(2))?.taskEnd, undefined);
    server.task = task(false, { deleted: 5 });
    assert.equal((await look())?.taskEnd, undefined);
    server.task = 500;
    assert.equal((await look(2))?.taskEnd, undefined);
  });

  test('is finished if searches find what they should', async (context) => {
    const { server, look } = await watching(context);
    server.task = unknown;
    assert.deepEqual((await look(20))?.ending, CLEAN);
  });

  test('has stopped if rows are left for ten minutes', async (context) => {
    const { server, look } = await watching(context);
    Object.assign(server, { task: unknown, toDelete: 8 });
    const end = await look(16, MINUTE);
    assert.ok(end?.ending?.kind === 'failed');
    assert.equal(endProblem(end).sentence, 'Stopped with 8 rows left to delete.');
    assert.match(endingRemarks(end, NOW).join('; '), /no longer knows this task/);
  });

  for (const [what, report] of [
    ['a reindex', REINDEX],
    ['a delete by query', RECORD.report],
  ] as const) {
    test(`runs again if the server says so: ${what}`, async (context) => {
      const { server, look } = await watching(context, {
        report,
        taskEnd: { kind: 'gone' },
        ending: FAILED,
        endedAt: 1,
      });
      server.task = task(false, { total: 1_083, created: 5 });
      const end = await look();
      assert.deepEqual(
        [end?.ending, end?.endedAt, end?.taskEnd, end?.taskId],
        [undefined, undefined, undefined, TASK_ID],
      );
    });
  }
});

suite('Truncation whose task cannot be asked for', () => {
  test('is judged only by counts', async (context) => {
    const { server, look, watch, record } = await watching(context);
    Object.assign(server, { task: 403, toDelete: 5 });
    await look(4);
    assert.equal(watch.progress(record.id), undefined, 'it may have been refused for a moment only');
    await look();
    assert.partialDeepStrictEqual(watch.progress(record.id), { counts: 'deleted', done: 15, total: 20 });
    server.toDelete = 0;
    assert.deepEqual((await look(5))?.ending, CLEAN);
  });

  for (const [server, taskId, isTimeoutNamed] of [
    ['PostgreSQL', '3b241101-e2bb-4255-8caf-4136c566a962', true],
    ['Elasticsearch', TASK_ID, false],
  ] as const) {
    test(`${isTimeoutNamed ? 'mentions' : 'never mentions'} its timeout on ${server}`, async (context) => {
      const plan = { ...RECORD.plan, timeoutSeconds: 60 };
      const { server: truth, look } = await watching(context, { plan, taskId });
      Object.assign(truth, { task: 403, toDelete: 15 });
      const end = await look(14, MINUTE);
      assert.ok(end?.ending?.kind === 'failed');
      assert.equal(/60/.test(endProblem(end).next ?? ''), isTimeoutNamed);
    });
  }

  test('is finished after a lost response once searches find what they should', async (context) => {
    const { look } = await watching(context, {
      taskId: undefined,
      ending: { kind: 'unknown', reason: 'lost' },
    });
    assert.deepEqual((await look(5))?.ending, CLEAN);
  });

  test('is asked for again after a temporary refusal', async (context) => {
    const { server, look } = await watching(context);
    Object.assign(server, { task: 404, toDelete: 20 });
    await look(2);
    server.task = task(false, { deleted: 5 });
    assert.equal((await look(20, MINUTE))?.ending, undefined, 'it is running');
    server.task = 404;
    await look(6, 10_000);
    server.task = task(false, { deleted: 10 });
    assert.equal((await look(20, MINUTE))?.ending, undefined, 'it is running all the same');
  });

  test('of an earlier version is judged by the rows up to the time of sending', async (context) => {
    const { server, look } = await watching(context, { baseline: undefined });
    server.later = 5;
    assert.deepEqual((await look(5))?.ending, CLEAN);
  });

  test('of an earlier version is not finished because of rows written since', async (context) => {
    const { server, look } = await watching(context, {
      baseline: undefined,
      report: { ...RECORD.report, strategy: 'reindex' },
    });
    Object.assign(server, { kept: 0, later: 2_000 });
    assert.deepEqual((await look(14, MINUTE))?.ending, { ...FINISHED, readers: 'notChecked' });
    server.later = 0;
    const end = await look(6, MINUTE);
    assert.ok(end?.ending?.kind === 'unknown');
    assert.match(endingRemarks(end, NOW).join('; '), /If another job deleted these rows, use "Forget Truncation"\.$/);
  });
});

suite('Truncation that has ended', () => {
  test('is not checked again if searches found what they should', async (context) => {
    const { look, asked, shown } = await watching(context, { ending: CLEAN, endedAt: NOW });
    await look(2);
    assert.deepEqual(asked(), []);
    assert.deepEqual(shown.at(-1)?.ending, CLEAN);
  });

  test('is not judged again after another truncation of the index', async (context) => {
    const { window, watch, clock, record } = await watching(context, { ending: FAILED, endedAt: 1 });
    await leaveTruncation(window.jobs, record);
    await leaveTruncation(window.jobs, {
      ...record,
      id: `${crypto.randomUUID()}.0`,
      sentAt: record.sentAt + 1,
      ending: CLEAN,
    });
    const looking = watch.keepWatching();
    watch.judgeAgain({ id: record.connectionId, baseUrl: record.baseUrl ?? '' }, record.plan);
    assert.equal(clock.waiting, 0);
    looking.dispose();
  });

  test('is not checked again after another truncation of the index, which deletes its rows', async (context) => {
    const { window, server, look, record } = await watching(context, { ending: FAILED, endedAt: NOW });
    await look();
    await leaveTruncation(window.jobs, {
      ...record,
      id: `${crypto.randomUUID()}.0`,
      sentAt: record.sentAt + 1,
      ending: CLEAN,
    });
    server.kept = 100;
    assert.deepEqual((await look(6, MINUTE))?.ending, FAILED);
  });

  test('ends without a check if another truncation of the index was sent meanwhile', async (context) => {
    const { window, server, look, record } = await watching(context);
    server.task = task(false, { deleted: 5 });
    await look();
    await leaveTruncation(window.jobs, { ...record, id: `${crypto.randomUUID()}.0`, sentAt: record.sentAt + 1 });
    Object.assign(server, { task: task(true, { deleted: 20 }), kept: 100 });
    assert.deepEqual((await look())?.ending, { ...FINISHED, readers: 'notChecked' });
  });

  test('is judged even after another truncation if it blocks its index', async (context) => {
    const { window, server, look, record } = await watching(context, {
      report: { ...RECORD.report, strategy: 'unknown' },
      ending: { ...FINISHED, readers: 'notChecked' },
      taskEnd: { kind: 'whole' },
      endedAt: NOW,
    });
    await leaveTruncation(window.jobs, {
      ...record,
      id: `${crypto.randomUUID()}.0`,
      sentAt: record.sentAt + 1,
      ending: CLEAN,
    });
    server.kept = 0;
    const hidden = await look(6, MINUTE);
    assert.ok(hidden?.ending?.kind === 'unknown');
    assert.equal(hidden.ending.missing, 'notRefreshedOrCopied');
    assert.equal((await look(2, MINUTE))?.ending, hidden.ending, 'the next look says the same');
    server.kept = BASELINE.kept;
    const healed = await look(5);
    assert.deepEqual(healed?.ending, CLEAN);
    assert.equal(repairOf(healed), 'notRefreshed');
  });

  for (const [what, change] of [
    ['on another server', { baseUrl: 'https://staging.example.com' }],
    ['before the clock was set back', { sentAt: NOW + 60 * 24 * MINUTE }],
  ] as const) {
    test(`is judged by its rows even if another was sent later, ${what}`, async (context) => {
      const { window, look, record } = await watching(context);
      await leaveTruncation(window.jobs, {
        ...record,
        id: `${crypto.randomUUID()}.0`,
        sentAt: record.sentAt + 1,
        ending: CLEAN,
        ...change,
      });
      assert.deepEqual((await look(5))?.ending, CLEAN);
    });
  }

  test('is not judged by rows that a truncation of another window deletes meanwhile', async (context) => {
    const { window, shared, server, look, record } = await watching(context, {
      report: { ...RECORD.report, strategy: 'reindex' },
      ending: { ...FINISHED, readers: 'rowsLeft', rowsLeft: 3 },
      taskEnd: { kind: 'whole' },
      endedAt: NOW,
    });
    const before = await look();
    Object.assign(server, { kept: 100 });
    const other = windowOn(shared);
    await other.jobs.load();
    await leaveTruncation(other.jobs, {
      ...record,
      id: `${crypto.randomUUID()}.0`,
      sentAt: record.sentAt + 1,
      ending: CLEAN,
    });
    assert.deepEqual((await look(6, MINUTE))?.ending, before?.ending);
    assert.ok(window.jobs.get(record.connectionId, record.id) !== undefined);
  });

  test('is stored once, not with each equal count', async (context) => {
    const { server, look } = await watching(context);
    server.toDelete = 3;
    const first = await look(12, MINUTE);
    const second = await look(2, MINUTE);
    assert.equal(second?.readers?.at, first?.readers?.at);
  });
});

suite('Look at a truncation', () => {
  test('yields the time without progress, and whether there ever was any', async (context) => {
    const { server, look, watch, record, clock } = await watching(context);
    const seen = (): object | undefined => watch.progress(record.id)?.seen;
    server.task = task(false, { deleted: 5 });
    await look();
    const first = clock.now();
    await look(2, MINUTE);
    assert.deepEqual(seen(), { at: clock.now(), since: first, hasMoved: false, isReported: true });
    server.task = task(false, { deleted: 6 });
    await look();
    assert.deepEqual(seen(), { at: clock.now(), since: clock.now(), hasMoved: true, isReported: true });
    const moved = clock.now();
    server.task = task(false, { deleted: 4 });
    await look();
    assert.deepEqual(
      seen(),
      { at: clock.now(), since: moved, hasMoved: true, isReported: true },
      'fewer is no progress',
    );
  });

  test('does not claim that the server reports a running task if it only counts rows', async (context) => {
    const { server, look, watch, record, clock } = await watching(context, {
      taskId: '3b241101-e2bb-4255-8caf-4136c566a962',
    });
    server.toDelete = 15;
    await look(2, MINUTE);
    const since = clock.now() - MINUTE;
    assert.deepEqual(watch.progress(record.id)?.seen, { at: clock.now(), since, hasMoved: false, isReported: false });
  });

  test('is described with its time and counts, each time', async (context) => {
    for (const [change, count] of [
      [
        { taskId: undefined, sessionId: 'another window' },
        { toDelete: 7, kept: BASELINE.kept },
      ],
      [{ taskId: undefined, ending: { kind: 'unknown', reason: 'lost' }, endedAt: NOW }, { toDelete: 7 }],
      [{ ending: FAILED, taskEnd: { kind: 'short' }, endedAt: NOW }, { toDelete: 7 }],
    ] as const) {
      const { server, look, watch, record, clock } = await watching(context, change);
      server.toDelete = 7;
      assert.equal(watch.lastPoll(record.id), undefined);
      for (let times = 0; times < 3; times++) {
        await look();
        assert.partialDeepStrictEqual(watch.lastPoll(record.id), { at: clock.now(), count });
      }
      server.isDown = true;
      await look();
      assert.partialDeepStrictEqual(watch.lastPoll(record.id), { at: clock.now(), count: 'notCounted' });
    }
  });

  test('has a time even if it only asks for a task, or the connection points elsewhere', async (context) => {
    const { server, look, watch, record, clock, window } = await watching(context);
    server.task = task(false, { deleted: 5 });
    await look();
    assert.deepEqual([watch.lastPoll(record.id)?.at, watch.lastPoll(record.id)?.count], [clock.now(), undefined]);
    const other = { ...record, id: `${crypto.randomUUID()}.0`, baseUrl: 'https://staging.example.com' };
    await leaveTruncation(window.jobs, other);
    await watch.checkNow(other);
    assert.deepEqual([watch.lastPoll(other.id)?.at, watch.lastPoll(other.id)?.count], [clock.now(), undefined]);
  });

  test('is offered while it may change the end, which is not after a later truncation', async (context) => {
    const { window, watch, record, clock } = await watching(context);
    clock.advance(MINUTE);
    const failed = { ...record, ending: FAILED, endedAt: NOW };
    await leaveTruncation(window.jobs, failed);
    for (const [one, canCheck] of [
      [record, true],
      [failed, true],
      [{ ...record, ending: { ...FINISHED, readers: 'rowsLeft' } }, true],
      [{ ...record, ending: { ...FINISHED, readers: 'notChecked' } }, true],
      [{ ...record, ending: CLEAN }, false],
    ] as const) {
      assert.equal(watch.canCheck(one), canCheck, JSON.stringify(one.ending));
    }
    await leaveTruncation(window.jobs, { ...record, id: `${crypto.randomUUID()}.0`, sentAt: record.sentAt + 1 });
    assert.equal(watch.canCheck(failed), false);
    assert.equal(watch.canCheck(record), true, 'its task can still be asked for');
    assert.equal(watch.canCheck({ ...failed, report: REINDEX }), true, 'it keeps its index from being truncated');
  });

  test('stores the run time from the server, however late the end is seen', async (context) => {
    const { server, look, record } = await watching(context);
    server.task = task(true, { deleted: 20 }, { runTimeNanos: 90e9 });
    const stored = await look(5);
    assert.deepEqual([stored?.runTimeMillis, stored && taskEndTime(stored)], [90_000, record.sentAt + 90_000]);
  });

  test('stores no end if the server reports none', async (context) => {
    const { look } = await watching(context);
    const stored = await look(5);
    assert.ok(stored?.ending !== undefined && stored.runTimeMillis === undefined && taskEndTime(stored) === undefined);
  });

  test('uses what is stored now, since the response may have come', async (context) => {
    const { window, watch, record, asked } = await watching(context, { sentAt: NOW });
    const { taskId: _, ...sending } = record;
    await leaveTruncation(window.jobs, { ...sending, taskId: TASK_ID });
    await watch.checkNow(sending);
    assert.ok(asked().includes('getEsTaskStatus'));
  });

  test('finds the response that another window stored', async (context) => {
    const change = { sentAt: NOW, sessionId: 'another', taskId: undefined };
    const { window, shared, watch, record: sending, asked } = await watching(context, change);
    await leaveTruncation(window.jobs, sending);
    await window.jobs.load();
    // VS Code does not notify this window.
    const other = windowOn({ ...shared, memory: new Memory() });
    await other.jobs.load();
    await other.jobs.append(jobOf(sending), { kind: 'task', at: NOW, item: 0, taskId: TASK_ID });
    await watch.checkNow(sending);
    assert.ok(asked().includes('getEsTaskStatus'));
    assert.equal(window.jobs.get(sending.connectionId, sending.id)?.taskId, TASK_ID);
  });

  test('does not call a truncation lost while its response may come', async (context) => {
    const { server, look } = await watching(context, { sentAt: NOW, taskId: undefined });
    server.toDelete = 20;
    assert.equal((await look(3))?.ending, undefined);
  });

  test('is followed by others while the response may come, until rows were counted often enough', async (context) => {
    const { window, watch, clock, record } = await watching(context, { sentAt: NOW, taskId: undefined });
    await leaveTruncation(window.jobs, record);
    context.after(() => looking.dispose());
    const looking = watch.keepWatching();
    await window.jobs.load();
    await watch.checkNow(record);
    for (let count = 1; count < 5; count++) {
      await nextTimer(clock);
      const counted = nextChange(watch);
      clock.advance(2_500);
      await counted;
    }
    assert.deepEqual(window.jobs.get(record.connectionId, record.id)?.ending, CLEAN);
  });

  test('restores no record if another window removes the connection meanwhile', async (context) => {
    const { window, shared, server, look, record } = await watching(context);
    await look(4);
    let removal: Promise<void> | undefined;
    server.counted = () => {
      const other = windowOn(shared);
      const forgetConnection = (id: string): Promise<void> => other.jobs.forgetConnection(id);
      removal ??= removeConnection({ ...other, forgetConnection }, record.connectionId);
      return removal;
    };
    await look();
    // Removing the connection aborts its requests, so the look ends first.
    await removal;
    await window.jobs.reload();
    assert.deepEqual(window.jobs.of(record.connectionId), []);
  });

  test('forgets why it could not be watched once another window stored its end', async (context) => {
    const { server, watch, window, record, look } = await watching(context);
    server.isDown = true;
    await look(2);
    assert.ok(watch.watchProblem(record.id));
    const stored = window.jobs.get(record.connectionId, record.id) ?? assert.fail();
    await window.jobs.append(jobOf(stored), { kind: 'ended', at: NOW, item: 0, ending: CLEAN, endedAt: NOW });
    await look();
    assert.equal(watch.watchProblem(record.id), undefined);
  });

  test('keeps what another window stored meanwhile', async (context) => {
    const { window, shared, server, look, record } = await watching(context);
    await look(4);
    server.counted = async () => {
      await windowOn(shared).jobs.append(jobOf(record), { kind: 'task', at: NOW, item: 0, taskId: 'node:7' });
    };
    await look();
    const now = window.jobs.get(record.connectionId, record.id);
    assert.deepEqual([now?.taskId, now?.ending], ['node:7', undefined]);
  });

  test('restores nothing that was forgotten meanwhile', async (context) => {
    const { window, shared, server, look, record } = await watching(context);
    await look(4);
    server.counted = () => windowOn(shared).jobs.dismiss(record, NOW);
    await look();
    assert.equal(window.jobs.get(record.connectionId, record.id), undefined);
  });

  test('sends no request for a forgotten truncation or a removed connection', async (context) => {
    const { window, watch, record, asked } = await watching(context);
    await watch.checkNow(record);
    await leaveTruncation(window.jobs, record);
    await window.store.remove(record.connectionId);
    await watch.checkNow(record);
    assert.deepEqual(asked(), []);
  });

  test('sends no request for other truncations', async (context) => {
    const { window, watch, clock, record, shown, asked } = await watching(context);
    const other = { ...record, id: `${crypto.randomUUID()}.0`, taskId: 'node:2' };
    await leaveTruncation(window.jobs, other);
    await leaveTruncation(window.jobs, record);
    const looked = Promise.withResolvers<void>();
    watch.onDidChange(() => looked.resolve());
    const looking = watch.keepWatching(record.id);
    await nextTimer(clock);
    clock.advance(1_000);
    await looked.promise;
    looking.dispose();
    assert.deepEqual([...new Set(shown.map(({ id }) => id))], [record.id]);
    assert.ok(asked().includes('getEsTaskStatus'));
  });
});

function nextChange(watch: TaskWatch): Promise<void> {
  return new Promise((resolve) => {
    const listening = watch.onDidChange(() => {
      listening.dispose();
      resolve();
    });
  });
}

function jobOf({ connectionId, id }: TruncationRecord): JobRef {
  return { connectionId, id: itemOf(id).id };
}

/** Waits until the watch has set a timer, since it reads records and ends a look first. */
async function nextTimer(clock: SteppedClock): Promise<void> {
  while (clock.waiting === 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

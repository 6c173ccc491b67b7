import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { TestContext } from 'node:test';
import { systemClock } from '../../../src/service/clock.ts';
import { TaskWatch } from '../../../src/truncation/watch.ts';
import type { TruncationRecord } from '../../../src/truncation/model/record.ts';
import { connectionTo, sharedStorage, windowOn } from '../connections/window.ts';
import { reply, wireServer } from '../service/wireServer.ts';
import { RECORD, REINDEX, TASK_ID, dryRunText } from './model/samples.ts';

const { total, toDelete } = REINDEX.rows ?? assert.fail();
const STAYING = total - toDelete;
const LOST = {
  kind: 'unknown',
  failing: { sentence: "The server doesn't know this task any more.", next: 'Check again later.' },
} as const;

interface Answers {
  /** Of the task; a number is an HTTP status. */
  readonly task: object | number;
  /** Of each dry run; `upToNow` of the one that counts every row there was when it was sent. */
  readonly dryRun: string;
  readonly upToNow?: string;
}

interface Watched {
  /** Looks once more, and tells what is written down then. */
  look(): Promise<TruncationRecord>;
  /** Moves the clock on, in ms. */
  later(millis: number): void;
}

async function watching(
  context: TestContext,
  change: Partial<TruncationRecord>,
  { task, dryRun, upToNow = dryRun }: Answers,
): Promise<Watched> {
  const server = await wireServer(context, ({ path, body }, response) => {
    if (path.includes('getEsTaskStatus')) {
      return typeof task === 'number'
        ? reply(response, task, { message: 'User is unauthorized', status: task })
        : reply(response, 200, { value: JSON.stringify(task) });
    }
    const isPlan = body.includes(String(RECORD.plan.endTimeMillis));
    return reply(response, 200, {
      value: path.includes('truncate') ? (isPlan ? dryRun : upToNow) : { indexSizes: [] },
    });
  });
  const window = windowOn(await sharedStorage(context));
  const connection = connectionTo(server.url);
  await window.store.save(connection);
  let offset = 0;
  const clock = { ...systemClock, now: () => Date.now() + offset };
  const watch = new TaskWatch(window.records, window.services, window.store, clock);
  context.after(() => watch.dispose());
  const record = {
    ...RECORD,
    ...change,
    sentAt: Date.now(),
    reviewedAt: Date.now(),
    connectionId: connection.id,
    baseUrl: connection.baseUrl,
  };
  await window.records.save(record);
  return {
    look: async () => {
      await watch.checkNow(record);
      return window.records.get(record.connectionId, record.id) ?? assert.fail();
    },
    later: (millis) => void (offset += millis),
  };
}

const taskOf = (completed: boolean, counts: object): object => ({
  completed,
  taskId: TASK_ID,
  status: JSON.stringify({ total: 0, created: 0, updated: 0, deleted: 0, version_conflicts: 0, ...counts }),
});

suite('A task that ended without a word on what it did', () => {
  test('is not finished where a reindex left readers with fewer rows than should stay', async (context) => {
    const watched = await watching(context, { report: REINDEX }, { task: taskOf(true, {}), dryRun: dryRunText(0, 0) });
    const { ending } = await watched.look();
    assert.ok(ending?.kind === 'unknown' && ending.hidesRows === true);
  });

  test('is not finished where the rows that it should delete are still there', async (context) => {
    const watched = await watching(
      context,
      {},
      { task: taskOf(true, {}), dryRun: dryRunText(20, 201, 'deleteByQuery') },
    );
    const { ending } = await watched.look();
    assert.ok(ending?.kind === 'unknown' && ending.hidesRows === undefined);
    assert.match(ending.failing.sentence, /doesn't say what it did/);
  });

  test('is finished where no row is left to delete', async (context) => {
    const watched = await watching(
      context,
      {},
      { task: taskOf(true, {}), dryRun: dryRunText(0, 181, 'deleteByQuery') },
    );
    assert.equal((await watched.look()).ending?.kind, 'finished');
  });
});

suite('A reindex whose task cannot be asked for', () => {
  test('is never called finished for what is seen again: rows that were written later may be dated earlier', async (context) => {
    const watched = await watching(
      context,
      { report: REINDEX },
      {
        task: 403,
        dryRun: dryRunText(0, STAYING, 'deleteByQuery'),
        upToNow: dryRunText(STAYING, STAYING, 'reindex'),
      },
    );
    await watched.look();
    await watched.look();
    const { ending } = await watched.look();
    assert.ok(ending?.kind === 'unknown' && ending.hidesRows === false);
    assert.match(ending.failing.next ?? '', /before the old index is removed/);
  });
});

suite('A truncation that was given up', () => {
  for (const [what, report] of [
    ['a reindex', REINDEX],
    ['a delete by query', RECORD.report],
  ] as const) {
    test(`runs again when the server says that its task runs: ${what}`, async (context) => {
      const task = taskOf(false, { total: STAYING, created: 5 });
      const watched = await watching(
        context,
        { report, ending: LOST, endedAt: 1 },
        { task, dryRun: dryRunText(0, 5, 'deleteByQuery') },
      );
      const { ending, endedAt, taskId } = await watched.look();
      assert.deepEqual([ending, endedAt, taskId], [undefined, undefined, TASK_ID]);
    });
  }
});

suite('The timeout of a truncation', () => {
  for (const [server, taskId, mayHaveEndedIt] of [
    ['PostgreSQL', '3b241101-e2bb-4255-8caf-4136c566a962', true],
    ['Elasticsearch', TASK_ID, false],
  ] as const) {
    test(`is ${mayHaveEndedIt ? '' : 'never '}told as what may have ended it on ${server}`, async (context) => {
      const plan = { ...RECORD.plan, timeoutSeconds: 60 };
      const watched = await watching(
        context,
        { plan, taskId },
        { task: 403, dryRun: dryRunText(15, 196, 'deleteByQuery') },
      );
      await watched.look();
      await watched.look();
      watched.later(11 * 60_000);
      const { ending } = await watched.look();
      assert.ok(ending?.kind === 'unknown');
      assert.equal(/60/.test(ending.failing.next ?? ''), mayHaveEndedIt);
    });
  }
});

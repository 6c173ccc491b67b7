import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { TestContext } from 'node:test';
import { removeConnection } from '../../../src/connections/removal.ts';
import { systemClock } from '../../../src/service/clock.ts';
import { TaskWatch } from '../../../src/truncation/watch.ts';
import { endOf } from '../../../src/truncation/model/record.ts';
import type { TruncationRecord } from '../../../src/truncation/model/record.ts';
import { connectionTo, sharedStorage, windowOn } from '../connections/window.ts';
import type { Shared, Window } from '../connections/window.ts';
import { reply, wireServer } from '../service/wireServer.ts';
import { FINISHED, RECORD, TASK_ID } from './model/samples.ts';

interface Watching {
  readonly window: Window;
  readonly watch: TaskWatch;
  /** A truncation of a connection that is there, with a task that has deleted all its rows. */
  readonly record: TruncationRecord;
  /** Actions that the server was asked for. */
  readonly asked: () => (string | null)[];
  readonly shown: TruncationRecord[];
}

/**
 * @param beforeEnd Happens between an end that is seen and the writing of it.
 * @param more What the server tells of the task besides.
 */
async function watching(
  context: TestContext,
  beforeEnd?: (shared: Shared, record: TruncationRecord) => Promise<void>,
  more: object = {},
): Promise<Watching> {
  const status = JSON.stringify({ total: 20, deleted: 20, created: 0, updated: 0, version_conflicts: 0 });
  const server = await wireServer(context, ({ path }, response) =>
    reply(response, 200, {
      value: path.includes('getEsTaskStatus')
        ? JSON.stringify({ completed: true, taskId: TASK_ID, status, ...more })
        : { indexSizes: [] },
    }),
  );
  const shared = await sharedStorage(context);
  const window = windowOn(shared);
  const connection = connectionTo(server.url);
  await window.store.save(connection);
  const shown: TruncationRecord[] = [];
  const watch = new TaskWatch(window.records, window.services, window.store, systemClock);
  watch.onDidChange((record) => shown.push(record));
  context.after(() => watch.dispose());
  const record = { ...RECORD, connectionId: connection.id, baseUrl: connection.baseUrl };
  const reload = window.records.reload.bind(window.records);
  let beforeReload = beforeEnd;
  // What other windows wrote is read just before the end is written.
  window.records.reload = async () => {
    const happens = beforeReload;
    beforeReload = undefined;
    await happens?.(shared, record);
    await reload();
  };
  const asked = (): (string | null)[] =>
    server.requests.map(({ path }) => new URL(path, server.url).searchParams.get('action'));
  return { window, watch, record, asked, shown };
}

suite('A look at a task', () => {
  test('sees how it ended, and writes it down', async (context) => {
    const { window, watch, record, shown } = await watching(context);
    await window.records.save(record);
    await watch.checkNow(record);
    assert.deepEqual(shown.at(-1)?.ending, FINISHED);
    const stored = window.records.get(record.connectionId, record.id);
    assert.deepEqual([stored?.ending, stored?.sizeAfter], [FINISHED, undefined]);
  });

  test('writes down how long it ran, as the server tells, however late it is seen', async (context) => {
    const { window, watch, record } = await watching(context, undefined, { runTimeNanos: 90e9 });
    await window.records.save(record);
    await watch.checkNow(record);
    const [stored] = window.records.of(record.connectionId);
    assert.deepEqual([stored?.runTimeMillis, stored && endOf(stored)], [90_000, record.sentAt + 90_000]);
  });

  test('knows no end where the server tells none', async (context) => {
    const { window, watch, record } = await watching(context);
    await window.records.save(record);
    await watch.checkNow(record);
    const [stored] = window.records.of(record.connectionId);
    assert.ok(stored?.ending !== undefined && stored.runTimeMillis === undefined && endOf(stored) === undefined);
  });

  test('goes by what is written down now: another window may have seen the end', async (context) => {
    const { window, watch, record, asked, shown } = await watching(context);
    await window.records.save({ ...record, ending: FINISHED, endedAt: record.sentAt + 1 });
    await watch.checkNow(record);
    assert.deepEqual(asked(), []);
    assert.deepEqual(shown.at(-1)?.ending, FINISHED);
  });

  test('goes by what is written down now: the answer may have come since', async (context) => {
    const { window, watch, record, asked } = await watching(context);
    const { taskId: _, ...sending } = { ...record, sentAt: Date.now() };
    await window.records.save({ ...sending, taskId: TASK_ID });
    await watch.checkNow(sending);
    assert.ok(asked().includes('getEsTaskStatus'));
    assert.deepEqual(window.records.get(record.connectionId, record.id)?.ending, FINISHED);
  });

  test('brings no record back when another window removes the connection as the end is seen', async (context) => {
    const { window, watch, record } = await watching(context, (shared, { connectionId }) => {
      const other = windowOn(shared);
      return removeConnection({ ...other, forgetConnection: (id) => other.records.forgetConnection(id) }, connectionId);
    });
    await window.records.save(record);
    await watch.checkNow(record);
    await window.records.reload();
    assert.deepEqual(window.records.of(record.connectionId), []);
  });

  test('of one that may have hidden rows asks nothing, and leaves it as it is', async (context) => {
    const { window, watch, record, asked, shown } = await watching(context);
    const hiding = {
      ...record,
      taskId: undefined,
      ending: { kind: 'unknown', failing: { sentence: 'Hidden.' }, hidesRows: true },
      endedAt: record.sentAt + 1,
    } as const;
    await window.records.save(hiding);
    await watch.checkNow(hiding);
    assert.deepEqual(asked(), []);
    assert.deepEqual(window.records.get(record.connectionId, record.id)?.ending, hiding.ending);
    assert.equal(shown.length > 0, true);
  });

  test('of one whose answer may still come does not call it lost', async (context) => {
    const { window, watch, record, asked } = await watching(context);
    const { taskId: _, ...sending } = { ...record, sentAt: Date.now() };
    await window.records.save(sending);
    await watch.checkNow(sending);
    assert.equal(asked().at(-1), 'truncateTimeseriesAspect');
    assert.equal(window.records.get(record.connectionId, record.id)?.ending, undefined);
  });

  test('takes away nothing that another window wrote down meanwhile', async (context) => {
    const answered = { taskId: 'node:7', sentAt: Date.now() };
    const { window, watch, record } = await watching(context, (shared, seen) =>
      windowOn(shared).records.save({ ...seen, ...answered, ending: undefined }),
    );
    await window.records.save(record);
    await watch.checkNow(record);
    const now = window.records.get(record.connectionId, record.id);
    assert.deepEqual([now?.taskId, now?.ending], ['node:7', undefined]);
  });

  test('brings nothing back that was forgotten meanwhile', async (context) => {
    const { window, watch, record } = await watching(context, (shared, seen) => windowOn(shared).records.forget(seen));
    await window.records.save(record);
    await watch.checkNow(record);
    assert.equal(window.records.get(record.connectionId, record.id), undefined);
  });

  test('asks nothing of a truncation that is forgotten, or whose connection was removed', async (context) => {
    const { window, watch, record, asked } = await watching(context);
    await watch.checkNow(record);
    await window.records.save(record);
    await window.store.beginRemoval(record.connectionId);
    await watch.checkNow(record);
    assert.deepEqual(asked(), []);
  });
});

suite('While somebody looks', () => {
  test('at one truncation, no other one is asked for', async (context) => {
    const { window, watch, record, shown } = await watching(context);
    const other = { ...record, id: crypto.randomUUID(), taskId: 'node:2' };
    await window.records.save(other);
    await window.records.save(record);
    const seen = Promise.withResolvers<void>();
    watch.onDidChange(({ ending }) => ending !== undefined && seen.resolve());
    const looking = watch.look(record.id);
    await seen.promise;
    looking.dispose();
    assert.deepEqual([...new Set(shown.map(({ id }) => id))], [record.id]);
    assert.equal(window.records.get(other.connectionId, other.id)?.ending, undefined);
  });
});

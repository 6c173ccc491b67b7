import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { MAX_BATCH_ITEMS } from '../../../src/batch/protocol.ts';
import { sharedStorage, windowOn } from '../connections/window.ts';
import { Memory } from '../memory.ts';
import { FINISHED, MINUTE, NOW, RECORD, REINDEX, TASK_ID } from './samples.ts';

const OTHER = { ...RECORD, id: '0d6c55a5-28f5-4d0c-8c7c-0f6f7cf3a001', sentAt: RECORD.sentAt + 1, taskId: undefined };

suite('Records of one connection', () => {
  test('include all of its truncations, the latest first', async (context) => {
    const { records } = windowOn(await sharedStorage(context));
    await records.save(RECORD);
    await records.save(OTHER);
    assert.deepEqual(
      records.of(RECORD.connectionId).map(({ id }) => id),
      [OTHER.id, RECORD.id],
    );
    assert.equal(records.get(RECORD.connectionId, RECORD.id)?.taskId, TASK_ID);
    assert.deepEqual(records.of('another'), []);
  });

  test('can be forgotten one by one', async (context) => {
    const { records } = windowOn(await sharedStorage(context));
    await records.save(RECORD);
    await records.save(OTHER);
    await records.forget(OTHER);
    assert.deepEqual(
      records.of(RECORD.connectionId).map(({ id }) => id),
      [RECORD.id],
    );
  });

  test('are all kept, even of several large batches', async (context) => {
    const { records } = windowOn(await sharedStorage(context));
    const ended = Array.from({ length: 3 * MAX_BATCH_ITEMS }, (_, number) => ({
      ...RECORD,
      id: crypto.randomUUID(),
      sentAt: RECORD.sentAt + number,
      ending: FINISHED,
    }));
    for (const record of ended) {
      await records.save(record);
    }
    assert.equal(records.of(RECORD.connectionId).length, ended.length);
  });

  for (const [what, without] of [
    ['VS Code lost its storage', { memory: new Memory() }],
    ['the files are on another machine', { path: '/nowhere/at/all' }],
  ] as const) {
    test(`are found by a new window if ${what}`, async (context) => {
      const shared = await sharedStorage(context);
      const { records } = windowOn(shared);
      await records.save(RECORD);
      await records.save(OTHER);
      const later = windowOn({ ...shared, ...without }).records;
      await later.load();
      assert.deepEqual(
        later.of(RECORD.connectionId).map(({ id }) => id),
        [OTHER.id, RECORD.id],
      );
    });
  }
});

test('Running truncations of a server are those of all its connections, unless they have ended', async (context) => {
  const { records } = windowOn(await sharedStorage(context));
  const baseUrl = 'https://datahub.example.com';
  const running = { ...RECORD, baseUrl };
  await records.save(running);
  await records.save({ ...OTHER, taskId: TASK_ID, baseUrl, ending: FINISHED });
  const on = (id: string, url: string): readonly string[] =>
    records.underWayOn({ id, baseUrl: url }, NOW).map((record) => record.id);
  assert.deepEqual(on('another connection', baseUrl), [RECORD.id]);
  assert.deepEqual(on(RECORD.connectionId, 'https://other.example.com'), []);
});

test("Another window's truncation runs while its response may come; a reindex blocks even longer", async (context) => {
  const { records } = windowOn(await sharedStorage(context));
  const { taskId: _, ...sent } = { ...RECORD, report: REINDEX, sessionId: 'another window' };
  await records.save(sent);
  const server = { id: RECORD.connectionId, baseUrl: 'https://datahub.example.com' };
  assert.deepEqual(
    [records.underWayOn(server, NOW).length, records.underWayOn(server, NOW + 4 * MINUTE).length],
    [1, 0],
  );
  assert.equal(records.inTheWay(server, RECORD.plan, 'the next one', NOW + 4 * MINUTE)?.id, RECORD.id);
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { MAX_BATCH_ITEMS } from '../../../src/batch/protocol.ts';
import { SESSION_ID } from '../../../src/truncation/record.ts';
import { openWindow, sharedStorage, windowOn } from '../connections/window.ts';
import { FINISHED, LOST, MINUTE, NOW, RECORD, REINDEX, TASK_ID } from './samples.ts';

const OTHER = { ...RECORD, id: '0d6c55a5-28f5-4d0c-8c7c-0f6f7cf3a001', sentAt: RECORD.sentAt + 1, taskId: undefined };
/** About to be sent. */
const UNSENT = { ...RECORD, taskId: undefined, sessionId: SESSION_ID };

suite('Records of one connection', () => {
  test('include all of its truncations, the latest first, also in a new window', async (context) => {
    const shared = await sharedStorage(context);
    const { records } = windowOn(shared);
    await records.claim(RECORD);
    await records.claim(OTHER);
    for (const store of [records, (await openWindow(shared)).records]) {
      assert.deepEqual(
        store.of(RECORD.connectionId).map(({ id }) => id),
        [OTHER.id, RECORD.id],
      );
      assert.equal(store.get(RECORD.connectionId, RECORD.id)?.taskId, TASK_ID);
      assert.deepEqual(store.of('another'), []);
    }
  });

  test('can be forgotten one by one', async (context) => {
    const { records } = windowOn(await sharedStorage(context));
    await records.claim(RECORD);
    await records.claim(OTHER);
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
      await records.claim(record);
      await records.save(record);
    }
    assert.equal(records.of(RECORD.connectionId).length, ended.length);
  });

  test("are forgotten with it, also those that can't be read", async (context) => {
    const shared = await sharedStorage(context);
    const { records } = windowOn(shared);
    await records.claim(RECORD);
    await shared.folders('truncations').create(`${RECORD.connectionId}.damaged.json`, 'damaged');
    await windowOn(shared).records.forgetConnection(RECORD.connectionId);
    await records.reload();
    assert.deepEqual([records.of(RECORD.connectionId), records.unreadable(RECORD.connectionId)], [[], []]);
  });
});

suite('A truncation', () => {
  test('is claimed by one of two windows, and taken back by none but that one', async (context) => {
    const shared = await sharedStorage(context);
    const [{ records }, { records: others }] = [windowOn(shared), windowOn(shared)];
    const claims = await Promise.all([records.claim(UNSENT), others.claim(UNSENT)]);
    assert.deepEqual(claims.toSorted(), [false, true]);
    await records.takeBack(UNSENT);
    assert.equal(await others.isForgotten(UNSENT), true);
    assert.ok(await others.claim({ ...UNSENT, sessionId: 'another window' }));
    await records.takeBack(UNSENT);
    assert.equal(await others.isForgotten(UNSENT), false);
  });

  test('keeps what another window counted when its sender stores the task', async (context) => {
    const shared = await sharedStorage(context);
    const [{ records }, { records: others }] = [windowOn(shared), windowOn(shared)];
    await records.claim(UNSENT);
    const readers = { at: NOW, toDelete: 7, kept: 181 };
    await others.saveCounted({ ...UNSENT, readers });
    await records.save({ ...UNSENT, taskId: TASK_ID });
    await records.reload();
    assert.partialDeepStrictEqual(records.get(UNSENT.connectionId, UNSENT.id), { taskId: TASK_ID, readers });
  });

  test('keeps the task that its sender stored when another window counts', async (context) => {
    const shared = await sharedStorage(context);
    const [{ records }, { records: others }] = [windowOn(shared), windowOn(shared)];
    await records.claim(UNSENT);
    await others.load();
    await records.save({ ...UNSENT, taskId: TASK_ID, ending: LOST });
    // The sender's word is no count: an end that was withdrawn goes.
    await others.saveCounted({ ...UNSENT, ending: undefined, writesRefused: true });
    await records.reload();
    const stored = records.get(UNSENT.connectionId, UNSENT.id);
    assert.deepEqual([stored?.taskId, stored?.ending, stored?.writesRefused], [TASK_ID, undefined, true]);
  });

  test('that another window has forgotten is not written again', async (context) => {
    const shared = await sharedStorage(context);
    const { records } = windowOn(shared);
    await records.claim(UNSENT);
    await windowOn(shared).records.forget(UNSENT);
    await records.save({ ...UNSENT, taskId: TASK_ID });
    await records.saveCounted({ ...UNSENT, ending: FINISHED });
    assert.equal(await records.isForgotten(UNSENT), true);
    assert.deepEqual([...(await shared.folders('truncations').readAll()).keys()], []);
  });

  test("whose file can't be read is in the way of its connection alone, and not forgotten", async (context) => {
    const shared = await sharedStorage(context);
    const { records } = windowOn(shared);
    await shared.folders('truncations').create(`${RECORD.connectionId}.${RECORD.id}.json`, '{"v":2}');
    await records.load();
    const baseUrl = 'https://datahub.example.com';
    const inTheWay = (id: string): unknown => records.inTheWay({ id, baseUrl }, RECORD.plan, 'the next one', NOW);
    assert.deepEqual([inTheWay(RECORD.connectionId), inTheWay('another')], ['unreadable', undefined]);
    assert.equal(await records.isForgotten(RECORD), false);
    await records.forget(RECORD);
    assert.equal(inTheWay(RECORD.connectionId), undefined);
    assert.equal(await records.isForgotten(RECORD), true);
  });
});

test('Running truncations of a server are those of all its connections, unless they have ended', async (context) => {
  const { records } = windowOn(await sharedStorage(context));
  const baseUrl = 'https://datahub.example.com';
  await records.claim({ ...RECORD, baseUrl });
  await records.claim({ ...OTHER, taskId: TASK_ID, baseUrl, ending: FINISHED });
  const on = (id: string, url: string): readonly string[] =>
    records.underWayOn({ id, baseUrl: url }, NOW).map((record) => record.id);
  assert.deepEqual(on('another connection', baseUrl), [RECORD.id]);
  assert.deepEqual(on(RECORD.connectionId, 'https://other.example.com'), []);
});

test("Another window's truncation runs while its response may come; a reindex blocks even longer", async (context) => {
  const { records } = windowOn(await sharedStorage(context));
  const sent = { ...RECORD, taskId: undefined, report: REINDEX, sessionId: 'another window' };
  await records.claim(sent);
  const server = { id: RECORD.connectionId, baseUrl: 'https://datahub.example.com' };
  assert.deepEqual(
    [records.underWayOn(server, NOW).length, records.underWayOn(server, NOW + 4 * MINUTE).length],
    [1, 0],
  );
  assert.equal(
    records.inTheWay(server, RECORD.plan, 'the next one', NOW + 4 * MINUTE),
    records.get(sent.connectionId, sent.id),
  );
});

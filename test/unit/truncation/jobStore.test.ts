import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { itemOf, type JobRef } from '../../../src/truncation/storedJob.ts';
import type { TruncationRecord } from '../../../src/truncation/sentTruncation.ts';
import { openWindow, sharedStorage, windowOn } from '../connections/window.ts';
import { leaveTruncation } from './journals.ts';
import { FINISHED, LOST, NOW, RECORD, TASK_ID, UNANSWERED } from './samples.ts';

const OTHER = { ...RECORD, id: '0d6c55a5-28f5-4d0c-8c7c-0f6f7cf3a001.0', sentAt: RECORD.sentAt + 1, taskId: undefined };
const { connectionId, baseUrl } = RECORD;
const JOB: JobRef = { connectionId, id: itemOf(RECORD.id).id };

function idsOf(records: readonly TruncationRecord[]): readonly string[] {
  return records.map(({ id }) => id);
}

suite('Truncations of one connection', () => {
  test('are all there, the latest first, also in a new window', async (context) => {
    const shared = await sharedStorage(context);
    const { jobs } = windowOn(shared);
    await leaveTruncation(jobs, RECORD);
    await leaveTruncation(jobs, OTHER);
    for (const store of [jobs, (await openWindow(shared)).jobs]) {
      assert.deepEqual(idsOf(store.of(connectionId)), [OTHER.id, RECORD.id]);
      assert.equal(store.get(connectionId, RECORD.id)?.taskId, TASK_ID);
      assert.deepEqual(store.of('another'), []);
    }
  });

  test('can be dismissed one by one, in all windows', async (context) => {
    const shared = await sharedStorage(context);
    const { jobs } = windowOn(shared);
    await leaveTruncation(jobs, RECORD);
    await leaveTruncation(jobs, OTHER);
    await jobs.dismiss(OTHER, NOW);
    for (const store of [jobs, (await openWindow(shared)).jobs]) {
      assert.deepEqual(idsOf(store.of(connectionId)), [RECORD.id]);
      assert.equal(store.inTheWay({ id: connectionId, baseUrl }, OTHER.plan, RECORD.id, NOW), undefined);
    }
  });

  test('go with it, also jobs that can’t be read', async (context) => {
    const shared = await sharedStorage(context);
    const { jobs } = windowOn(shared);
    await leaveTruncation(jobs, RECORD);
    await shared.folders('jobs').create(`${connectionId}.damaged.json`, 'damaged');
    await windowOn(shared).jobs.forgetConnection(connectionId);
    await jobs.reload();
    assert.deepEqual([jobs.of(connectionId), jobs.unreadable(connectionId)], [[], []]);
  });

  test('are kept while they may matter, and the last hundred of those that are over', async (context) => {
    const { jobs } = windowOn(await sharedStorage(context));
    const ended = Array.from({ length: 102 }, (_, number) => ({
      ...RECORD,
      id: `${crypto.randomUUID()}.0`,
      reviewedAt: NOW + number,
      ending: FINISHED,
    }));
    const hiding = { ...OTHER, reviewedAt: 0, ending: { ...LOST, hidesRows: true } as TruncationRecord['ending'] };
    for (const record of [hiding, ...ended]) {
      await leaveTruncation(jobs, record);
    }
    await leaveTruncation(jobs, RECORD);
    await jobs.saveCounted({ ...RECORD, ending: FINISHED }, NOW);
    const kept = new Set(idsOf(jobs.of(connectionId)));
    assert.equal(kept.size, 101);
    assert.ok(kept.has(hiding.id) && !kept.has(ended[0]?.id ?? '') && kept.has(ended.at(-1)?.id ?? ''));
  });
});

suite('A journal', () => {
  test('has what its sender learned and what another window counted, whoever wrote first', async (context) => {
    const shared = await sharedStorage(context);
    const [{ jobs }, { jobs: others }] = [windowOn(shared), windowOn(shared)];
    await leaveTruncation(jobs, UNANSWERED);
    await others.load();
    await jobs.append(JOB, { kind: 'task', at: NOW, item: 0, taskId: TASK_ID });
    await others.saveCounted({ ...UNANSWERED, writesRefused: true }, NOW);
    for (const store of [jobs, others]) {
      await store.reload();
      assert.partialDeepStrictEqual(store.get(connectionId, RECORD.id), { taskId: TASK_ID, writesRefused: true });
    }
  });

  test('that is gone with its connection is not written again', async (context) => {
    const shared = await sharedStorage(context);
    const { jobs } = windowOn(shared);
    await leaveTruncation(jobs, UNANSWERED);
    await windowOn(shared).jobs.forgetConnection(connectionId);
    await jobs.append(JOB, { kind: 'task', at: NOW, item: 0, taskId: TASK_ID });
    await jobs.saveCounted({ ...UNANSWERED, ending: FINISHED }, NOW);
    assert.equal((await shared.folders('jobs').readAll()).size, 0);
    assert.deepEqual(jobs.of(connectionId), []);
  });

  test("that can't be read is in the way of its connection alone, until it is removed", async (context) => {
    const shared = await sharedStorage(context);
    const { jobs } = windowOn(shared);
    await shared.folders('jobs').create(`${connectionId}.${JOB.id}.json`, '{"v":2}');
    await jobs.load();
    const inTheWay = (id: string): unknown => jobs.inTheWay({ id, baseUrl }, RECORD.plan, 'the next one', NOW);
    assert.deepEqual([inTheWay(connectionId), inTheWay('another')], ['unreadable', undefined]);
    await jobs.remove(JOB);
    assert.equal(inTheWay(connectionId), undefined);
  });
});

test('Running truncations of a server are those of all its connections, unless they have ended', async (context) => {
  const { jobs } = windowOn(await sharedStorage(context));
  await leaveTruncation(jobs, RECORD);
  await leaveTruncation(jobs, { ...OTHER, taskId: TASK_ID, ending: FINISHED });
  assert.deepEqual(idsOf(jobs.underWayOn({ baseUrl }, NOW)), [RECORD.id]);
  assert.deepEqual(jobs.underWayOn({ baseUrl: 'https://other.example.com' }, NOW), []);
});

test('A reindex that hid rows is in the way of its connection by another path, and of others to its server', async (context) => {
  const { jobs } = windowOn(await sharedStorage(context));
  await leaveTruncation(jobs, { ...RECORD, ending: { kind: 'unknown', reason: 'rowsHidden', hidesRows: true } });
  const isInTheWay = (id: string, url: string): boolean =>
    jobs.inTheWay({ id, baseUrl: url }, RECORD.plan, 'the next one', NOW) !== undefined;
  assert.ok(isInTheWay(connectionId, `${baseUrl}/api/gms`));
  assert.ok(isInTheWay('another', baseUrl));
  assert.ok(!isInTheWay('another', 'https://other.example.com'));
});

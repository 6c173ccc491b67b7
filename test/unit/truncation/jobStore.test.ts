import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { itemOf, itemsLeft, type JobItem, type JobRef } from '../../../src/truncation/job.ts';
import type { JobFact, PlannedFact } from '../../../src/truncation/jobFacts.ts';
import { JobStore } from '../../../src/truncation/jobStore.ts';
import type { TruncationRecord } from '../../../src/truncation/record.ts';
import { openWindow, sharedStorage, windowOn, type SharedStorage } from '../connections/window.ts';
import { leaveTruncation } from './journals.ts';
import { FINISHED, LOST, MINUTE, NOW, PLAN, RECORD, TASK_ID } from './samples.ts';

const OTHER = { ...RECORD, id: '0d6c55a5-28f5-4d0c-8c7c-0f6f7cf3a001.0', sentAt: RECORD.sentAt + 1, taskId: undefined };
const UNANSWERED = { ...RECORD, taskId: undefined };
const { connectionId, baseUrl } = RECORD;
const JOB: JobRef = { connectionId, id: itemOf(RECORD.id).id };
const OPERATION = { ...PLAN, aspect: 'operation' };
/** Of the overview, with two items. */
const PLANNED: PlannedFact = {
  kind: 'planned',
  at: NOW,
  baseUrl,
  origin: 'overview',
  items: [{ plan: PLAN }, { plan: OPERATION }],
};
const SENT: JobFact = { kind: 'sent', item: 0, at: NOW, sessionId: 'a session' };

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
    const later = { connectionId, id: crypto.randomUUID() };
    await jobs.create(later, { ...PLANNED, at: 0 });
    await jobs.append(later, { kind: 'continuedBy', at: NOW, jobId: crypto.randomUUID() });
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
    assert.ok(jobs.job(later), 'whoever wants to continue it may fail');
  });
});

suite('A journal', () => {
  test('is written by one of two windows', async (context) => {
    const shared = await sharedStorage(context);
    const stores = [windowOn(shared).jobs, windowOn(shared).jobs];
    const created = await Promise.all(stores.map((jobs) => leaveTruncation(jobs, UNANSWERED)));
    assert.deepEqual(created.toSorted(), [false, true]);
  });

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
    assert.equal(await jobs.append(JOB, { kind: 'task', at: NOW, item: 0, taskId: TASK_ID }), false);
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

suite('An interrupted job', () => {
  interface Window {
    readonly jobs: JobStore;
    /** Continues with both items. */
    readonly goesOn: (now?: () => number, create?: (ref: JobRef) => Promise<boolean>) => Promise<boolean>;
  }

  function window(shared: SharedStorage): Window {
    const { jobs } = windowOn(shared);
    return {
      jobs,
      goesOn: (now = () => NOW, create = (ref) => jobs.create(ref, { ...PLANNED, at: NOW + 1 })) => {
        const ref = { connectionId, id: crypto.randomUUID() };
        return jobs.continueWith(JOB, { ref, create: () => create(ref) }, [0, 1], now);
      },
    };
  }

  async function interrupted(context: TestContext): Promise<SharedStorage> {
    const shared = await sharedStorage(context);
    await windowOn(shared).jobs.create(JOB, PLANNED);
    return shared;
  }

  /** IDs of the jobs that a new window offers. */
  async function offered(shared: SharedStorage, now = NOW): Promise<readonly string[]> {
    const { jobs } = await openWindow(shared);
    return jobs.interrupted({ id: connectionId, baseUrl }, now).map(({ job }) => job.id);
  }

  test('is continued by one of two windows', async (context) => {
    const shared = await interrupted(context);
    const windows = [window(shared), window(shared)];
    assert.deepEqual((await Promise.all(windows.map(({ goesOn }) => goesOn()))).toSorted(), [false, true]);
    const [continued, ...others] = await offered(shared);
    assert.deepEqual([continued === JOB.id, others], [false, []]);
    assert.equal(await window(shared).goesOn(), false);
  });

  test('is offered again a minute after a window that died before it wrote the next one', async (context) => {
    const shared = await interrupted(context);
    assert.equal(await window(shared).goesOn(undefined, () => Promise.resolve(false)), false);
    assert.deepEqual(await offered(shared, NOW + MINUTE), []);
    assert.deepEqual(await offered(shared, NOW + MINUTE + 1), [JOB.id]);
    assert.equal(await window(shared).goesOn(() => NOW + MINUTE), false);
    assert.equal(await window(shared).goesOn(() => NOW + 2 * MINUTE), true);
  });

  test('is not continued by a window whose disk hung for more than a minute', async (context) => {
    const shared = await interrupted(context);
    const { jobs, goesOn } = window(shared);
    let now = NOW;
    const create = async (ref: JobRef): Promise<boolean> => {
      now += MINUTE + 1;
      return jobs.create(ref, PLANNED);
    };
    assert.equal(await goesOn(() => now, create), false);
    assert.deepEqual(await offered(shared, now), [JOB.id], 'nothing is lost');
  });

  test("can't be continued once an item was sent, or the user has dismissed it", async (context) => {
    const shared = await interrupted(context);
    const { jobs, goesOn } = window(shared);
    await windowOn(shared).jobs.append(JOB, SENT);
    assert.equal(await goesOn(), false);
    assert.deepEqual(jobs.job(JOB) && itemsLeft(jobs.job(JOB) ?? assert.fail()), [1]);
    await windowOn(shared).jobs.append(JOB, { kind: 'notSent', item: 0, at: NOW });
    await windowOn(shared).jobs.dismissRest(JOB, NOW);
    assert.equal(await goesOn(), false);
    assert.deepEqual(await offered(shared), []);
  });

  test('never comes back once it was continued, or done by another truncation', async (context) => {
    const shared = await interrupted(context);
    const { jobs, goesOn } = window(shared);
    let next: JobRef | undefined;
    await goesOn(undefined, (ref) => jobs.create((next = ref), { ...PLANNED, at: NOW + 1 }));
    assert.deepEqual(await offered(shared), [next?.id]);
    await jobs.remove(next ?? assert.fail());
    assert.deepEqual(await offered(shared, NOW + 10 * MINUTE), [], 'it was pruned');
  });

  test('never comes back once other truncations have done it, on any connection to the server, even if those are gone', async (context) => {
    const shared = await interrupted(context);
    const { jobs } = windowOn(shared);
    await jobs.load();
    for (const [plan, connection] of [
      [PLAN, connectionId],
      [OPERATION, 'another'],
    ] as const) {
      const other = { ...RECORD, id: `${crypto.randomUUID()}.0`, connectionId: connection, plan, sentAt: NOW };
      await leaveTruncation(jobs, other);
      await jobs.saveCounted({ ...other, ending: FINISHED }, NOW);
      await jobs.remove({ connectionId: connection, id: itemOf(other.id).id });
      const { left = [] } = (await openWindow(shared)).jobs.interrupted({ id: connectionId, baseUrl }, NOW)[0] ?? {};
      assert.deepEqual(
        left.map((one) => one.plan.aspect),
        plan === PLAN ? ['operation'] : [],
      );
    }
  });

  test('that a window died after continuing does not come back once the next one is pruned', async (context) => {
    const shared = await interrupted(context);
    const { jobs } = windowOn(shared);
    await jobs.load();
    const next = { connectionId, id: crypto.randomUUID() };
    await jobs.create(next, PLANNED);
    await jobs.append(JOB, { kind: 'continuedBy', at: NOW, jobId: next.id });
    await jobs.tidyUp(baseUrl, NOW);
    await jobs.remove(next);
    assert.deepEqual(await offered(shared, NOW + 10 * MINUTE), []);
  });

  test('passes on what the user left out, unless it was done since', async (context) => {
    const shared = await sharedStorage(context);
    const { jobs } = windowOn(shared);
    const third = { ...PLAN, aspect: 'usage' };
    await jobs.create(JOB, { ...PLANNED, items: [...PLANNED.items, { plan: third }] });
    await leaveTruncation(jobs, { ...OTHER, plan: third, taskId: TASK_ID, sentAt: NOW, ending: FINISHED });
    const others: (readonly [string, number])[] = [];
    const create = (items: readonly JobItem[]): Promise<boolean> => {
      others.push(...items.map(({ plan, confirmedAt }) => [plan.aspect, confirmedAt] as const));
      return Promise.resolve(true);
    };
    const ref = { connectionId, id: crypto.randomUUID() };
    assert.equal(await jobs.continueWith(JOB, { ref, create }, [0], () => NOW), true);
    assert.deepEqual(others, [['operation', NOW]]);
  });

  test('can be tried again at once by the window that failed to write the next one', async (context) => {
    const shared = await interrupted(context);
    const { jobs } = windowOn(shared);
    const ref = { connectionId, id: crypto.randomUUID() };
    const full = (): Promise<boolean> => Promise.reject(new Error('No space is left.'));
    await assert.rejects(jobs.continueWith(JOB, { ref, create: full }, [0, 1], () => NOW));
    assert.equal(jobs.mayContinue(JOB, ref.id, NOW), true);
    assert.equal(await jobs.continueWith(JOB, { ref, create: () => Promise.resolve(true) }, [0, 1], () => NOW), true);
  });

  test('is not continued if another window dismisses it while the next one is written', async (context) => {
    const shared = await interrupted(context);
    const { jobs, goesOn } = window(shared);
    const create = async (ref: JobRef): Promise<boolean> => {
      await windowOn(shared).jobs.dismissRest(JOB, NOW);
      return jobs.create(ref, PLANNED);
    };
    assert.equal(await goesOn(undefined, create), false);
    assert.deepEqual(await offered(shared), []);
  });

  test('leaves no trace in the journal if it is refused before', async (context) => {
    const shared = await interrupted(context);
    await windowOn(shared).jobs.append(JOB, SENT);
    const { jobs, goesOn } = window(shared);
    await goesOn();
    assert.deepEqual(jobs.job(JOB)?.continuedBy, [], 'the window that sends it would stop');
  });
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

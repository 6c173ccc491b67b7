import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { RunningService } from './main.ts';
import type { ServiceOptions } from './options.ts';
import { dig, serviceFor } from './testClient.ts';
import {
  batchSize,
  counted,
  cutoffOver,
  dashboards,
  execute,
  finished,
  oneRefresh,
  sizesOf,
  task,
  truncate,
  usage,
} from './testTruncations.ts';

const { entityType, aspect } = usage;
const everything = 4_000_000_000_000;
const emptySize = 0.000208;

function serviceOf(context: TestContext, options: ServiceOptions = {}): Promise<RunningService> {
  return serviceFor(context, { profile: 'next', rows: 2000, ...options });
}

/**
 * Starts a reindex that keeps about three tenths of the rows.
 * @returns its ID and the number of kept rows
 */
async function reindex(service: RunningService, extra: object = {}): Promise<{ id: string; kept: number }> {
  const endTimeMillis = cutoffOver(service, usage, 0.7);
  const [toDelete, total] = await counted(service, usage, endTimeMillis);
  const id = await truncate(service, { ...usage, endTimeMillis, dryRun: false, batchSize, ...extra });
  return { id, kept: total - toDelete };
}

describe('a reindex', () => {
  test('hides the rows it keeps while it runs, as long as one looks afterwards, and what is written then', async (t) => {
    const service = await serviceOf(t);
    service.pacing.held = true;
    const { id, kept } = await reindex(service);
    assert.deepEqual(await counted(service, usage, everything), [0, 0]);
    assert.equal((await task(service, id)).completed, false);
    service.pacing.held = false;
    const { total, created, deleted } = await finished(service, id);
    assert.deepEqual({ total, created, deleted }, { total: kept, created: kept, deleted: 0 });
    service.addRow(entityType, aspect, Date.now());
    for (const later of [0, oneRefresh, 86_400_000]) {
      service.clock.offsetMillis = later;
      assert.deepEqual(await counted(service, usage, everything), [0, 0]);
      assert.equal(service.rows(entityType, aspect).count, 0);
    }
  });

  test('shows the rows once after a refresh, and for good after a refresh interval is set', async (t) => {
    const service = await serviceOf(t);
    const { id, kept } = await reindex(service);
    await finished(service, id);
    await service.cluster.refresh(entityType, aspect);
    assert.deepEqual(await counted(service, usage, everything), [kept, kept]);
    service.addRow(entityType, aspect, Date.now());
    service.clock.offsetMillis = 60_000;
    assert.deepEqual(await counted(service, usage, everything), [kept, kept], 'what is written later stays hidden');
    await service.cluster.putSettings(entityType, aspect, { refreshIntervalMillis: null });
    assert.deepEqual(await counted(service, usage, everything), [kept + 1, kept + 1], 'at once');
    service.addRow(entityType, aspect, Date.now());
    service.clock.offsetMillis += oneRefresh;
    assert.deepEqual(await counted(service, usage, everything), [kept + 2, kept + 2], 'and for good');
  });

  test('leaves the index without replicas; a new one sees all rows, the primary none', async (t) => {
    const service = await serviceOf(t, { replicas: 1 });
    const { id, kept } = await reindex(service);
    await finished(service, id);
    const seen = async (): Promise<Set<number>> => {
      const counts = new Set<number>();
      for (let look = 0; look < 40; look += 1) counts.add((await service.cluster.rows(entityType, aspect)).count);
      return counts;
    };
    assert.deepEqual(await seen(), new Set([0]));
    await service.cluster.putSettings(entityType, aspect, { replicas: 1 });
    const both = await seen();
    assert.ok(both.size === 2 && both.has(0) && both.has(kept), [...both].join(', '));
  });

  for (const [server, options] of Object.entries({
    'on 0.14': { profile: '0.14' },
    'on a platform configured so': { reindexTunesIndex: false },
  } satisfies Record<string, ServiceOptions>)) {
    test(`hides the rows it keeps only while it runs ${server}`, async (t) => {
      const service = await serviceOf(t, options);
      service.pacing.held = true;
      const { id, kept } = await reindex(service);
      assert.deepEqual(await counted(service, usage, everything), [0, 0]);
      service.pacing.held = false;
      await finished(service, id);
      service.clock.offsetMillis = oneRefresh;
      assert.deepEqual(await counted(service, usage, everything), [kept, kept]);
    });
  }

  test('lists its new index, empty at first, and never the replaced one', async (t) => {
    const service = await serviceOf(t);
    const [before] = await sizesOf(service, usage);
    service.pacing.held = true;
    const { id, kept } = await reindex(service);
    const [empty, ...others] = await sizesOf(service, usage);
    assert.deepEqual([empty?.sizeInMb, others], [emptySize, []]);
    assert.notEqual(empty?.indexName, before?.indexName);
    assert.match(String(empty?.indexName), /^dataset_datasetusagestatisticsaspect_v1_\d{13}$/);
    service.pacing.held = false;
    await finished(service, id);
    const [filled] = await sizesOf(service, usage);
    assert.ok(Math.abs(Number(filled?.sizeInMb) - (kept * 60_000) / 1e6) < 0.001);
  });

  /** How a reindex fails before there is a task, and how many rows readers see then. */
  for (const [cause, parameters, index, seen, fault] of [
    ['without a batch size, after the alias was moved', { batchSize: undefined }, usage, 0, null],
    ['of an index that was never reindexed', {}, dashboards, 160, null],
    ['before the alias was moved', {}, usage, 540, 'beforeAlias'],
    ['after the alias was moved', {}, usage, 0, 'afterAlias'],
  ] as const) {
    test(`fails in the same words: ${cause}`, async (t) => {
      const service = await serviceOf(t);
      service.pacing.reindexFailure = fault;
      const request = { ...index, endTimeMillis: cutoffOver(service, index, 0.9), batchSize, ...parameters };
      const { status, body } = await execute(service, request);
      assert.deepEqual([status, dig(body, 'message')], [400, 'Async reindex failed']);
      assert.deepEqual(service.tasks(), []);
      service.clock.offsetMillis = 86_400_000;
      assert.equal((await counted(service, index, everything))[1], seen);
      const [size] = await sizesOf(service, index);
      assert.equal(size?.sizeInMb === emptySize, seen === 0, 'the rows are in an index that nothing lists');
      const retried = await truncate(service, { ...request, dryRun: false, forceDeleteByQuery: true });
      const { total } = await finished(service, retried);
      assert.equal(total === 0, seen === 0, 'as the official garbage collector goes on');
    });
  }

  test('with a batch larger than the result window moves the alias, and completes with nothing copied', async (t) => {
    const service = await serviceOf(t);
    const { total, created } = await finished(service, (await reindex(service, { batchSize: 10_001 })).id);
    assert.deepEqual([total, created], [0, 0]);
    assert.deepEqual(await counted(service, usage, everything), [0, 0]);
  });

  test('in slices reports no counts before it ends', async (t) => {
    const service = await serviceOf(t);
    service.pacing.slicedReindex = true;
    service.pacing.held = true;
    const { id, kept } = await reindex(service, { batchSize: 10 });
    const { total, created, batches } = (await task(service, id)).status;
    assert.deepEqual({ total, created, batches }, { total: 0, created: 0, batches: 0 });
    service.pacing.held = false;
    const ended = await finished(service, id);
    assert.deepEqual([ended['total'], ended['created']], [kept, kept]);
  });

  test('is repaired after a failure by copying the rows from the old index, any number of times', async (t) => {
    const service = await serviceOf(t);
    const [old] = await sizesOf(service, usage);
    const endTimeMillis = cutoffOver(service, usage, 0.7);
    const [toDelete, total] = await counted(service, usage, endTimeMillis);
    service.pacing.failAfterBatches = 2;
    const id = await truncate(service, { ...usage, endTimeMillis, dryRun: false, batchSize: 10 });
    assert.equal((await finished(service, id))['created'], 20);
    service.addRow(entityType, aspect, endTimeMillis + 1);
    service.pacing.failAfterBatches = null;
    const copy = async (): Promise<unknown[]> => {
      const source = String(old?.indexName);
      const copied = await finished(service, await service.cluster.copyRows(source, entityType, aspect, endTimeMillis));
      return [copied['total'], copied['created'], copied['version_conflicts']];
    };
    const kept = total - toDelete;
    assert.deepEqual(await copy(), [kept, kept - 20, 20]);
    assert.deepEqual(await copy(), [kept, 0, kept]);
    assert.deepEqual(await counted(service, usage, everything), [0, 0], 'still hidden');
    await service.cluster.refresh(entityType, aspect);
    assert.deepEqual(await counted(service, usage, endTimeMillis), [0, kept + 1]);
  });
});

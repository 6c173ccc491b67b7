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

  test('hides the rows it keeps only while it runs on 0.14', async (t) => {
    const service = await serviceOf(t, { profile: '0.14' });
    service.pacing.held = true;
    const { id, kept } = await reindex(service);
    assert.deepEqual(await counted(service, usage, everything), [0, 0]);
    service.pacing.held = false;
    await finished(service, id);
    service.clock.offsetMillis = oneRefresh;
    assert.deepEqual(await counted(service, usage, everything), [kept, kept]);
  });

  /** How a reindex fails before there is a task, and how many rows readers see then. */
  for (const [cause, parameters, index, seen] of [
    ['after the alias was moved, without a batch size', { batchSize: undefined }, usage, 0],
    ['of an index that was never reindexed', {}, dashboards, 160],
  ] as const) {
    test(`fails in the same words: ${cause}`, async (t) => {
      const service = await serviceOf(t);
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
});

import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { RunningService } from './main.ts';
import type { ServiceOptions } from './options.ts';
import { dig, serviceFor, until } from './testClient.ts';
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

function serviceOf(context: TestContext, options: ServiceOptions): Promise<RunningService> {
  return serviceFor(context, { rows: 2000, ...options });
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

for (const profile of ['1.6', '1.7', 'next'] as const) {
  describe(`a reindex on ${profile}`, () => {
    test('hides the rows it keeps while it runs, and as long as one looks afterwards', async (t) => {
      const service = await serviceOf(t, { profile });
      service.pacing.held = true;
      const { id, kept } = await reindex(service);
      assert.deepEqual(await counted(service, usage, everything), [0, 0]);
      assert.equal((await task(service, id)).completed, false);
      service.pacing.held = false;
      const { total, created, deleted } = await finished(service, id);
      assert.deepEqual({ total, created, deleted }, { total: kept, created: kept, deleted: 0 });
      for (const later of [0, oneRefresh, 3_600_000, 86_400_000]) {
        service.clock.offsetMillis = later;
        assert.deepEqual(await counted(service, usage, everything), [0, 0]);
        assert.equal(service.rows(entityType, aspect).count, 0);
      }
    });

    test('hides what is written afterwards', async (t) => {
      const service = await serviceOf(t, { profile });
      await finished(service, (await reindex(service)).id);
      service.addRow(entityType, aspect, Date.now());
      service.clock.offsetMillis = 60_000;
      assert.deepEqual(await counted(service, usage, everything), [0, 0]);
    });

    test('shows the rows once after a refresh, and for good after a refresh interval is set', async (t) => {
      const service = await serviceOf(t, { profile });
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

    test('shows the rows for good after a system update, which sets the refresh interval', async (t) => {
      const service = await serviceOf(t, { profile });
      const { id, kept } = await reindex(service);
      await finished(service, id);
      await service.cluster.systemUpdate();
      assert.deepEqual(await counted(service, usage, everything), [kept, kept]);
      service.addRow(entityType, aspect, Date.now());
      service.clock.offsetMillis = oneRefresh;
      assert.deepEqual(await counted(service, usage, everything), [kept + 1, kept + 1]);
    });

    test('leaves the index without replicas after a system update too', async (t) => {
      const service = await serviceOf(t, { profile, replicas: 1, refreshIntervalMillis: 30_000 });
      await finished(service, (await reindex(service)).id);
      await service.cluster.systemUpdate();
      const { count } = await service.cluster.rows(entityType, aspect);
      service.addRow(entityType, aspect, Date.now());
      // A replica is refreshed in the middle of the interval.
      service.clock.offsetMillis = 20_000;
      for (let look = 0; look < 40; look += 1) {
        assert.equal((await service.cluster.rows(entityType, aspect)).count, count);
      }
    });

    test('leaves the index without replicas; a new one sees all rows, the primary none', async (t) => {
      const service = await serviceOf(t, { profile, replicas: 1 });
      const { id, kept } = await reindex(service);
      await finished(service, id);
      await service.cluster.putSettings(entityType, aspect, { replicas: 1 });
      const seen = new Set<number>();
      await until('both copies were searched', async () => {
        seen.add((await service.cluster.rows(entityType, aspect)).count);
        return seen.size > 1;
      });
      assert.deepEqual(
        [...seen].toSorted((a, b) => a - b),
        [0, kept],
      );
    });

    test('shows each row after the next refresh if the platform is configured so', async (t) => {
      const service = await serviceOf(t, { profile, reindexTunesIndex: false });
      const { id, kept } = await reindex(service);
      await finished(service, id);
      service.clock.offsetMillis = oneRefresh;
      assert.deepEqual(await counted(service, usage, everything), [kept, kept]);
    });
  });
}

describe('a reindex on 0.14', () => {
  test('hides the rows it keeps only while it runs', async (t) => {
    const service = await serviceOf(t, { profile: '0.14' });
    service.pacing.held = true;
    const { id, kept } = await reindex(service);
    assert.deepEqual(await counted(service, usage, everything), [0, 0]);
    service.pacing.held = false;
    await finished(service, id);
    service.clock.offsetMillis = oneRefresh;
    assert.deepEqual(await counted(service, usage, everything), [kept, kept]);
  });
});

describe('a reindex', () => {
  test('lists its new index, empty at first, and never the replaced one', async (t) => {
    const service = await serviceOf(t, { profile: 'next' });
    const [before] = await sizesOf(service, usage);
    assert.match(String(before?.indexName), /^dataset_datasetusagestatisticsaspect_v1_1690000000000$/);
    service.pacing.held = true;
    const { id, kept } = await reindex(service);
    const [empty, ...others] = await sizesOf(service, usage);
    assert.deepEqual(others, []);
    assert.equal(empty?.sizeInMb, 0.000208);
    assert.notEqual(empty?.indexName, before?.indexName);
    assert.match(String(empty?.indexName), /^dataset_datasetusagestatisticsaspect_v1_\d{13}$/);
    service.pacing.held = false;
    await finished(service, id);
    const [filled] = await sizesOf(service, usage);
    assert.ok(Math.abs(Number(filled?.sizeInMb) - (kept * 60_000) / 1e6) < 0.001);
  });

  test('without a batch size is refused by the cluster, after the alias was moved', async (t) => {
    for (const profile of ['0.14', '1.6', '1.7', 'next'] as const) {
      const service = await serviceOf(t, { profile });
      const endTimeMillis = cutoffOver(service, usage, 0.7);
      const refused = await execute(service, { ...usage, endTimeMillis });
      assert.deepEqual([refused.status, dig(refused.body, 'message')], [400, 'Async reindex failed']);
      assert.deepEqual(service.tasks(), []);
      assert.deepEqual(await counted(service, usage, everything), [0, 0], 'readers see the new, empty index');
      const retried = await truncate(service, { ...usage, endTimeMillis, dryRun: false, forceDeleteByQuery: true });
      assert.equal((await finished(service, retried))['total'], 0, 'as the official garbage collector goes on');
    }
  });

  test('without a batch size is not repaired by a system update', async (t) => {
    const service = await serviceOf(t, { profile: '1.6' });
    await execute(service, { ...usage, endTimeMillis: cutoffOver(service, usage, 0.7) });
    await service.cluster.systemUpdate();
    assert.deepEqual(await counted(service, usage, everything), [0, 0]);
  });

  test('with a batch larger than the result window moves the alias, and completes with nothing copied', async (t) => {
    const service = await serviceOf(t, { profile: 'next' });
    const { total, created } = await finished(service, (await reindex(service, { batchSize: 10_001 })).id);
    assert.deepEqual([total, created], [0, 0]);
    assert.deepEqual(await counted(service, usage, everything), [0, 0]);
  });

  test('in slices reports no counts before it ends', async (t) => {
    const service = await serviceOf(t, { profile: 'next' });
    service.pacing.slicedReindex = true;
    service.pacing.batchDelayMillis = 3_600_000;
    const { id, kept } = await reindex(service, { batchSize: 10 });
    await until('a batch was copied', async () => (await sizesOf(service, usage))[0]?.sizeInMb !== 0.000208);
    const { total, created, batches } = (await task(service, id)).status;
    assert.deepEqual({ total, created, batches }, { total: 0, created: 0, batches: 0 });

    const other = await serviceOf(t, { profile: 'next' });
    other.pacing.slicedReindex = true;
    const ended = await finished(other, (await reindex(other)).id);
    assert.deepEqual([ended['total'], ended['created']], [kept, kept]);
  });

  test('may fail before there is a task: before or after the alias was moved, in the same words', async (t) => {
    const service = await serviceOf(t, { profile: 'next' });
    const parameters = { ...usage, endTimeMillis: cutoffOver(service, usage, 0.7), batchSize };
    const fail = async (): Promise<void> => {
      const { status, body } = await execute(service, parameters);
      assert.deepEqual([status, dig(body, 'message')], [400, 'Async reindex failed']);
      assert.deepEqual(service.tasks(), []);
    };
    service.pacing.reindexFailure = 'beforeAlias';
    await fail();
    assert.equal(service.rows(entityType, aspect).count, 540, 'nothing happened');

    service.pacing.reindexFailure = 'afterAlias';
    await fail();
    service.clock.offsetMillis = 86_400_000;
    assert.deepEqual(await counted(service, usage, everything), [0, 0]);
    assert.deepEqual(
      (await sizesOf(service, usage)).map(({ sizeInMb }) => sizeInMb),
      [0.000208],
      'the rows are in an index that nothing lists',
    );
  });

  test('is repaired after a failure by copying the rows from the old index, any number of times', async (t) => {
    const service = await serviceOf(t, { profile: 'next' });
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

  test('leaves rows missing if it fails while it runs', async (t) => {
    const service = await serviceOf(t, { profile: '0.14' });
    service.pacing.failAfterBatches = 1;
    const { id } = await reindex(service, { batchSize: 10 });
    assert.equal((await finished(service, id))['created'], 10);
    service.clock.offsetMillis = oneRefresh;
    assert.deepEqual(await counted(service, usage, everything), [10, 10]);
  });

  test('is impossible for an index that was never reindexed, unlike a forced delete by query', async (t) => {
    const service = await serviceOf(t, { profile: 'next' });
    const parameters = { ...dashboards, endTimeMillis: cutoffOver(service, dashboards, 0.9), batchSize };
    const refused = await execute(service, parameters);
    assert.equal(refused.status, 400);
    assert.equal(dig(refused.body, 'message'), 'Async reindex failed');
    await finished(service, await truncate(service, { ...parameters, dryRun: false, forceDeleteByQuery: true }));
    service.clock.offsetMillis = oneRefresh;
    const { min } = service.rows(dashboards.entityType, dashboards.aspect);
    assert.ok(Number(min) > parameters.endTimeMillis);
  });
});

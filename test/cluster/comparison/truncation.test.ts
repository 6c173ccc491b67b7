// Compares truncations in a real search cluster with those in the SQLite stand-in.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inBoth, startReal, type Engine } from './engines.ts';
import {
  cutoffAt,
  dryRun,
  eventually,
  execute,
  onlyListed,
  readerCounts,
  refused,
  taskEnd,
  taskStatus,
  type ReaderCounts,
} from './truncations.ts';

const CHARTS = { entityType: 'chart', aspect: 'chartusagestatistics' };
/** Never reindexed, so its name is no alias. */
const DASHBOARDS = { entityType: 'dashboard', aspect: 'dashboardusagestatistics' };
const USAGE = { entityType: 'dataset', aspect: 'datasetusagestatistics' };
const PROFILES = { entityType: 'dataset', aspect: 'datasetprofile' };
const OPERATIONS = { entityType: 'dataset', aspect: 'operation' };
const RUNS = { entityType: 'datajob', aspect: 'datahubingestionrunsummary' };
const CHECKPOINTS = { entityType: 'datajob', aspect: 'datahubingestioncheckpoint' };

const BY_QUERY = { forceDeleteByQuery: true };
const BY_REINDEX = { forceReindex: true, batchSize: 500 };

let engine: Engine;
const real = (): Engine => engine;
before(async () => {
  engine = await startReal({ profile: '1.7' });
});
after(() => engine.service.close());

describe('Both engines agree', { concurrency: true }, () => {
  test(
    'on a delete by query: rows disappear while it runs, and none that should stay',
    inBoth(real, async (on) => {
      const { service } = on;
      const endTimeMillis = await cutoffAt(service, CHARTS, 0.6);
      const initially = await readerCounts(service, CHARTS, endTimeMillis);
      const report = await dryRun(service, CHARTS, { endTimeMillis, ...BY_QUERY });
      const task = await execute(service, CHARTS, { endTimeMillis, ...BY_QUERY, batchSize: 10 });
      await on.hold(task);
      const held = await taskStatus(service, task);
      await eventually('every row that should stay is counted while the task runs', async () => {
        const { kept } = await readerCounts(service, CHARTS, endTimeMillis);
        return kept === initially.kept;
      });
      await on.release(task);
      const status = await taskEnd(service, task);
      await eventually('no old row is found', async () => {
        const { old } = await readerCounts(service, CHARTS, endTimeMillis);
        return old === 0;
      });
      assert.deepEqual(await readerCounts(service, CHARTS, endTimeMillis), { old: 0, kept: initially.kept });
      const listedAfter = await onlyListed(service, CHARTS);
      assert.equal(status['deleted'], initially.old);
      return {
        initially,
        report,
        heldCompleted: held?.completed,
        status,
        indexName: listedAfter.indexName,
        names: [listedAfter.entityName, listedAfter.aspectName],
      };
    }),
  );

  test(
    'on a reindex: rows are not found until the index is refreshed, not even one written later',
    inBoth(real, async (on) => {
      const { service } = on;
      const endTimeMillis = await cutoffAt(service, USAGE, 0.7);
      const initially = await readerCounts(service, USAGE, endTimeMillis);
      const report = await dryRun(service, USAGE, { endTimeMillis });
      const listedBefore = await onlyListed(service, USAGE);
      const task = await execute(service, USAGE, { endTimeMillis, ...BY_REINDEX });
      const atOnce = await readerCounts(service, USAGE, endTimeMillis);
      const status = await taskEnd(service, task);
      const atEnd = await readerCounts(service, USAGE, endTimeMillis);
      await service.cluster.addRows(USAGE.entityType, USAGE.aspect, [Date.now()]);
      const written = await readerCounts(service, USAGE, endTimeMillis);
      const listedAfter = await onlyListed(service, USAGE);
      assert.notEqual(listedAfter.indexName, listedBefore.indexName);
      assert.match(listedAfter.indexName, /aspect_v1_\d+$/);
      await service.cluster.putSettings(USAGE.entityType, USAGE.aspect, { refreshIntervalMillis: null });
      await eventually('every row is found', async () => {
        const { old, kept } = await readerCounts(service, USAGE, endTimeMillis);
        return old === 0 && kept === initially.kept + 1;
      });
      for (const counts of [atOnce, atEnd]) assertHidden(counts, initially);
      assert.deepEqual(written, atEnd, 'a row written later is not found');
      assert.deepEqual([status['total'], status['created']], [initially.kept, initially.kept]);
      return { initially, report, status, names: [listedAfter.entityName, listedAfter.aspectName] };
    }),
  );

  test(
    'on a replica added before a refresh: the copies differ',
    inBoth(real, async (on) => {
      const { service } = on;
      const endTimeMillis = await cutoffAt(service, PROFILES, 0.7);
      const initially = await readerCounts(service, PROFILES, endTimeMillis);
      await taskEnd(service, await execute(service, PROFILES, { endTimeMillis, ...BY_REINDEX }));
      await service.cluster.putSettings(PROFILES.entityType, PROFILES.aspect, { replicas: 1 });
      const seen = new Set<number>();
      await eventually('both copies answered', async () => {
        seen.add((await readerCounts(service, PROFILES, endTimeMillis)).kept);
        return seen.size > 1;
      });
      const [primary = 0, replica] = [...seen].toSorted((a, b) => a - b);
      assertHidden({ old: 0, kept: primary }, initially);
      assert.equal(replica, initially.kept);
      await service.cluster.putSettings(PROFILES.entityType, PROFILES.aspect, { refreshIntervalMillis: null });
      let same = 0;
      await eventually('both copies agree', async () => {
        const { kept } = await readerCounts(service, PROFILES, endTimeMillis);
        same = kept === initially.kept ? same + 1 : 0;
        return same === 50;
      });
      return { initially, seen: seen.size };
    }),
  );

  test(
    'on an interval of 30 s: old rows are found after the task has ended',
    inBoth(real, async ({ service }) => {
      const { entityType, aspect } = OPERATIONS;
      const endTimeMillis = await cutoffAt(service, OPERATIONS, 0.3);
      const initially = await readerCounts(service, OPERATIONS, endTimeMillis);
      await service.cluster.putSettings(entityType, aspect, { refreshIntervalMillis: 30_000 });
      const task = await execute(service, OPERATIONS, { endTimeMillis, ...BY_QUERY, batchSize: 500 });
      const status = await taskEnd(service, task);
      const atEnd = await readerCounts(service, OPERATIONS, endTimeMillis);
      assert.deepEqual(atEnd, initially);
      await eventually('no old row is found', async () => {
        const { old } = await readerCounts(service, OPERATIONS, endTimeMillis);
        return old === 0;
      });
      assert.deepEqual(await readerCounts(service, OPERATIONS, endTimeMillis), { old: 0, kept: initially.kept });
      return { initially, status };
    }),
  );

  test(
    'on an index that is never refreshed: a second deletion finds the same rows, and conflicts',
    inBoth(real, async (on) => {
      const { service } = on;
      const { entityType, aspect } = RUNS;
      const endTimeMillis = await cutoffAt(service, RUNS, 0.4);
      const initially = await readerCounts(service, RUNS, endTimeMillis);
      await service.cluster.putSettings(entityType, aspect, { refreshIntervalMillis: -1 });
      const parameters = { endTimeMillis, ...BY_QUERY, batchSize: 100 };
      const first = await taskEnd(service, await execute(service, RUNS, parameters));
      const second = await taskEnd(service, await execute(service, RUNS, parameters));
      const atEnd = await readerCounts(service, RUNS, endTimeMillis);
      assert.deepEqual(atEnd, initially);
      assert.deepEqual([second['deleted'], second['version_conflicts']], [0, initially.old]);
      await service.cluster.refresh(entityType, aspect);
      const refreshed = await readerCounts(service, RUNS, endTimeMillis);
      assert.deepEqual(refreshed, { old: 0, kept: initially.kept });
      return { initially, first, second };
    }),
  );

  test(
    'on an index without an alias: a reindex is refused, a delete by query is not',
    inBoth(real, async ({ service }) => {
      const endTimeMillis = await cutoffAt(service, DASHBOARDS, 0.9);
      const initially = await readerCounts(service, DASHBOARDS, endTimeMillis);
      const refusal = await refused(service, DASHBOARDS, { endTimeMillis });
      assert.deepEqual(refusal, [400, 'Async reindex failed']);
      const afterwards = await readerCounts(service, DASHBOARDS, endTimeMillis);
      assert.deepEqual(afterwards, initially);
      const status = await taskEnd(service, await execute(service, DASHBOARDS, { endTimeMillis, ...BY_QUERY }));
      await eventually('no old row is found', async () => {
        const { old } = await readerCounts(service, DASHBOARDS, endTimeMillis);
        return old === 0;
      });
      const { indexName } = await onlyListed(service, DASHBOARDS);
      return { initially, refusal, status, indexName };
    }),
  );

  test(
    'on a write block and on batches of a wrong size: nothing is deleted, and rows hidden by a reindex can be copied',
    inBoth(real, async ({ service }) => {
      const { entityType, aspect } = CHECKPOINTS;
      const endTimeMillis = await cutoffAt(service, CHECKPOINTS, 0.5);
      const initially = await readerCounts(service, CHECKPOINTS, endTimeMillis);
      await service.cluster.putSettings(entityType, aspect, { writeBlocked: true });
      const parameters = { endTimeMillis, ...BY_QUERY };
      const blocked = await taskEnd(service, await execute(service, CHECKPOINTS, { ...parameters, batchSize: 10 }));
      await service.cluster.putSettings(entityType, aspect, { writeBlocked: false });
      const tooLarge = await taskEnd(
        service,
        await execute(service, CHECKPOINTS, { ...parameters, batchSize: 10_001 }),
      );
      assert.deepEqual([blocked['total'], blocked['deleted'], tooLarge['total']], [initially.old, 0, 0]);
      await service.cluster.refresh(entityType, aspect);
      const afterwards = await readerCounts(service, CHECKPOINTS, endTimeMillis);
      assert.deepEqual(afterwards, initially);

      // A reindex without a batch size requests pages of zero rows, and by then the alias has moved.
      const oldIndex = await onlyListed(service, CHECKPOINTS);
      const refusal = await refused(service, CHECKPOINTS, { endTimeMillis, forceReindex: true });
      const hidden = await readerCounts(service, CHECKPOINTS, endTimeMillis);
      assert.deepEqual(hidden, { old: 0, kept: 0 });

      // An administrator copies them from the old index, which is no longer listed.
      await service.cluster.addRows(entityType, aspect, [Date.now()]);
      const copy = async (): Promise<object> =>
        taskEnd(service, await service.cluster.copyRows(oldIndex.indexName, entityType, aspect, endTimeMillis));
      const copied = [await copy(), await copy()];
      await service.cluster.putSettings(entityType, aspect, { refreshIntervalMillis: null });
      await eventually('every row is found', async () => {
        const { old, kept } = await readerCounts(service, CHECKPOINTS, endTimeMillis);
        return old === 0 && kept === initially.kept + 1;
      });
      return { initially, blocked, tooLarge, refusal, copied };
    }),
  );
});

/**
 * Requires that readers miss rows which a reindex copied. Turning refreshes off causes a last one, which a busy cluster
 * makes late: it then shows rows that were copied first.
 */
function assertHidden({ old, kept }: ReaderCounts, initially: ReaderCounts): void {
  assert.equal(old, 0);
  assert.ok(kept < initially.kept, `${kept} of ${initially.kept} rows to keep are found`);
}

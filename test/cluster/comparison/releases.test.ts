// A reindex in an older release, which leaves the refreshes of the new index alone, in a real search cluster and in
// the stand-in.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inBoth, startReal, type Engine } from './engines.ts';
import { cutoffAt, dryRun, eventually, execute, readerCounts, taskEnd } from './truncations.ts';

const USAGE = { entityType: 'dataset', aspect: 'datasetusagestatistics' };

let engine: Engine;
before(async () => {
  engine = await startReal({ profile: '0.14' });
});
after(() => engine.service.close());

test(
  'in 0.14, searches find the rows that a reindex keeps soon after its task has ended',
  inBoth(
    () => engine,
    async (on) => {
      const { service } = on;
      const endTimeMillis = await cutoffAt(service, USAGE, 0.7);
      const initially = await readerCounts(service, USAGE, endTimeMillis);
      const report = await dryRun(service, USAGE, { endTimeMillis });
      const task = await execute(service, USAGE, { endTimeMillis, batchSize: 10 });
      await on.hold(task);
      const held = await readerCounts(service, USAGE, endTimeMillis);
      assert.ok(held.kept < initially.kept, 'rows that are not copied yet are missing');
      await on.release(task);
      const status = await taskEnd(service, task);
      await eventually('every row that should stay is found', async () => {
        const { kept } = await readerCounts(service, USAGE, endTimeMillis);
        return kept === initially.kept;
      });
      assert.equal((await readerCounts(service, USAGE, endTimeMillis)).old, 0);
      return { initially, report, status };
    },
  ),
);

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { startService, type RunningService } from './main.ts';
import { until } from './testClient.ts';
import {
  counted,
  cutoffOver,
  finished,
  oneRefresh,
  task,
  taskText,
  truncate,
  unknownTask,
  usage,
} from './testTruncations.ts';

const { entityType, aspect } = usage;
const everything = 4_000_000_000_000;

describe('a cluster in trouble', () => {
  let service: RunningService;
  beforeEach(async () => {
    service = await startService({ profile: 'next', tokens: 0, rows: 2000 });
  });
  afterEach(() => service.close());

  /**
   * Starts a delete by query.
   * @returns its ID and the counts of a dry run before it
   */
  const deletion = async (extra: object = {}): Promise<{ id: string; cutoff: number; rows: number }> => {
    const cutoff = cutoffOver(service, usage, 0.4);
    const [rows] = await counted(service, usage, cutoff);
    const id = await truncate(service, { ...usage, endTimeMillis: cutoff, dryRun: false, ...extra });
    return { id, cutoff, rows };
  };

  test('with an unassigned shard counts fewer rows, and deletes none of those it counts', async () => {
    const [, all] = await counted(service, usage, everything);
    service.assignShards(entityType, aspect, false);
    const [, fewer] = await counted(service, usage, everything);
    assert.ok(fewer > all / 2 && fewer < all, String(fewer));
    const { id, cutoff, rows } = await deletion();
    const { total, deleted } = await finished(service, id);
    assert.ok(rows > 0);
    assert.deepEqual([total, deleted], [0, 0]);
    service.assignShards(entityType, aspect, true);
    service.clock.offsetMillis = oneRefresh;
    const [left, total2] = await counted(service, usage, cutoff);
    assert.ok(left > rows);
    assert.equal(total2, all);
  });

  test('with a write block completes a deletion of nothing', async () => {
    await service.cluster.putSettings(entityType, aspect, { writeBlocked: true });
    const { id, rows } = await deletion();
    const { total, deleted } = await finished(service, id);
    assert.deepEqual([total, deleted], [rows, 0]);
    assert.throws(() => service.addRow(entityType, aspect, 0), /index write/);
    await service.cluster.putSettings(entityType, aspect, { writeBlocked: false });
    const again = await deletion();
    assert.equal((await finished(service, again.id))['deleted'], rows);
  });

  test('forgets the running task and keeps the record of a finished one after a restart', async () => {
    const first = await deletion({ batchSize: 5 });
    await finished(service, first.id);
    service.addRow(entityType, aspect, first.cutoff);
    service.clock.offsetMillis = oneRefresh;
    service.pacing.batchDelayMillis = 3_600_000;
    const next = cutoffOver(service, usage, 0.3);
    const [rows, before] = await counted(service, usage, next);
    const running = await truncate(service, { ...usage, endTimeMillis: next, dryRun: false, batchSize: 5 });
    await until('a batch is done', async () => (await task(service, running)).status['deleted'] === 5);
    service.restart();
    service.pacing.batchDelayMillis = 0;
    assert.equal(await taskText(service, running), unknownTask(running));
    assert.equal((await task(service, first.id)).status['deleted'], first.rows);
    service.clock.offsetMillis += oneRefresh;
    assert.deepEqual(await counted(service, usage, next), [rows - 5, before - 5], 'its work is half done');
  });
});

// Effects of a full disk on a truncation, in a real search cluster and in the stand-in.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inOrder } from '../../e2e/harness/inOrder.ts';
import { ClusterError } from '../../service/searchCluster.ts';
import { startReal, startStandIn, type Engine } from './engines.ts';
import { cutoffAt, eventually, execute, readerCounts, refused, taskEnd, taskStatus } from './truncations.ts';

const OPERATIONS = { entityType: 'dataset', aspect: 'operation' };
const PROFILES = { entityType: 'dataset', aspect: 'datasetprofile' };

const BY_QUERY = { forceDeleteByQuery: true, batchSize: 10 };

describe('Both engines agree on a full disk', () => {
  inOrder();
  let disks: readonly FullDisk[] = [];
  before(async () => {
    disks = [new FullDisk(await startStandIn({ profile: '1.7' })), new FullDisk(await startReal({ profile: '1.7' }))];
  });
  after(() => Promise.all(disks.map((disk) => disk.close())));

  for (const [title, act] of [
    ['a reindex is refused, and hides rows', (disk) => disk.refusesReindex()],
    ['a task tries again and deletes nothing, and one without a record is unknown', (disk) => disk.letsTasksTry()],
    ['settings that are put meanwhile have an answer', (disk) => disk.putSettings()],
    ['the task goes on once there is room', (disk) => disk.hasRoomAgain()],
  ] as const satisfies readonly (readonly [string, (disk: FullDisk) => Promise<unknown>])[]) {
    test(title, async () => {
      const [stoodIn, seen] = await Promise.all(disks.map(act));
      assert.deepEqual(stoodIn, seen);
    });
  }
});

/**
 * A truncation on an engine whose disk is full: its methods run in their order, and return what the engines should
 * agree on.
 */
class FullDisk {
  readonly #engine: Engine;
  #initially: Awaited<ReturnType<typeof readerCounts>> | undefined;
  #endTimeMillis = 0;
  #task = '';

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async refusesReindex(): Promise<object> {
    const { service, flood } = this.#engine;
    this.#endTimeMillis = await cutoffAt(service, OPERATIONS, 0.3);
    this.#initially = await readerCounts(service, OPERATIONS, this.#endTimeMillis);
    await flood(true);
    const plan = { endTimeMillis: this.#endTimeMillis, forceReindex: true, batchSize: 500 };
    const refusal = await refused(service, PROFILES, plan);
    const hidden = await readerCounts(service, PROFILES, this.#endTimeMillis);
    assert.ok(hidden.kept > 0, 'the alias was not moved');
    return { initially: this.#initially, refusal };
  }

  async letsTasksTry(): Promise<void> {
    const { service } = this.#engine;
    this.#task = await execute(service, OPERATIONS, { endTimeMillis: this.#endTimeMillis, ...BY_QUERY });
    await eventually('the task tries again', async () => {
      const status = await taskStatus(service, this.#task);
      assert.ok(status);
      assert.deepEqual([status.completed, status['deleted']], [false, 0]);
      return (status['retries'] as { bulk: number }).bulk >= 3;
    });
    const nothing = await execute(service, OPERATIONS, { ...BY_QUERY, endTimeMillis: 1 });
    await eventually('a task whose record can not be written is unknown', async () => {
      return (await taskStatus(service, nothing)) === null;
    });
  }

  async putSettings(): Promise<unknown> {
    const { entityType, aspect } = OPERATIONS;
    return this.#engine.service.cluster
      .putSettings(entityType, aspect, { refreshIntervalMillis: null })
      .catch((error: unknown) => (error instanceof ClusterError ? error.status : error));
  }

  async hasRoomAgain(): Promise<object> {
    await this.#engine.flood(false);
    const { retries: _retries, ...status } = await taskEnd(this.#engine.service, this.#task);
    assert.equal(status['deleted'], this.#initially?.old);
    return status;
  }

  close(): Promise<void> {
    return this.#engine.service.close();
  }
}

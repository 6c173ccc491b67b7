import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { canonicalName, namesIn } from './indexName.ts';
import type { RunningService } from './main.ts';
import { megabytes, sizeFigure } from './sizeFigures.ts';
import { dig, serviceFor, TestClient } from './testClient.ts';
import { counted, cutoffOver, finished, oneRefresh, sizesOf, truncate, usage } from './testTruncations.ts';

const { entityType, aspect } = usage;
const bytesPerRow = 60_000;
const minute = 60_000;

async function bytesNow(service: RunningService): Promise<number> {
  const [size] = await sizesOf(service, usage);
  return Math.round(Number(size?.sizeInMb) * 1e6);
}

/**
 * Deletes the rows of this share of the time range.
 * @returns how many were deleted
 */
async function deleteShare(service: RunningService, share: number): Promise<number> {
  const endTimeMillis = cutoffOver(service, usage, share);
  const [rows] = await counted(service, usage, endTimeMillis);
  await finished(
    service,
    await truncate(service, { ...usage, endTimeMillis, dryRun: false, forceDeleteByQuery: true }),
  );
  service.clock.offsetMillis += oneRefresh;
  return rows;
}

describe('sizes', () => {
  test('are kilobytes in the older field, which overflows', () => {
    assert.equal(sizeFigure('sizeMb', 208), 0.208);
    assert.equal(sizeFigure('sizeMb', 540 * bytesPerRow), 32_400);
    assert.equal(sizeFigure('sizeMb', 2 ** 31 - 1), 2_147_483.8);
    assert.equal(sizeFigure('sizeMb', 2 ** 31), -2_147_483.8);
    assert.equal(sizeFigure('sizeMb', 2 ** 32 + 5_000_000), 5000, 'looks right, and is not');
    assert.equal(sizeFigure('sizeInMb', 2 ** 32), 4294.967296);
    assert.equal(megabytes(2 ** 31), 2147.483648);
  });

  test('of a server that follows the description are in kilobytes', async (t) => {
    const service = await serviceFor(t, { profile: 'spec', rows: 2000 });
    const first = dig(
      (await new TestClient(service, 'admin').operation('getIndexSizes')).body,
      'value',
      'indexSizes',
      0,
    );
    assert.equal(Object.hasOwn(Object(first), 'sizeInMb'), false);
    assert.equal(dig(first, 'sizeMb'), 32_400.207);
  });

  test('have an entity type and an aspect if exactly two words precede the suffix of the name', () => {
    const plain = canonicalName('dataset', 'datasetProfile');
    assert.equal(plain, 'dataset_datasetprofileaspect_v1');
    const names = { entity: 'dataset', aspect: 'datasetprofile' };
    for (const name of [plain, `${plain}_1690000000000`, `${plain}_1_7_0_1690000000000`]) {
      assert.deepEqual(namesIn(name), names);
    }
    for (const name of [`prod_${plain}`, 'datasetaspect_v1', 'datasetindex_v2', '']) {
      assert.equal(namesIn(name), null, name);
    }
  });

  test('grow after a deletion at first, and shrink once the index is merged', async (t) => {
    const service = await serviceFor(t, { profile: 'next', rows: 2000 });
    const before = await bytesNow(service);
    assert.equal(before, 208 + 540 * bytesPerRow);
    const rows = await deleteShare(service, 0.4);
    assert.ok((await bytesNow(service)) > before);
    service.clock.offsetMillis += minute;
    assert.equal(await bytesNow(service), before - rows * bytesPerRow);
  });

  test('stay large if less than a fifth was deleted, until the deletions are expunged', async (t) => {
    const service = await serviceFor(t, { profile: 'next', rows: 2000 });
    const before = await bytesNow(service);
    const rows = await deleteShare(service, 0.1);
    service.clock.offsetMillis += 20 * 24 * 60 * minute;
    assert.ok((await bytesNow(service)) > before);
    await service.cluster.expungeDeletes(entityType, aspect);
    assert.equal(await bytesNow(service), before - rows * bytesPerRow);
  });

  test('rows that readers still see are not expunged', async (t) => {
    const service = await serviceFor(t, { profile: 'next', rows: 2000, refreshIntervalMillis: -1 });
    await deleteShare(service, 0.4);
    await service.cluster.expungeDeletes(entityType, aspect);
    assert.equal(service.rows(entityType, aspect).count, 540);
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { canonicalName, namesIn } from './indexName.ts';
import { megabytes, sizeFigure } from './sizeFigures.ts';
import { serviceFor } from './testClient.ts';
import { counted, cutoffOver, finished, oneRefresh, sizesOf, truncate, usage } from './testTruncations.ts';

const { entityType, aspect } = usage;
const bytesPerRow = 60_000;

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

  /** The share of the time range that is deleted, and whether a merge alone shrinks the index again. */
  for (const [share, isMerged] of [
    [0.4, true],
    [0.1, false],
  ] as const) {
    const end = isMerged
      ? 'shrink once the index is merged'
      : 'stay large, below a fifth, until deletions are expunged';
    test(`grow after a deletion at first, and ${end}`, async (t) => {
      const service = await serviceFor(t, { profile: 'next', rows: 2000 });
      const bytes = async (): Promise<number> => Math.round(Number((await sizesOf(service, usage))[0]?.sizeInMb) * 1e6);
      const before = await bytes();
      assert.equal(before, 208 + 540 * bytesPerRow);
      const request = { ...usage, endTimeMillis: cutoffOver(service, usage, share), forceDeleteByQuery: true };
      const [rows] = await counted(service, usage, request.endTimeMillis);
      await finished(service, await truncate(service, { ...request, dryRun: false }));
      service.clock.offsetMillis += oneRefresh;
      assert.ok((await bytes()) > before);
      service.clock.offsetMillis += 60_000;
      if (!isMerged) {
        assert.ok((await bytes()) > before);
        await service.cluster.expungeDeletes(entityType, aspect);
      }
      assert.equal(await bytes(), before - rows * bytesPerRow);
    });
  }

  test('rows that readers still see are not expunged', async (t) => {
    const service = await serviceFor(t, { profile: 'next', rows: 2000, refreshIntervalMillis: -1 });
    const request = { ...usage, endTimeMillis: cutoffOver(service, usage, 0.4), dryRun: false };
    await finished(service, await truncate(service, request));
    await service.cluster.expungeDeletes(entityType, aspect);
    assert.equal(service.rows(entityType, aspect).count, 540);
  });
});

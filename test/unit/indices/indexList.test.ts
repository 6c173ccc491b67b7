import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { indicesById, IndexList, type ListedIndex, totalKnownBytes } from '../../../src/indices/indexList.ts';
import type { IndexName } from '../../../src/indices/indexName.ts';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';
import type { IndexSize } from '../../../src/service/indices/indexSize.ts';

function index(entityType: string | undefined, aspect: string | undefined, sizeBytes: number): IndexSize {
  const indexName = aspect === undefined ? 'graph_service_v1' : `${entityType}_${aspect}aspect_v1`;
  return { indexName, entityType, aspect, sizeBytes, isTotal: false };
}

const DATASET_PROFILE = index('dataset', 'datasetprofile', 800);
const OPERATION = index('dataset', 'operation', 500);
const NAMELESS = index(undefined, undefined, 9_000);

let listed: readonly IndexSize[];
let added: readonly IndexName[];
let list: IndexList;

beforeEach(() => {
  listed = [DATASET_PROFILE, OPERATION, NAMELESS];
  added = [];
  list = new IndexList(
    () => Promise.resolve(listed),
    () => added,
    () => undefined,
  );
});

suite('The indices of a connection', () => {
  test('are those that the server lists, none of them added', async () => {
    await list.ensureLoaded();
    assert.deepEqual(
      list.indices,
      listed.map((one) => Object.assign({ isAdded: false }, one)),
    );
    assert.equal(list.isUnsupported, false);
  });

  test('include added ones, as other windows change them', async () => {
    await list.ensureLoaded();
    added = [{ entityType: 'chart', aspect: 'chartUsageStatistics' }];
    assert.deepEqual(list.indices.at(-1), {
      ...added[0],
      indexName: 'chart/chartUsageStatistics',
      sizeBytes: undefined,
      isTotal: false,
      isAdded: true,
    });
  });

  test('are shown once if both added and listed, in any spelling', async () => {
    added = [{ entityType: 'Dataset', aspect: 'datasetProfile' }];
    assert.deepEqual(
      list.indices.map(({ isAdded }) => isAdded),
      [true],
    );
    await list.ensureLoaded();
    assert.deepEqual(
      list.indices.map(({ isAdded }) => isAdded),
      [false, false, false],
    );
  });

  test('have their size by their name in truncations, whatever the search engine calls them', async () => {
    listed = [
      { ...DATASET_PROFILE, indexName: 'dataset_datasetprofileaspect_v1_1700000000000' },
      { ...OPERATION, sizeBytes: undefined },
    ];
    assert.equal(list.sizeBytesOf({ entityType: 'dataset', aspect: 'datasetprofile' }), undefined);
    await list.ensureLoaded();
    assert.equal(list.sizeBytesOf({ entityType: 'dataset', aspect: 'datasetProfile' }), 800);
    assert.equal(
      list.sizeBytesOf({ entityType: 'dataset', aspect: 'operation' }),
      undefined,
      'the server does not tell',
    );
    assert.equal(list.sizeBytesOf({ entityType: 'chart', aspect: 'operation' }), undefined);
  });
});

suite('The name of an index on the cluster', () => {
  test('is known if the server reports it', async () => {
    listed = [
      { ...DATASET_PROFILE, indexName: 'prod_dataset_datasetprofileaspect_v1_1700000000000' },
      { ...OPERATION, indexName: 'dataset/operation' },
    ];
    added = [{ entityType: 'chart', aspect: 'usage' }];
    await list.ensureLoaded();
    assert.equal(
      list.physicalName({ entityType: 'dataset', aspect: 'datasetProfile' }),
      'prod_dataset_datasetprofileaspect_v1_1700000000000',
    );
    assert.equal(list.physicalName({ entityType: 'dataset', aspect: 'operation' }), undefined, 'made up here');
    assert.equal(list.physicalName({ entityType: 'chart', aspect: 'usage' }), undefined, 'added by name');
  });
});

suite('Loading the indices', () => {
  test('without an endpoint is no failure: indices are added by hand', async () => {
    const unsupported = new IndexList(
      () => Promise.reject(new ServiceFailure('unsupported', 'This server does not list indices.')),
      () => [{ entityType: 'dataset', aspect: 'operation' }],
      () => undefined,
    );
    await unsupported.ensureLoaded();
    const { isLoaded, isUnsupported, failure, indices } = unsupported;
    assert.deepEqual([isLoaded, isUnsupported, failure, indices.length], [true, true, undefined, 1]);
  });

  test('with only a total leaves them to be added by name, as spelled', async () => {
    listed = [{ ...NAMELESS, sizeBytes: 812_000_000, isTotal: true }];
    added = [{ entityType: 'dataset', aspect: 'datasetProfile' }];
    await list.ensureLoaded();
    assert.deepEqual([list.needsIndexNames, list.isUnsupported, list.hasTotalsOnly], [true, false, true]);
    assert.deepEqual(
      list.indices.map(({ aspect, sizeBytes, isTotal }) => [aspect, sizeBytes, isTotal]),
      [
        [undefined, 812_000_000, true],
        ['datasetProfile', undefined, false],
      ],
    );
    assert.equal(
      list.sizeBytesOf({ entityType: 'dataset', aspect: 'datasetProfile' }),
      undefined,
      'the total is the size of none',
    );
  });
});

suite('The total of sizes', () => {
  test('is that of the known ones, and unknown if none is known', () => {
    const sizes = [[1, undefined, 2, 0], [0], [], [undefined, undefined]];
    assert.deepEqual(sizes.map(totalKnownBytes), [3, 0, undefined, undefined]);
  });
});

suite('The ID of an index', () => {
  const named = (indexName: string, sizeBytes?: number): ListedIndex => ({
    ...OPERATION,
    indexName,
    sizeBytes,
    isAdded: false,
  });

  test('is its name; of two with one name, only the first is shown', () => {
    const indices = [named('a', 1), named('b', 2), named('a', 3)];
    assert.deepEqual(
      [...indicesById(indices)],
      [
        ['a', indices[0]],
        ['b', indices[1]],
      ],
    );
  });
});

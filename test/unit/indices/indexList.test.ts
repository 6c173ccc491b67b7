import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { indicesById, IndexList, type ListedIndex, totalKnownBytes } from '../../../src/indices/indexList.ts';
import type { IndexName } from '../../../src/indices/indexName.ts';
import { ServiceFailure, cancelledFailure } from '../../../src/service/failure/failure.ts';
import type { IndexSize } from '../../../src/service/indices/indexSize.ts';

const DATASET_PROFILE: IndexSize = {
  indexName: 'dataset_datasetprofileaspect_v1',
  entityType: 'dataset',
  aspect: 'datasetprofile',
  sizeBytes: 800,
  precision: 'exact',
  isTotal: false,
};
const OPERATION: IndexSize = {
  indexName: 'dataset_operationaspect_v1',
  entityType: 'dataset',
  aspect: 'operation',
  sizeBytes: 500,
  precision: 'exact',
  isTotal: false,
};
const NAMELESS: IndexSize = {
  indexName: 'graph_service_v1',
  entityType: undefined,
  aspect: undefined,
  sizeBytes: 9_000,
  precision: 'exact',
  isTotal: false,
};

let listed: readonly IndexSize[];
let added: readonly IndexName[];
let answer: (signal: AbortSignal) => Promise<readonly IndexSize[]>;
let reads: number;
let leftOut: number;
let list: IndexList;

beforeEach(() => {
  listed = [DATASET_PROFILE, OPERATION, NAMELESS];
  added = [];
  reads = 0;
  leftOut = 0;
  answer = () => Promise.resolve(listed);
  list = new IndexList(
    async (signal) => {
      reads++;
      return { indices: await answer(signal), leftOut };
    },
    () => added,
    () => undefined,
  );
});

type Pending = PromiseWithResolvers<readonly IndexSize[]> & { readonly signal: AbortSignal };

/** From now on, answers wait to be settled in the order of the requests. */
function heldAnswers(): Pending[] {
  const pending: Pending[] = [];
  answer = (signal) => {
    const resolvers = Promise.withResolvers<readonly IndexSize[]>();
    pending.push({ ...resolvers, signal });
    return resolvers.promise;
  };
  return pending;
}

suite('The indices of a connection', () => {
  test('are those that the server lists, none of them added', async () => {
    await list.ensureLoaded();
    assert.deepEqual(
      list.indices,
      listed.map((index) => ({ ...index, isAdded: false })),
    );
    assert.deepEqual(
      [list.isLoaded, list.isLoading, list.isUnsupported, list.failure],
      [true, false, false, undefined],
    );
  });

  test('report how many are left out if the server lists more than are read', async () => {
    leftOut = 7;
    assert.equal(list.leftOut, 0);
    await list.ensureLoaded();
    assert.equal(list.leftOut, 7);
    leftOut = 0;
    await list.refresh();
    assert.equal(list.leftOut, 0);
  });

  test('include added ones, as other windows change them', async () => {
    await list.ensureLoaded();
    added = [{ entityType: 'chart', aspect: 'chartUsageStatistics' }];
    assert.deepEqual(list.indices.at(-1), {
      ...added[0],
      indexName: 'chart/chartUsageStatistics',
      sizeBytes: undefined,
      precision: 'exact',
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
    assert.equal(list.reportedSizeOf({ entityType: 'dataset', aspect: 'datasetprofile' }).bytes, undefined);
    await list.ensureLoaded();
    assert.equal(list.reportedSizeOf({ entityType: 'dataset', aspect: 'datasetProfile' }).bytes, 800);
    assert.equal(
      list.reportedSizeOf({ entityType: 'dataset', aspect: 'operation' }).bytes,
      undefined,
      'the server does not tell',
    );
    assert.equal(list.reportedSizeOf({ entityType: 'chart', aspect: 'operation' }).bytes, undefined);
  });
});

suite('The precision of sizes', () => {
  test('is exact until the server reports one that may be wrong, and then approximate for all', async () => {
    assert.equal(list.precision, 'exact');
    listed = [{ ...DATASET_PROFILE, precision: 'approximate', sizeBytes: undefined }, OPERATION];
    await list.ensureLoaded();
    assert.equal(list.precision, 'approximate');
    assert.deepEqual(list.reportedSizeOf({ entityType: 'dataset', aspect: 'operation' }), {
      bytes: 500,
      precision: 'approximate',
    });
    assert.deepEqual(list.reportedSizeOf({ entityType: 'dataset', aspect: 'datasetprofile' }), {
      bytes: undefined,
      precision: 'approximate',
    });
    assert.equal(list.indices[0]?.precision, 'approximate');
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
  test('runs once, however often it is requested', async () => {
    await Promise.all([list.ensureLoaded(), list.ensureLoaded()]);
    await list.ensureLoaded();
    assert.equal(reads, 1);
  });

  test('without an endpoint is no failure: indices are added by hand', async () => {
    answer = () => Promise.reject(new ServiceFailure('unsupported', 'This server does not list indices.'));
    added = [{ entityType: 'dataset', aspect: 'operation' }];
    await list.ensureLoaded();
    assert.deepEqual(
      [list.isLoaded, list.isUnsupported, list.failure, list.indices.length],
      [true, true, undefined, 1],
    );
  });

  test('with only a total leaves them to be added by name, as spelled', async () => {
    listed = [
      {
        indexName: 'metadata_timeseries',
        entityType: undefined,
        aspect: undefined,
        sizeBytes: 812_000_000,
        precision: 'exact',
        isTotal: true,
      },
    ];
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
      list.reportedSizeOf({ entityType: 'dataset', aspect: 'datasetProfile' }).bytes,
      undefined,
      'the total is the size of none',
    );
  });

  test('shows a failure, keeps the rows, and recovers', async () => {
    await list.ensureLoaded();
    const failure = new ServiceFailure('refused', 'You may not.');
    answer = () => Promise.reject(failure);
    await list.refresh();
    await list.ensureLoaded();
    assert.deepEqual([list.failure, list.indices.length, reads], [failure, 3, 2]);
    answer = () => Promise.resolve([]);
    await list.refresh();
    assert.deepEqual([list.failure, list.indices.length], [undefined, 0]);
  });

  test('is retried when the user asks', async () => {
    answer = () => Promise.reject(new ServiceFailure('unreachable', 'Nobody answers.'));
    await list.ensureLoaded();
    answer = () => Promise.resolve(listed);
    await list.ensureTried();
    assert.deepEqual([list.failure, list.indices.length, reads], [undefined, 3, 2]);
    await list.ensureTried();
    assert.equal(reads, 2);
  });

  test('is no failure when cancelled, and is repeated', async () => {
    answer = () => Promise.reject(cancelledFailure());
    await list.ensureLoaded();
    assert.deepEqual([list.failure, list.isLoaded], [undefined, false]);
    answer = () => Promise.resolve(listed);
    await list.ensureLoaded();
    assert.equal(list.isLoaded, true);
  });

  for (const [how, settle] of [
    ['succeeds', (stale: Pending) => stale.resolve([DATASET_PROFILE])],
    ['fails', (stale: Pending) => stale.reject(new ServiceFailure('server', 'It broke.'))],
  ] as const) {
    test(`changes nothing when outdated, even when it ${how} last`, async () => {
      const pending = heldAnswers();
      const waiting = list.ensureLoaded();
      const refreshed = list.refresh();
      assert.deepEqual(
        pending.map(({ signal }) => signal.aborted),
        [true, false],
      );
      pending[1]?.resolve([OPERATION]);
      await refreshed;
      settle(pending[0] ?? assert.fail());
      await waiting;
      assert.deepEqual([list.indices.map(({ aspect }) => aspect), list.failure], [['operation'], undefined]);
    });
  }

  test('continues for those who wait if a newer request replaces it', async () => {
    const pending = heldAnswers();
    let isDone = false;
    const waiting = list.ensureLoaded().then(() => (isDone = true));
    const refreshed = list.refresh();
    pending[0]?.resolve([]);
    await new Promise(setImmediate);
    const again = list.refresh();
    pending[1]?.resolve([]);
    await refreshed;
    await new Promise(setImmediate);
    assert.equal(isDone, false);
    pending[2]?.resolve(listed);
    await Promise.all([waiting, again]);
    assert.equal(list.indices.length, 3);
  });

  test('is aborted on the wire when no longer needed', async () => {
    const pending = heldAnswers();
    const waiting = list.ensureLoaded();
    list.abortLoading();
    assert.equal(pending[0]?.signal.aborted, true);
    pending[0].resolve([]);
    await waiting;
    assert.equal(list.isLoaded, false);
  });
});

suite('The total of sizes', () => {
  test('is that of the known ones', () => {
    assert.equal(totalKnownBytes([1, undefined, 2, 0]), 3);
    assert.equal(totalKnownBytes([0]), 0);
  });

  test('is unknown if none is known', () => {
    assert.equal(totalKnownBytes([]), undefined);
    assert.equal(totalKnownBytes([undefined, undefined]), undefined);
  });
});

suite('The ID of an index', () => {
  const named = (indexName: string, sizeBytes?: number): ListedIndex => ({
    ...OPERATION,
    indexName,
    sizeBytes,
    isAdded: false,
  });

  test('is its name, with a suffix if listed twice', () => {
    const indices = [named('a', 1), named('a', 2), named('a*', 3), named('a', 4), named('a 1', 5)];
    const found = indicesById(indices);
    assert.deepEqual([...found.values()], indices);
    assert.equal(found.get('a'), indices[0]);
    assert.equal(new Set(found.keys()).size, 5);
  });

  test('is found quickly, however many share a name', () => {
    const before = process.cpuUsage().user;
    assert.equal(indicesById(Array.from({ length: 10_000 }, () => named('a'))).size, 10_000);
    const seconds = (process.cpuUsage().user - before) / 1_000_000;
    assert.ok(seconds < 1, `${seconds} s`);
  });
});

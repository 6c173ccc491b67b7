import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { beforeEach, suite, test } from 'node:test';
import type { ListedIndex } from '../../../src/indices/indexList.ts';
import { SizeHistoryStore, type IndexSizeGrowth } from '../../../src/indices/sizeHistory.ts';
import { folderAt } from '../../../src/platform/folder.ts';
import { temporaryFolder } from '../platform/temporaryFolder.ts';

const DAY = 86_400_000;
const MB = 1_000_000;
const SERVER = { id: 'a6f1d4de-3f7d-4c0b-8a52-6a2f6a1f8e01', baseUrl: 'https://datahub.example.com' };
const PROFILE = { entityType: 'dataset', aspect: 'datasetprofile' };
const isThere = (): boolean => true;

/** @param name Undefined for one that the server lists without a name. */
function index(sizeBytes: number | undefined, name: Partial<typeof PROFILE> = PROFILE): ListedIndex {
  const { entityType, aspect } = name;
  return { indexName: 'some', entityType, aspect, sizeBytes, isTotal: false, isAdded: false };
}

let path: string;
let store: SizeHistoryStore;

beforeEach(async (context) => {
  path = await temporaryFolder(context);
  store = new SizeHistoryStore(folderAt(path));
});

/** @param day Since January 1, 1970. */
function look(day: number, indices: readonly ListedIndex[], on = store, server = SERVER): Promise<void> {
  return on.recordSizes(server, indices, day * DAY, isThere);
}

/** What is known after looks at one index. */
async function growthAfter(
  ...looks: readonly (readonly [day: number, bytes: number])[]
): Promise<IndexSizeGrowth | undefined> {
  for (const [day, bytes] of looks) await look(day, [index(bytes)]);
  return store.growthOfIndex(SERVER, PROFILE);
}

suite('The growth of an index', () => {
  for (const [sizes, bytes, days] of [
    [[100, 130, 160], 60, 20],
    [[100, 98], -2, 10],
    [[100, 100], 0, 10],
    // A fall is a truncation, unless it is small: merged segments.
    [[500, 600, 100, 130], 30, 10],
    [[500, 100, 200, 50, 70, 90], 40, 20],
    [[100, 130, 125, 160], 60, 30],
    [[100]],
    [[100, 200, 50]],
  ] as const) {
    test(`since its last fall is ${bytes ?? 'unknown'} if every ten days it has ${sizes.join(', ')}`, async () => {
      const growth = await growthAfter(...sizes.map((size, at) => [20_000 + 10 * at, size * MB] as const));
      assert.deepEqual(growth, bytes === undefined ? undefined : { bytes: bytes * MB, days });
    });
  }

  test('counts the last look of a day', async () => {
    assert.deepEqual(await growthAfter([7, 100], [7, 120], [8, 130]), { bytes: 10, days: 1 });
  });

  test('adds up the parts of an index, in any spelling, and leaves out what has no name or size', async () => {
    const others = [index(undefined, { ...PROFILE, aspect: 'operation' }), index(9_000, {})];
    await look(1, [index(100.4), index(20, { ...PROFILE, aspect: 'datasetProfile' }), ...others]);
    await look(2, [index(130), ...others]);
    assert.deepEqual(store.growthOfIndex(SERVER, PROFILE), { bytes: 10, days: 1 });
    assert.equal(store.growthOfIndex(SERVER, { ...PROFILE, aspect: 'operation' }), undefined);
  });

  test("is still known if the index wasn't listed for days", async () => {
    await look(1, [index(100)]);
    await look(2, []);
    assert.deepEqual(await growthAfter([3, 130]), { bytes: 30, days: 2 });
  });

  test('is kept of the largest 200 indices', async () => {
    await look(69, [index(1_000)]);
    const many = Array.from({ length: 1_000 }, (_, at) => index(at, { entityType: 'chart', aspect: `a${at}` }));
    await look(70, many);
    await look(71, many);
    const known = many.filter(({ aspect = '' }) => store.growthOfIndex(SERVER, { entityType: 'chart', aspect }));
    assert.deepEqual([known.length, known[0]?.aspect], [199, 'a801'], 'the one of before is larger');
  });
});

suite('Sizes of earlier days', () => {
  test('are known in the next window, and combined with those of another', async () => {
    const other = new SizeHistoryStore(folderAt(path));
    await look(1, [index(1 * MB)]);
    assert.equal(other.growthOfIndex(SERVER, PROFILE), undefined, 'nothing is read before there are sizes');
    await look(2, [index(2 * MB)], other);
    await look(3, [index(3 * MB)]);
    assert.deepEqual(store.growthOfIndex(SERVER, PROFILE), { bytes: 2 * MB, days: 2 });
    assert.deepEqual(await readdir(path), [`${SERVER.id}.json`]);
  });

  test("of a connection's previous server are dropped", async () => {
    await growthAfter([1, 1 * MB], [2, 2 * MB]);
    const other = { ...SERVER, baseUrl: 'https://other.example.com' };
    assert.equal(store.growthOfIndex(other, PROFILE), undefined, 'nor shown before there are others');
    await look(3, [index(7 * MB)], store, other);
    assert.deepEqual(
      [SERVER, other].map((server) => store.growthOfIndex(server, PROFILE)),
      [undefined, undefined],
    );
  });

  test('are deleted with the connection, even during a look', async () => {
    await look(1, [index(1 * MB)]);
    const looking = look(2, [index(7 * MB)]);
    await store.forgetConnection(SERVER.id);
    await looking;
    assert.deepEqual([await readdir(path), store.growthOfIndex(SERVER, PROFILE)], [[], undefined]);
    await store.recordSizes(SERVER, [index(7 * MB)], 3 * DAY, () => false);
    assert.deepEqual(await readdir(path), []);
  });

  test("cause no failure if they can't be written, but do if they can't be deleted", async () => {
    const full = {
      readAll: () => Promise.resolve(new Map<string, string>()),
      put: () => Promise.reject(new Error('ENOSPC')),
      append: () => Promise.reject(new Error('ENOSPC')),
      create: () => Promise.reject(new Error('ENOSPC')),
      remove: () => Promise.reject(new Error('EPERM')),
    };
    const unlucky = new SizeHistoryStore(full);
    await look(1, [index(7 * MB)], unlucky);
    assert.equal(unlucky.growthOfIndex(SERVER, PROFILE), undefined);
    await assert.rejects(unlucky.forgetConnection(SERVER.id), /EPERM/);
  });
});

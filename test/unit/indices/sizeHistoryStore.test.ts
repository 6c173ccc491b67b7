import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import type { ListedIndex } from '../../../src/indices/indexList.ts';
import { SizeHistoryStore } from '../../../src/indices/sizeHistory.ts';
import { folderAt } from '../../../src/platform/folder.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 21, 12);
const MB = 1_000_000;
const SERVER = { id: 'a6f1d4de-3f7d-4c0b-8a52-6a2f6a1f8e01', baseUrl: 'https://datahub.example.com' };
const PROFILE = { entityType: 'dataset', aspect: 'datasetprofile' };

function index(sizeBytes: number | undefined, more: Partial<ListedIndex> = {}): ListedIndex {
  return {
    indexName: 'dataset_profile',
    ...PROFILE,
    sizeBytes,
    precision: 'exact',
    isTotal: false,
    isAdded: false,
    ...more,
  };
}

const isThere = (): boolean => true;

let path: string;
let store: SizeHistoryStore;

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'metadata-service-sizes-'));
  store = new SizeHistoryStore(folderAt(path));
});
afterEach(() => rm(path, { recursive: true, force: true }));

/** Daily looks, the last one now. */
async function look(days: number, on = store, server = SERVER): Promise<void> {
  for (let day = days - 1; day >= 0; day--) {
    await on.recordSizes(server, [index((1_000 - day) * MB)], NOW - day * DAY, isThere);
  }
}

suite('Sizes of earlier days', () => {
  test('give the growth of an index, in this window and in the next', async () => {
    await look(10);
    const known = { bytes: 9 * MB, days: 9 };
    assert.deepEqual(store.growthOfIndex(SERVER.id, PROFILE), known);
    const next = new SizeHistoryStore(folderAt(path));
    assert.equal(next.growthOfIndex(SERVER.id, PROFILE), undefined, 'nothing is read before there are sizes');
    await next.recordSizes(SERVER, [], NOW, isThere);
    assert.deepEqual(next.growthOfIndex(SERVER.id, PROFILE), known);
  });

  test('are one file per connection, written only if something changed', async () => {
    await look(3);
    assert.deepEqual(await readdir(path), [`${SERVER.id}.json`]);
    const [name = ''] = await readdir(path);
    // Equal content in another form.
    const before = await readFile(join(path, name), 'utf8');
    await rm(join(path, name));
    await writeFile(join(path, name), before, { mode: 0o444 });
    await store.recordSizes(SERVER, [index(1_000 * MB)], NOW, isThere);
    assert.equal((await readFile(join(path, name), 'utf8')) === before, true);
  });

  test('of two windows are combined', async () => {
    const other = new SizeHistoryStore(folderAt(path));
    await store.recordSizes(SERVER, [index(1 * MB)], NOW - 2 * DAY, isThere);
    await other.recordSizes(SERVER, [index(2 * MB)], NOW - DAY, isThere);
    await store.recordSizes(SERVER, [index(3 * MB)], NOW, isThere);
    assert.deepEqual(store.growthOfIndex(SERVER.id, PROFILE), { bytes: 2 * MB, days: 2 });
  });

  test('are by name: indices without a name or size are left out', async () => {
    for (const [bytes, at] of [
      [5 * MB, NOW - DAY],
      [6 * MB, NOW],
    ] as const) {
      const unknown = index(undefined, { aspect: 'operation' });
      const total = index(9 * bytes, { entityType: undefined, aspect: undefined, isTotal: true });
      await store.recordSizes(SERVER, [index(bytes), unknown, total], at, isThere);
    }
    assert.deepEqual(store.growthOfIndex(SERVER.id, PROFILE), { bytes: 1 * MB, days: 1 });
    assert.equal(store.growthOfIndex(SERVER.id, { entityType: 'dataset', aspect: 'operation' }), undefined);
  });

  test("of a connection's previous server are dropped", async () => {
    await look(10);
    await store.recordSizes({ ...SERVER, baseUrl: 'https://other.example.com' }, [index(7 * MB)], NOW, isThere);
    assert.equal(store.growthOfIndex(SERVER.id, PROFILE), undefined);
  });

  test('are deleted with the connection, even during a look', async () => {
    await look(3);
    const looking = store.recordSizes(SERVER, [index(7 * MB)], NOW, isThere);
    await store.forgetConnection(SERVER.id);
    await looking;
    assert.deepEqual(await readdir(path), []);
    assert.equal(store.growthOfIndex(SERVER.id, PROFILE), undefined);
    await store.recordSizes(SERVER, [index(7 * MB)], NOW, () => false);
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
    await unlucky.recordSizes(SERVER, [index(7 * MB)], NOW, isThere);
    assert.equal(unlucky.growthOfIndex(SERVER.id, PROFILE), undefined);
    await assert.rejects(unlucky.forgetConnection(SERVER.id), /EPERM/);
  });
});

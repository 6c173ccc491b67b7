// What released versions stored is read by the real stores, value by value.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parseConnection } from '../../src/connections/connection.ts';
import { durableFolder } from '../../src/platform/durableFolder.ts';
import { systemClock } from '../../src/service/clock.ts';
import { CreatedTokens } from '../../src/tokens/createdTokens.ts';
import { DraftStore } from '../../src/truncation/draftStore.ts';
import { parseRecord } from '../../src/truncation/model/record.ts';
import { plansLeft } from '../../src/truncation/several/bulkRecord.ts';
import type { BulkRecord } from '../../src/truncation/several/bulkRecord.ts';
import { BulkStore } from '../../src/truncation/several/bulkStore.ts';
import { parsePanelState } from '../../src/truncation/wizard/protocol.ts';
import { ANY_RUN, STORED, inRun } from '../stored/stored.ts';
import { sharedStorage, windowOn } from './connections/window.ts';
import type { Shared } from './connections/window.ts';
import { Memory } from './memory.ts';

/** The kinds of keys in VS Code's storage for all windows. */
const OF_0_1_0 = ['connection', 'removing', 'dialect', 'createdToken', 'addedIndices', 'truncation', 'indexOrder'];
const KINDS: Readonly<Record<string, readonly string[]>> = { '0.1.0': OF_0_1_0, unreleased: [...OF_0_1_0, 'several'] };

for (const [version, template] of Object.entries(STORED)) {
  suite(`What version ${version} stored`, () => {
    const stored = inRun(template, ANY_RUN);

    test('has every kind of key that a version had then', () => {
      const kinds = new Set(Object.keys(stored.globalState).map((key) => key.split('.')[0] ?? ''));
      assert.deepEqual([...kinds].toSorted(), KINDS[version]?.toSorted());
      assert.deepEqual([...new Set(Object.keys(stored.workspaceState).map((key) => key.split('.')[0]))].toSorted(), [
        'connectionInUse',
        'planDrafts',
      ]);
      assert.ok(Object.keys(stored.secrets).length > 3 && stored.panelStates.length > 1);
    });

    test('as connections: each is read whole, and signed in as it was', async (context) => {
      const { store, credentials } = windowOn(await shared(context));
      await store.load();
      const values = of<{ id: string; name: string }>('connection.');
      const removed = new Set(of('removing.').keys());
      assert.deepEqual(
        store
          .all()
          .map(({ id }) => id)
          .toSorted(),
        [...values.keys()].filter((id) => !removed.has(id)).toSorted(),
      );
      const unfinished = [...of<true | { isDone: boolean }>('removing.')].filter(
        ([, mark]) => mark === true || !mark.isDone,
      );
      assert.deepEqual(
        store.unfinishedRemovals(),
        unfinished.map(([id]) => id),
      );
      for (const [id, value] of values) {
        assert.partialDeepStrictEqual(parseConnection(value), value);
        const secret = stored.secrets[`credential.${id}`];
        const token = secret === undefined ? undefined : (JSON.parse(secret) as { token: string }).token;
        const connection = store.get(id);
        if (connection !== undefined) assert.equal(await credentials.read(connection), token, value.name);
      }
    });

    test('of servers: nothing of it is unknown', async (context) => {
      const { store, services } = windowOn(await shared(context));
      const values = of<string>('dialect.');
      assert.ok(values.size > 2);
      for (const [id, text] of values) {
        const connection = store.get(id);
        if (connection === undefined) continue;
        const known = JSON.parse(JSON.stringify(services.get(connection).capabilities.known)) as Record<
          string,
          unknown
        >;
        const { server, ...rest } = JSON.parse(text) as { server?: { product?: string } };
        assert.partialDeepStrictEqual(known, rest);
        // A server that did not say who it is is asked in each session.
        if (server?.product !== undefined) assert.deepEqual(known['server'], server);
      }
    });

    test('of truncations: each record is read whole, by its connection', async (context) => {
      const { records } = windowOn(await shared(context));
      await records.load();
      const values = of<{ id: string; connectionId: string }>('truncation.');
      assert.ok(values.size > 5);
      for (const value of values.values()) {
        assert.partialDeepStrictEqual(JSON.parse(JSON.stringify(parseRecord(value))), value);
        assert.partialDeepStrictEqual(
          JSON.parse(JSON.stringify(records.of(value.connectionId).find(({ id }) => id === value.id))),
          value,
        );
      }
    });

    test('of several that were confirmed at once: which were sent and which were not', async (context) => {
      const { memory, path } = await shared(context);
      const bulks = new BulkStore(memory, durableFolder(path), systemClock);
      const values = of<BulkRecord>('several.');
      assert.equal(values.size > 0, KINDS[version]?.includes('several'));
      for (const value of values.values()) {
        assert.ok(plansLeft(value).length > 0 && plansLeft(value).length < value.items.length);
        const read = bulks.of(value.connectionId, value.baseUrl).find(({ id }) => id === value.id);
        assert.partialDeepStrictEqual(JSON.parse(JSON.stringify(read)), value);
      }
    });

    test('of created tokens: name and dates of each', async (context) => {
      const created = new CreatedTokens((await shared(context)).memory);
      const values = of<{ id: string }>('createdToken.');
      assert.ok(values.size > 2);
      for (const [key, value] of values) {
        const connectionId = key.slice(0, key.indexOf('.'));
        assert.deepEqual(created.complete(connectionId, { id: value.id, urn: '', actorUrn: '' }), value);
      }
    });

    test('of half-filled plans: as they were typed, but for the strategy that nobody chose', () => {
      const drafts = new DraftStore(memoryOf(stored.workspaceState));
      const kept = Object.entries(stored.workspaceState).filter(([key]) => key.startsWith('planDrafts.'));
      assert.ok(kept.length > 0);
      for (const [key, values] of kept) {
        for (const draft of values as { entityType: string; aspect: string }[]) {
          const found = drafts.of(key.slice('planDrafts.'.length), draft);
          assert.deepEqual(JSON.parse(JSON.stringify(found)), { ...draft, strategy: 'deleteByQuery' });
        }
      }
    });

    test('of pages: their draft, their connection and what they had sent', () => {
      for (const state of stored.panelStates) {
        const parsed = parsePanelState(state);
        const { draft, restore } = state as { draft?: object; restore: object };
        assert.deepEqual(parsed?.restore, restore);
        if (draft !== undefined) assert.partialDeepStrictEqual(JSON.parse(JSON.stringify(parsed?.draft)), draft);
      }
    });

    /** The values of a kind, by what stands behind the kind in their keys. Which of two is newer is the storage's own. */
    function of<T>(prefix: string): ReadonlyMap<string, T> {
      const entries = Object.entries(stored.globalState).filter(([key]) => key.startsWith(prefix));
      return new Map(entries.map(([key, value]) => [key.slice(prefix.length), withoutRevision(value) as T]));
    }

    async function shared(context: Parameters<typeof sharedStorage>[0]): Promise<Shared> {
      const storage = await sharedStorage(context);
      for (const [key, value] of Object.entries(stored.globalState)) await storage.memory.update(key, value);
      for (const [key, value] of Object.entries(stored.secrets)) await storage.secrets.store(key, value);
      return storage;
    }
  });
}

function withoutRevision(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { revision: _, ...rest } = value as { readonly revision?: number };
  return rest;
}

function memoryOf(values: Readonly<Record<string, unknown>>): Memory {
  const memory = new Memory();
  for (const [key, value] of Object.entries(values)) void memory.update(key, value);
  return memory;
}

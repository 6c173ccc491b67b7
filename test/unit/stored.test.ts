// The real stores read the state of released versions, value by value.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parseConnection } from '../../src/connections/connection.ts';
import { durableFolder } from '../../src/platform/durableFolder.ts';
import { ExpandedRows } from '../../src/explorer/expandedRows.ts';
import { SizeHistoryStore } from '../../src/indices/sizeHistory.ts';
import { systemClock, MILLIS_PER_DAY } from '../../src/time.ts';
import { CreatedTokens } from '../../src/tokens/createdTokens.ts';
import { PlanDraftStore } from '../../src/wizard/host/draftStore.ts';
import { parseRecord, type TruncationRecord } from '../../src/truncation/record.ts';
import type { TruncationOutcome } from '../../src/truncation/outcome.ts';
import type { TaskEnd } from '../../src/truncation/taskEnd.ts';
import { plansLeft, type BatchRecord, BatchStore } from '../../src/batch/batchStore.ts';
import { type LastBatch, LastBatchStore } from '../../src/batch/lastBatchStore.ts';
import { offeredRole } from '../../src/connections/role.ts';
import { parsePanelState } from '../../src/wizard/protocol.ts';
import { ANY_RUN, STORED, inRun } from '../stored/stored.ts';
import { sharedStorage, windowOn, type SharedStorage } from './connections/window.ts';
import { Memory } from './memory.ts';

/** The kinds of keys in VS Code's storage for all windows. */
const OF_0_1_0 = ['connection', 'removing', 'dialect', 'createdToken', 'addedIndices', 'truncation', 'indexOrder'];
const KINDS: Readonly<Record<string, readonly string[]>> = {
  '0.1.0': OF_0_1_0,
  unreleased: [...OF_0_1_0, 'several', 'lastBatch', 'role', 'terminalToken'],
};

interface StoredHistory {
  readonly baseUrl: string;
  readonly units?: number;
  /** By index: pairs of a day and bytes. */
  readonly sizes: Readonly<Record<string, readonly (readonly [number, number])[]>>;
}

const RECORD_OF_0_1_0 = {
  id: true,
  connectionId: true,
  plan: true,
  report: true,
  reviewedAt: true,
  sentAt: true,
  endedAt: true,
  taskId: true,
  ending: true,
  sizeBefore: true,
  sizeAfter: true,
};
/** A field that is added to records, and a kind of end, has to be in what is stored too. */
const RECORD_NOW: Readonly<Record<keyof TruncationRecord, true>> = {
  ...(RECORD_OF_0_1_0 as Readonly<Record<keyof typeof RECORD_OF_0_1_0, true>>),
  baseUrl: true,
  actorUrn: true,
  callerUrn: true,
  sessionId: true,
  runTimeMillis: true,
  taskEnd: true,
  writesRefused: true,
  baseline: true,
  readers: true,
  sizePrecision: true,
  laterSize: true,
};
const TASK_END_NOW: Readonly<Record<keyof TaskEnd, true>> = {
  kind: true,
  done: true,
  total: true,
  versionConflicts: true,
  cancelled: true,
  failures: true,
};
const ENDINGS_OF_0_1_0 = ['finished', 'failed', 'unknown'];
const FIELDS: Readonly<
  Record<string, { readonly record: object; readonly taskEnd: object; readonly endings: readonly string[] }>
> = {
  '0.1.0': { record: RECORD_OF_0_1_0, taskEnd: {}, endings: ENDINGS_OF_0_1_0 },
  unreleased: {
    record: RECORD_NOW,
    taskEnd: TASK_END_NOW,
    endings: [
      ...ENDINGS_OF_0_1_0,
      'finished clean',
      'finished rowsLeft',
      'finished notChecked',
      'failed whole',
      'unknown notRefreshed hides',
    ],
  },
};

/** One yes stood for any caution. */
interface DraftOfThen {
  readonly entityType: string;
  readonly aspect: string;
  readonly cautionAccepted?: boolean;
}

for (const [version, template] of Object.entries(STORED)) {
  suite(`State stored by version ${version}`, () => {
    const stored = inRun(template, ANY_RUN);

    test('has every kind of key that a version had then', () => {
      const kinds = new Set(Object.keys(stored.globalState).map((key) => key.split('.')[0] ?? ''));
      assert.deepEqual([...kinds].toSorted(), KINDS[version]?.toSorted());
      assert.deepEqual([...new Set(Object.keys(stored.workspaceState).map((key) => key.split('.')[0]))].toSorted(), [
        'connectionInUse',
        ...(version === 'unreleased' ? ['expandedRows'] : []),
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
        assert.equal(offeredRole(connection?.role), connection && parseConnection(value)?.role);
      }
    });

    test('as roles: a Development that the user chose differs from a suggested one', async (context) => {
      const { store } = windowOn(await shared(context));
      await store.load();
      const values = of<{ role: string }>('role.');
      assert.equal(values.size > 0, KINDS[version]?.includes('role'));
      for (const [id, { role }] of values) assert.equal(store.get(id)?.role, role);
    });

    test('as the indices that were confirmed last', async (context) => {
      const storage = await shared(context);
      const { store } = windowOn(storage);
      const values = of<LastBatch>('lastBatch.');
      assert.equal(values.size > 0, KINDS[version]?.includes('lastBatch'));
      for (const [id, value] of values) {
        assert.deepEqual(new LastBatchStore(storage.memory).of(store.get(id) ?? assert.fail()), value);
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
        // These versions stored guesses of the schema too, so all of it is asked again.
        const { server, schema: _, ...rest } = JSON.parse(text) as { server?: { product?: string }; schema?: object };
        assert.partialDeepStrictEqual(known, rest);
        assert.equal(known['schema'], undefined);
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

    test('of truncations: every field, and every kind of end, that a version had then', () => {
      const records = [...of<TruncationRecord>('truncation.').values()];
      const fields = FIELDS[version] ?? assert.fail();
      assert.deepEqual(keysOf(records), Object.keys(fields.record).toSorted());
      assert.deepEqual(keysOf(records.map(({ taskEnd }) => taskEnd)), Object.keys(fields.taskEnd).toSorted());
      const endings = new Set(records.flatMap(({ ending }) => (ending === undefined ? [] : [endingText(ending)])));
      assert.deepEqual([...endings].toSorted(), fields.endings.toSorted());
    });

    test('of batches: which truncations were sent and which were not', async (context) => {
      const { memory, path } = await shared(context);
      const batches = new BatchStore(memory, durableFolder(path), systemClock, { get: () => undefined });
      const values = of<BatchRecord>('several.');
      assert.equal(values.size > 0, KINDS[version]?.includes('several'));
      for (const value of values.values()) {
        assert.ok(plansLeft(value).length > 0 && plansLeft(value).length < value.items.length);
        const read = batches.of(value.connectionId, value.baseUrl).find(({ id }) => id === value.id);
        assert.partialDeepStrictEqual(JSON.parse(JSON.stringify(read)), value);
      }
    });

    test('of sizes: each history with its figures and its units, and nothing of it is lost by the next look', async (context) => {
      const { path } = await shared(context);
      const folder = durableFolder(path);
      const histories = Object.entries(stored.sizeHistories ?? {}) as [string, StoredHistory][];
      assert.equal(histories.length > 0, version === 'unreleased');
      for (const [id, history] of histories) {
        const text = JSON.stringify(history);
        await folder.write(`${id}.json`, text);
        const store = new SizeHistoryStore(folder);
        const [[day = 0] = []] = Object.values(history.sizes)[0] ?? [];
        await store.recordSizes(
          { id, baseUrl: history.baseUrl },
          [],
          day * MILLIS_PER_DAY,
          () => true,
          () => true,
        );
        assert.equal((await folder.readAll()).get(`${id}.json`), text);
        assert.equal(history.units, 2);
        for (const [key, figures] of Object.entries(history.sizes)) {
          const [entityType = '', aspect = ''] = key.split('/');
          const read = store.growthOfIndex(id, { entityType, aspect })?.figures;
          assert.deepEqual(
            read?.map((figure) => [figure.day, figure.bytes]),
            figures,
          );
        }
      }
    });

    test('of created tokens: name and dates of each', async (context) => {
      const created = new CreatedTokens((await shared(context)).memory);
      const values = of<{ id: string }>('createdToken.');
      assert.ok(values.size > 2);
      for (const [key, value] of values) {
        const connectionId = key.slice(0, key.indexOf('.'));
        assert.deepEqual(created.withRemembered(connectionId, { id: value.id, urn: '', actorUrn: '' }), value);
      }
    });

    test('of half-filled plans: as they were typed, but for the strategy that was never chosen, and without a yes', () => {
      const drafts = new PlanDraftStore(memoryOf(stored.workspaceState));
      const kept = Object.entries(stored.workspaceState).filter(([key]) => key.startsWith('planDrafts.'));
      assert.ok(kept.length > 0);
      for (const [key, values] of kept) {
        for (const { cautionAccepted: _, ...draft } of values as DraftOfThen[]) {
          const found = drafts.draftOf(key.slice('planDrafts.'.length), draft);
          assert.deepEqual(JSON.parse(JSON.stringify(found)), {
            ...draft,
            strategy: 'deleteByQuery',
            acceptedCautions: [],
          });
        }
      }
    });

    test('of the tree: which rows are expanded', () => {
      const rows = new ExpandedRows(memoryOf(stored.workspaceState));
      for (const [key, states] of Object.entries(stored.workspaceState)) {
        const connectionId = /^expandedRows\.(.*)$/.exec(key)?.[1];
        for (const [id, isExpanded] of connectionId === undefined ? [] : Object.entries(states as object)) {
          assert.equal(rows.isExpanded(connectionId ?? '', id), isExpanded);
        }
      }
    });

    test('of pages: their draft, their connection and what they had sent', () => {
      for (const state of stored.panelStates) {
        const parsed = parsePanelState(state);
        const { draft, restore } = state as { draft?: DraftOfThen; restore: object };
        assert.deepEqual(parsed?.restore, restore);
        if (draft !== undefined) {
          const { cautionAccepted: _, ...typed } = draft;
          assert.partialDeepStrictEqual(JSON.parse(JSON.stringify(parsed?.draft)), typed);
        }
      }
    });

    /** Values whose keys begin with a prefix, by the rest of the key, without the storage's revisions. */
    function of<T>(prefix: string): ReadonlyMap<string, T> {
      const entries = Object.entries(stored.globalState).filter(([key]) => key.startsWith(prefix));
      return new Map(entries.map(([key, value]) => [key.slice(prefix.length), withoutRevision(value) as T]));
    }

    async function shared(context: Parameters<typeof sharedStorage>[0]): Promise<SharedStorage> {
      const storage = await sharedStorage(context);
      for (const [key, value] of Object.entries(stored.globalState)) await storage.memory.update(key, value);
      for (const [key, value] of Object.entries(stored.secrets)) await storage.secrets.store(key, value);
      return storage;
    }
  });
}

function keysOf(values: readonly (object | undefined)[]): string[] {
  return [...new Set(values.flatMap((value) => Object.keys(value ?? {})))].toSorted();
}

/** The kind of an end, with what readers saw. */
function endingText(ending: TruncationOutcome): string {
  const seen = ending.kind === 'unknown' ? [ending.missing, ending.hidesRows === true && 'hides'] : [ending.readers];
  return [ending.kind, ...seen].filter((part) => typeof part === 'string').join(' ');
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

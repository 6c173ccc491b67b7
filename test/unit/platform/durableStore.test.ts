import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { DurableStore } from '../../../src/platform/durableStore.ts';
import type { DurableFolder } from '../../../src/platform/durableFolder.ts';
import type { Clock } from '../../../src/time.ts';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';
import { Memory } from '../memory.ts';

interface Note {
  readonly text: string;
}

const DAY = 86_400_000;
const PREFIX = 'note.';

let files: Map<string, string>;
let now: number;

const folder: DurableFolder = {
  readAll: () => Promise.resolve(new Map(files)),
  write: (name, text) => Promise.resolve(void files.set(name, text)),
  create: (name, text) => Promise.resolve(!files.has(name) && files.set(name, text).size > 0),
  remove: (name) => Promise.resolve(void files.delete(name)),
};

/** Ends every wait at once. */
const clock: Clock = {
  now: () => now,
  monotonic: () => now,
  after: (_, run) => {
    setImmediate(run);
    return () => undefined;
  },
};

beforeEach(() => {
  files = new Map();
  now = 1_790_000_000_000;
});

/** Opens a window with its view of the storage. */
function window(
  memento = new Memory(),
  over: DurableFolder = folder,
  deletionIsFinal = false,
): { readonly store: DurableStore<Note>; readonly memento: Memory } {
  const parse = (stored: unknown): Note | undefined =>
    typeof stored === 'object' && stored !== null && 'text' in stored && typeof stored.text === 'string'
      ? { text: stored.text }
      : undefined;
  return {
    memento,
    store: new DurableStore<Note>({
      folder: over,
      memento,
      prefix: PREFIX,
      parse,
      clock,
      isStale: ({ text }) => text === 'stale',
      deletionIsFinal,
    }),
  };
}

/** Opens a window whose storage lost the latest writes. */
async function opened(memento?: Memory): Promise<DurableStore<Note>> {
  const { store } = window(memento);
  await store.load();
  return store;
}

suite('A durable value', () => {
  test('is known in a later window even if VS Code’s storage lost it', async () => {
    await window().store.put('a', { text: 'sent' });
    assert.deepEqual((await opened()).get('a'), { text: 'sent' });
  });

  test('is known on another machine, which shares only VS Code’s storage', async () => {
    const { store, memento } = window();
    await store.put('a', { text: 'sent' });
    files.clear();
    assert.deepEqual((await opened(memento)).all(), new Map([['a', { text: 'sent' }]]));
  });

  test('is parsed once while VS Code’s storage returns the same object', async () => {
    let parsed = 0;
    const stored = new Map<string, unknown>([[`${PREFIX}a`, { text: 'sent', revision: 1 }]]);
    const store = new DurableStore<Note>({
      folder,
      memento: {
        keys: () => [...stored.keys()],
        get: <T>(key: string) => stored.get(key) as T | undefined,
        update: (key, value) => Promise.resolve(void stored.set(key, value)),
      },
      prefix: PREFIX,
      parse: (one) => (parsed++, one as Note),
      clock,
    });
    await store.load();
    assert.deepEqual([store.get('a')?.text, store.all().size, store.get('a')?.text, parsed], ['sent', 1, 'sent', 1]);
    stored.set(`${PREFIX}a`, { text: 'of another window', revision: 2 });
    assert.deepEqual([store.get('a')?.text, parsed], ['of another window', 2]);
  });

  test('is known after a reload that followed an outdated reading', async () => {
    const readings: PromiseWithResolvers<void>[] = [];
    const slow: DurableFolder = {
      ...folder,
      readAll: async () => {
        const seen = new Map(files);
        const reading = Promise.withResolvers<void>();
        readings.push(reading);
        await reading.promise;
        return seen;
      },
    };
    const { store } = window(new Memory(), slow);
    void store.reload();
    await new Promise(setImmediate);
    await window().store.put('a', { text: 'sent' });
    const reloaded = store.reload();
    readings[0]?.resolve();
    await new Promise(setImmediate);
    readings[1]?.resolve();
    await reloaded;
    assert.deepEqual(store.get('a'), { text: 'sent' });
  });

  test('stored by 0.1.0 is known before and after the files are read', async () => {
    const memento = new Memory();
    await memento.update('note.a', { text: 'old' });
    const { store } = window(memento);
    assert.deepEqual(store.get('a'), { text: 'old' });
    await store.load();
    assert.deepEqual(store.get('a'), { text: 'old' });
  });

  test('is the newer one of the file and the copy', async () => {
    const { store, memento } = window();
    await store.put('a', { text: 'first' });
    const file = files.get('note.a.json') ?? '';
    await store.put('a', { text: 'second' });
    files.set('note.a.json', file);
    assert.deepEqual((await opened(memento)).get('a'), { text: 'second' });
    const stale = new Memory();
    await stale.update('note.a', { text: 'first', revision: 1 });
    await store.put('a', { text: 'third' });
    assert.deepEqual((await opened(stale)).get('a'), { text: 'third' });
  });

  test('is not stored at all if its file can’t be written', async () => {
    const full: DurableFolder = { ...folder, write: () => Promise.reject(new Error('no space')) };
    const { store, memento } = window(new Memory(), full);
    await assert.rejects(store.put('a', { text: 'sent' }));
    assert.equal(store.get('a'), undefined);
    assert.deepEqual(memento.keys(), []);
  });

  test('written during a reading is not lost', async () => {
    const answered = Promise.withResolvers<void>();
    const slow: DurableFolder = {
      ...folder,
      readAll: async () => {
        const before = new Map(files);
        await answered.promise;
        return before;
      },
    };
    const { store } = window(new Memory(), slow);
    const loading = store.load();
    await store.put('a', { text: 'sent' });
    answered.resolve();
    await loading;
    assert.deepEqual(store.get('a'), { text: 'sent' });
  });

  test('of another window is known after a reload', async () => {
    const store = await opened();
    await window().store.put('a', { text: 'elsewhere' });
    assert.equal(store.get('a'), undefined);
    await store.reload();
    assert.deepEqual(store.get('a'), { text: 'elsewhere' });
  });

  test('is ignored if it is damaged or has another prefix', async () => {
    files.set('note.a.json', '{"text":');
    files.set('note.b.json', '{"other":1}');
    files.set('letter.c.json', '{"text":"no note"}');
    assert.deepEqual((await opened()).all(), new Map());
  });

  test('stays known while its file or the folder can’t be read', async () => {
    let readAll = folder.readAll;
    const { store } = window(new Memory(), { ...folder, readAll: () => readAll() });
    await opened().then((other) => other.put('a', { text: 'there' }));
    await store.load();
    readAll = () => Promise.resolve(new Map([['note.a.json', undefined]]));
    await store.reload();
    assert.deepEqual(store.get('a'), { text: 'there' });
    readAll = () => Promise.reject(new Error('EIO'));
    await store.reload();
    assert.deepEqual(store.get('a'), { text: 'there' });
  });

  test('is read as soon as the folder can be read', async () => {
    let isBroken = true;
    const readAll = (): ReturnType<DurableFolder['readAll']> =>
      isBroken ? Promise.reject(new Error('EIO')) : folder.readAll();
    const { store } = window(new Memory(), { ...folder, readAll });
    await opened().then((other) => other.put('a', { text: 'there' }));
    await store.load();
    assert.deepEqual([store.isLoaded, store.get('a')], [false, undefined]);
    isBroken = false;
    await store.load();
    assert.deepEqual([store.isLoaded, store.get('a')], [true, { text: 'there' }]);
  });
});

suite('A deleted value', () => {
  test('stays deleted if another window writes its outdated copy', async () => {
    const { store, memento } = window();
    await store.put('a', { text: 'sent' });
    const stale: unknown = memento.get('note.a');
    await store.delete('a');
    await memento.update('note.a', stale);
    assert.equal((await opened(memento)).get('a'), undefined);
    assert.deepEqual((await opened(memento)).all(), new Map());
  });

  test('can be stored again', async () => {
    const { store, memento } = window();
    await store.put('a', { text: 'sent' });
    await store.delete('a');
    await store.put('a', { text: 'again' });
    assert.deepEqual((await opened(memento)).get('a'), { text: 'again' });
  });

  test('leaves nothing after a month', async () => {
    const { store } = window();
    await store.put('a', { text: 'sent' });
    await store.delete('a');
    now += 29 * DAY;
    await store.put('b', { text: 'other' });
    assert.ok(files.has('note.a.json'));
    now += 2 * DAY;
    await store.put('b', { text: 'other' });
    assert.deepEqual([...files.keys()], ['note.b.json']);
  });

  test('leaves neither file nor copy if it was stale', async () => {
    const { store, memento } = window();
    await store.put('a', { text: 'stale' });
    await store.put('b', { text: 'fresh' });
    assert.deepEqual([...files.keys()], ['note.b.json']);
    assert.deepEqual(memento.keys(), ['note.b']);
  });
});

/** A window on another machine, which shares VS Code's storage but not the folder. */
function remote(memento: Memory): {
  readonly store: DurableStore<Note>;
  readonly folder: DurableFolder;
} {
  const own = new Map<string, string>();
  const over: DurableFolder = {
    readAll: () => Promise.resolve(new Map(own)),
    write: (name, text) => Promise.resolve(void own.set(name, text)),
    create: (name, text) => Promise.resolve(!own.has(name) && own.set(name, text).size > 0),
    remove: (name) => Promise.resolve(void own.delete(name)),
  };
  return { store: window(memento, over, true).store, folder: over };
}

suite('A created value', () => {
  test('is created by one window only', async () => {
    const [one, other] = [window().store, window().store];
    const created = await Promise.all([one.create('a', { text: 'one' }), other.create('a', { text: 'other' })]);
    assert.equal(created.filter(Boolean).length, 1);
    assert.equal((await opened()).get('a')?.text, created[0] ? 'one' : 'other');
  });

  test('is not created again after its deletion', async () => {
    const { store, memento } = window(new Memory(), folder, true);
    assert.ok(await store.create('a', { text: 'sent' }));
    await store.delete('a');
    assert.ok(!(await window(memento).store.create('a', { text: 'again' })));
    assert.ok(!(await remote(memento).store.create('a', { text: 'on another machine' })));
  });

  test('settles if no other window wrote it', async () => {
    const { store } = window();
    await store.create('a', { text: 'sent' });
    assert.ok(await store.settle('a'));
  });

  test('yields to a window on another machine that created it at the same time', async () => {
    const memento = new Memory();
    const [local, other] = [remote(memento), remote(memento)];
    assert.ok(await local.store.create('a', { text: 'local' }));
    // Before the other one knows it.
    const heard: unknown = memento.get('note.a');
    await memento.update('note.a', undefined);
    assert.ok(await other.store.create('a', { text: 'remote' }));
    assert.deepEqual([await local.store.settle('a'), await other.store.settle('a')], [false, true]);
    assert.notEqual(heard, undefined);
    await local.store.removeFile('a');
    assert.deepEqual(local.store.get('a'), { text: 'remote' });
  });

  test('is copied again if another window overwrote the copy', async () => {
    const memento = new Memory();
    const { store } = remote(memento);
    await store.create('a', { text: 'sent' });
    await memento.update('note.a', undefined);
    assert.ok(await store.settle('a'));
    assert.notEqual(memento.get('note.a'), undefined);
  });

  test('fails to settle if VS Code keeps losing it', async () => {
    const memento = new Memory();
    const { store } = remote(memento);
    await store.create('a', { text: 'sent' });
    memento.update = () => Promise.resolve();
    await Memory.prototype.update.call(memento, 'note.a', undefined);
    await assert.rejects(store.settle('a'), ServiceFailure);
  });
});

suite('A value deleted on another machine', () => {
  test('stays deleted, even if this window wrote it since', async () => {
    const memento = new Memory();
    const [local, other] = [remote(memento), remote(memento)];
    await local.store.put('a', { text: 'interrupted' });
    await local.store.put('a', { text: 'continued' });
    await local.store.put('a', { text: 'continued again' });
    await other.store.load();
    await other.store.delete('a');
    assert.equal(local.store.get('a'), undefined);
    await local.store.put('a', { text: 'written too late' });
    assert.equal(local.store.get('a'), undefined);
    assert.equal(other.store.get('a'), undefined);
  });
});

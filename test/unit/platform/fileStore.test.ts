import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, suite, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { FileStore } from '../../../src/platform/fileStore.ts';
import { folderAt, type Folder } from '../../../src/platform/folder.ts';
import { temporaryFolder } from './temporaryFolder.ts';

interface Note {
  readonly text: string;
}

const SENT: Note = { text: 'sent' };
const OTHER: Note = { text: 'other' };

let home: string;
let path: string;

beforeEach(async (context) => {
  home = await temporaryFolder(context);
  path = join(home, 'notes');
});

function storeOn(folder: Folder): FileStore<Note> {
  return new FileStore<Note>(folder, (stored) =>
    typeof stored === 'object' && stored !== null && 'text' in stored && typeof stored.text === 'string'
      ? { text: stored.text }
      : undefined,
  );
}

/** Another window. */
function newStore(): FileStore<Note> {
  return storeOn(folderAt(path));
}

async function loaded(): Promise<FileStore<Note>> {
  const store = newStore();
  await store.load();
  return store;
}

/** Writes as no store would. */
async function writeText(id: string, text: string): Promise<void> {
  // So that the folder is there.
  await folderAt(path).create(`${id}.json`, '');
  await writeFile(join(path, `${id}.json`), text);
}

function textOf(id: string): Promise<string> {
  return readFile(join(path, `${id}.json`), 'utf8');
}

/** A folder in memory. Each reading waits until the test ends it, and returns what was there when it began. */
class HeldFolder implements Folder {
  readonly files = new Map<string, string>();
  readonly readings: PromiseWithResolvers<void>[] = [];

  async readAll(): Promise<ReadonlyMap<string, string>> {
    const seen = new Map(this.files);
    const reading = Promise.withResolvers<void>();
    this.readings.push(reading);
    await reading.promise;
    return seen;
  }

  create(name: string, text: string): Promise<boolean> {
    return Promise.resolve(!this.files.has(name) && this.files.set(name, text).size > 0);
  }

  put(name: string, text: string): Promise<boolean> {
    return Promise.resolve(this.files.has(name) && this.files.set(name, text).size > 0);
  }

  append(): Promise<void> {
    return Promise.reject(new Error('A store appends nothing.'));
  }

  remove(name: string): Promise<boolean> {
    return Promise.resolve(this.files.delete(name));
  }
}

suite('A value in a file', () => {
  test('is changed in the order of the calls, even if none is awaited', async () => {
    const store = newStore();
    const calls = [
      store.put('a', { text: 'too early' }),
      store.create('a', SENT),
      store.create('a', { text: 'too late' }),
      store.put('a', OTHER),
      store.remove('a'),
      store.remove('a'),
      store.create('a', { text: 'last' }),
    ];
    assert.deepEqual(await Promise.all(calls), [false, true, false, true, true, false, true]);
    assert.deepEqual(store.get('a'), { text: 'last' });
    assert.deepEqual((await loaded()).get('a'), { text: 'last' });
  });

  test('stays known as it was if its file can’t be written, and can be written later', async () => {
    let isFull = true;
    const folder = folderAt(path);
    const unlessFull = <T>(write: () => Promise<T>): Promise<T> =>
      isFull ? Promise.reject(new Error('no space')) : write();
    const store = storeOn({
      ...folder,
      create: (name, text) => unlessFull(() => folder.create(name, text)),
      put: (name, text) => unlessFull(() => folder.put(name, text)),
      remove: (name) => unlessFull(() => folder.remove(name)),
    });
    await newStore().create('a', SENT);
    await store.load();
    await assert.rejects(store.put('a', OTHER), /no space/);
    await assert.rejects(store.remove('a'), /no space/);
    await assert.rejects(store.create('b', OTHER), /no space/);
    assert.deepEqual(store.all(), new Map([['a', SENT]]));
    isFull = false;
    assert.equal(await store.put('a', OTHER), true);
    assert.deepEqual(store.all(), new Map([['a', OTHER]]));
  });

  test('is the same for two windows whatever they did', async () => {
    const anyId = fc.constantFrom('a', 'b', 'c');
    const anyStep = fc.record({
      window: fc.constantFrom(0 as const, 1 as const),
      does: fc.constantFrom('create', 'put', 'change', 'changeKnown', 'remove', 'reload'),
      id: anyId,
      text: fc.string({ maxLength: 3 }),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 20 }), async (steps) => {
        path = join(home, String(run++));
        const stores = [newStore(), newStore()] as const;
        const model = new Map<string, Note>();
        for (const { window, does, id, text } of steps) {
          const store = stores[window];
          const wasThere = model.has(id);
          if (does === 'reload') {
            await store.reload();
            assert.deepEqual(sorted(store.all()), sorted(model));
          } else if (does === 'create') {
            assert.equal(await store.create(id, { text }), !wasThere);
            model.set(id, model.get(id) ?? { text });
          } else if (does === 'put') {
            assert.equal(await store.put(id, { text }), wasThere);
            if (wasThere) {
              model.set(id, { text });
            }
            assert.deepEqual(store.get(id), model.get(id));
          } else if (does === 'change' || does === 'changeKnown') {
            // Made of what any window stored last. The second one writes no new file.
            const now = does === 'change' || wasThere ? { text: `${model.get(id)?.text ?? ''}${text}` } : undefined;
            const change = (current: Note | undefined): Note | undefined =>
              does === 'change' || current !== undefined ? { text: `${current?.text ?? ''}${text}` } : undefined;
            assert.deepEqual(await store.change(id, change), now);
            if (now !== undefined) {
              model.set(id, now);
            }
            assert.deepEqual(store.get(id), model.get(id));
          } else {
            assert.equal(await store.remove(id), wasThere);
            model.delete(id);
            assert.equal(store.get(id), undefined);
          }
        }
        await Promise.all(stores.map((store) => store.reload()));
        for (const store of stores) {
          assert.deepEqual(sorted(store.all()), sorted(model));
          assert.deepEqual(store.unreadable(), new Map());
        }
      }),
      { numRuns: 60 },
    );
  });
});

function sorted<T>(values: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  return [...values].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

suite('A reading', () => {
  test('is done once by load, and tried again if it failed', async () => {
    let readings = 0;
    const folder = folderAt(path);
    const readAll = (): ReturnType<Folder['readAll']> =>
      readings++ === 0 ? Promise.reject(new Error('EIO')) : folder.readAll();
    const store = storeOn({ ...folder, readAll });
    await assert.rejects(store.load(), /EIO/);
    assert.equal(store.isLoaded, false);
    await Promise.all([store.load(), store.load()]);
    await store.load();
    assert.deepEqual([store.isLoaded, readings], [true, 2]);
    await store.reload();
    assert.equal(readings, 3);
  });

  test('of a folder that can’t be read fails, and leaves everything as it was', async () => {
    const store = newStore();
    await store.create('a', SENT);
    await writeText('b', '{"v":2}');
    await store.load();
    await rm(path, { recursive: true });
    await writeFile(path, 'in the way');
    await assert.rejects(store.reload());
    assert.equal(store.isLoaded, true);
    assert.deepEqual([store.all(), store.unreadable()], [new Map([['a', SENT]]), new Map([['b', 'later']])]);
    await rm(path);
    // Its disk may be away. A file that was removed leaves its folder.
    await assert.rejects(store.reload());
    assert.deepEqual([store.all(), store.unreadable()], [new Map([['a', SENT]]), new Map([['b', 'later']])]);
    await mkdir(path);
    await store.reload();
    assert.deepEqual([store.all(), store.unreadable()], [new Map(), new Map()]);
  });

  test('is shared by reloads before it begins, but not by one after', async () => {
    const folder = new HeldFolder();
    const store = storeOn(folder);
    const first = Promise.all([store.reload(), store.reload()]);
    await turn();
    assert.equal(folder.readings.length, 1);
    folder.files.set('a.json', '{"v":1,"text":"sent"}');
    const second = Promise.all([store.reload(), store.reload()]);
    folder.readings[0]?.resolve();
    await turn();
    assert.deepEqual([folder.readings.length, store.get('a')], [2, undefined]);
    folder.readings[1]?.resolve();
    await turn();
    assert.deepEqual([folder.readings.length, store.get('a')], [2, SENT]);
    await Promise.all([first, second]);
  });

  test('that fails is followed by the next', async () => {
    const folder = new HeldFolder();
    const store = storeOn(folder);
    const first = store.reload();
    await turn();
    const second = store.reload();
    const created = store.create('a', SENT);
    folder.readings[0]?.reject(new Error('EIO'));
    await assert.rejects(first, /EIO/);
    await turn();
    folder.readings[1]?.resolve();
    await second;
    assert.equal(await created, true);
    assert.deepEqual(store.get('a'), SENT);
  });

  for (const { title, write, known } of [
    { title: 'created', write: (store: FileStore<Note>) => store.create('b', OTHER), known: { a: SENT, b: OTHER } },
    { title: 'replaced', write: (store: FileStore<Note>) => store.put('a', OTHER), known: { a: OTHER } },
    { title: 'removed', write: (store: FileStore<Note>) => store.remove('a'), known: {} },
  ]) {
    test(`that began before a value was ${title} does not undo that`, async () => {
      const folder = new HeldFolder();
      folder.files.set('a.json', '{"v":1,"text":"sent"}');
      const store = storeOn(folder);
      const reading = store.reload();
      await turn();
      assert.equal(folder.readings.length, 1);
      const written = write(store);
      // A write that didn't wait for the reading would be done by now.
      await turn();
      folder.readings[0]?.resolve();
      await reading;
      assert.equal(await written, true);
      assert.deepEqual(store.all(), new Map(Object.entries(known)));
    });
  }
});

const LATER = '{"v":2,"text":"sent","more":true}';

suite('A file of a later version', () => {
  test('is not replaced if it was found while the call waited', async () => {
    await newStore().create('a', SENT);
    const store = await loaded();
    await writeText('a', LATER);
    const reading = store.reload();
    await assert.rejects(store.put('a', OTHER), { name: 'ServiceFailure', kind: 'storage' });
    await reading;
    assert.equal(await textOf('a'), LATER);
  });
});

suite('A file that can’t be read', () => {
  for (const [title, text, why] of [
    ['is empty', '', 'damaged'],
    ['was cut', '{"v":1,"text":"se', 'damaged'],
    ['has more after its value', '{"v":1,"text":"sent"}\n{"v":1,"text":"sent"}', 'damaged'],
    ['is no object', '[1]', 'damaged'],
    ['is null', 'null', 'damaged'],
    ['has no version', '{"text":"sent"}', 'damaged'],
    ['has version 0', '{"v":0,"text":"sent"}', 'damaged'],
    ['has a version that is a text', '{"v":"2","text":"sent"}', 'damaged'],
    ['has version null', '{"v":null,"text":"sent"}', 'damaged'],
    ['holds no such value', '{"v":1,"text":1}', 'damaged'],
    ['is of a later version', LATER, 'later'],
  ] as const) {
    const mayBeReplaced = why === 'damaged';
    test(`because it ${title} is ${mayBeReplaced ? 'replaced' : 'not replaced, but removed'} if asked for`, async () => {
      await writeText('a', text);
      await writeText('b', text);
      await newStore().create('c', SENT);
      const store = await loaded();
      assert.deepEqual(store.all(), new Map([['c', SENT]]));
      assert.deepEqual([store.get('a'), store.get('b')], [undefined, undefined]);
      assert.deepEqual(
        sorted(store.unreadable()),
        ['a', 'b'].map((id) => [id, why]),
      );
      assert.equal(await store.create('a', OTHER), false);
      assert.equal(await textOf('a'), text);
      for (const replace of [() => store.put('a', OTHER), () => store.change('a', () => OTHER)]) {
        await writeText('a', text);
        await store.reload();
        if (mayBeReplaced) {
          assert.ok(await replace());
        } else {
          await assert.rejects(replace(), { name: 'ServiceFailure', kind: 'storage' });
          assert.equal(await textOf('a'), text);
        }
      }
      assert.equal(await store.remove('b'), true);
      for (const window of [store, await loaded()]) {
        assert.deepEqual(sorted(window.unreadable()), mayBeReplaced ? [] : [['a', why]]);
        assert.deepEqual(
          [window.get('a'), window.get('b'), window.get('c')],
          [mayBeReplaced ? OTHER : undefined, undefined, SENT],
        );
      }
    });
  }
});

suite('A change of a value', () => {
  test('loses none that is made at once', async () => {
    const store = await loaded();
    await Promise.all(
      [...'abcdef'].map((letter) => store.change('a', (now) => ({ text: (now?.text ?? '') + letter }))),
    );
    assert.deepEqual(store.get('a'), { text: 'abcdef' });
  });
});

import assert from 'node:assert/strict';
import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
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
  await mkdir(path, { recursive: true });
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
    const change = (): Promise<unknown> => store.change('a', () => OTHER);
    await assert.rejects(change(), /no space/);
    await assert.rejects(store.remove('a'), /no space/);
    await assert.rejects(store.create('b', OTHER), /no space/);
    assert.deepEqual(store.all(), new Map([['a', SENT]]));
    isFull = false;
    assert.deepEqual(await change(), OTHER);
    assert.deepEqual(store.all(), new Map([['a', OTHER]]));
  });

  test('is written only if a change changes it, and a change loses none that is made at once', async () => {
    await newStore().create('a', SENT);
    const folder = folderAt(path);
    let written = 0;
    const store = storeOn({ ...folder, put: (...put) => (written++, folder.put(...put)) });
    assert.deepEqual(await store.change('a', () => SENT), SENT);
    assert.equal(await store.change('a', () => undefined), undefined);
    assert.equal(written, 0);
    await Promise.all([...'abc'].map((letter) => store.change('a', (now) => ({ text: (now?.text ?? '') + letter }))));
    assert.deepEqual([store.get('a'), written], [{ text: 'sentabc' }, 3]);
  });

  test('is the same for two windows whatever they did', async () => {
    const anyId = fc.constantFrom('a', 'b', 'c');
    const anyStep = fc.record({
      window: fc.constantFrom(0 as const, 1 as const),
      does: fc.constantFrom('create', 'change', 'changeKnown', 'remove', 'reload'),
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
          assert.deepEqual(store.unreadable(), []);
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
    assert.deepEqual([store.all(), store.unreadable()], [new Map([['a', SENT]]), ['b']]);
    await rm(path);
    // Its disk may be away. A file that was removed leaves its folder.
    await assert.rejects(store.reload());
    assert.deepEqual([store.all(), store.unreadable()], [new Map([['a', SENT]]), ['b']]);
    await mkdir(path);
    await store.reload();
    assert.deepEqual([store.all(), store.unreadable()], [new Map(), []]);
  });

  test('does not undo what was written after it began, whether or not it fails', async () => {
    const folder = new HeldFolder();
    folder.files.set('a.json', '{"v":1,"text":"sent"}');
    const store = storeOn(folder);
    const failing = store.reload();
    await turn();
    const [reading, created, removed] = [store.reload(), store.create('b', OTHER), store.remove('a')];
    // A write that didn't wait for the readings would be done by now.
    await turn();
    folder.readings[0]?.reject(new Error('EIO'));
    await assert.rejects(failing, /EIO/);
    await turn();
    folder.readings[1]?.resolve();
    await reading;
    assert.deepEqual(await Promise.all([created, removed]), [true, true]);
    assert.deepEqual(store.all(), new Map([['b', OTHER]]));
  });
});

for (const [title, text] of [
  ['is empty', ''],
  ['was cut', '{"v":1,"text":"se'],
  ['is no object', '[1]'],
  ['is null', 'null'],
  ['has no version', '{"text":"sent"}'],
  ['is of another version', '{"v":2,"text":"sent"}'],
  ['has a version that is a text', '{"v":"1","text":"sent"}'],
  ['holds no such value', '{"v":1,"text":1}'],
] as const) {
  test(`A file that can’t be read because it ${title} is replaced or removed if asked for`, async () => {
    await writeText('a', text);
    await writeText('b', text);
    await newStore().create('c', SENT);
    const store = await loaded();
    assert.deepEqual([store.all(), store.unreadable().toSorted()], [new Map([['c', SENT]]), ['a', 'b']]);
    assert.equal(await store.create('a', OTHER), false);
    assert.equal(await textOf('a'), text);
    assert.deepEqual(await store.change('a', (now) => now ?? OTHER), OTHER);
    assert.equal(await store.remove('b'), true);
    for (const window of [store, await loaded()]) {
      assert.deepEqual(window.unreadable(), []);
      assert.deepEqual(sorted(window.all()), Object.entries({ a: OTHER, c: SENT }));
    }
  });
}

interface Lines {
  readonly first: object;
  readonly lines: readonly unknown[];
}

/** A window. It takes every first line but one without a kind. */
function openJournals(): FileStore<Lines, object> {
  return new FileStore(folderAt(path), (first, lines) => ('kind' in first ? { first, lines } : undefined));
}

async function linesIn(store: FileStore<Lines, object>): Promise<readonly unknown[] | undefined> {
  await store.reload();
  return store.get('a')?.lines;
}

suite('A journal', () => {
  test('has its version in the first line, and a line for each fact, in every window', async () => {
    const [one, other] = [openJournals(), openJournals()];
    assert.equal(await one.create('a', { kind: 'planned' }, { kind: 'sent' }), true);
    assert.equal(await one.append('a', { kind: 'task' }), true);
    assert.equal(await textOf('a'), '{"v":1,"kind":"planned"}\n{"kind":"sent"}\n{"kind":"task"}');
    assert.deepEqual(one.get('a')?.lines, [{ kind: 'sent' }, { kind: 'task' }]);
    assert.deepEqual(await linesIn(other), [{ kind: 'sent' }, { kind: 'task' }]);
  });

  test('has undefined for a line that a crash tore, and every other line', async () => {
    const store = openJournals();
    await store.create('a', { kind: 'planned' });
    await appendFile(join(path, 'a.json'), '\n{"kind":"se');
    await store.append('a', { kind: 'task' });
    assert.deepEqual(await linesIn(store), [undefined, { kind: 'task' }]);
  });

  test('can take a line that this window has not read the file of', async () => {
    await openJournals().create('a', { kind: 'planned' });
    const other = openJournals();
    assert.equal(await other.append('a', { kind: 'sent' }), true);
    assert.equal(other.get('a'), undefined);
    assert.deepEqual(await linesIn(other), [{ kind: 'sent' }]);
  });
});

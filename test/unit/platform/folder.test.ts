import assert from 'node:assert/strict';
import fs from 'node:fs';
import { mkdir, readFile, readdir, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { folderAt, type Folder } from '../../../src/platform/folder.ts';
import { temporaryFolder } from './temporaryFolder.ts';

const NAMES_THAT_LEAVE = ['../a.json', 'a/b.json', '..\\a.json', 'a.txt', '', '.json', 'a\0.json', 'a.json\n'];

async function freshPath(context: TestContext): Promise<string> {
  return join(await temporaryFolder(context), 'globalStorage', 'values');
}

async function folderWith(
  context: TestContext,
  text: string,
): Promise<{ readonly path: string; readonly folder: Folder }> {
  const path = await freshPath(context);
  const folder = folderAt(path);
  await folder.create('a.json', text);
  return { path, folder };
}

interface ReplacedFiles extends Partial<Pick<typeof fs.promises, 'link' | 'copyFile' | 'rename' | 'readFile'>> {
  readonly opened?: (name: string, file: FileHandle) => void;
}

/** Replaces functions for all modules until the test ends. */
function replaceFiles(context: TestContext, { opened, ...replaced }: ReplacedFiles): void {
  const { link, copyFile, rename, readFile: read, open } = fs.promises;
  context.after(() => {
    Object.assign(fs.promises, { link, copyFile, rename, readFile: read, open });
    syncBuiltinESMExports();
  });
  Object.assign(fs.promises, replaced, {
    open: async (...opening: Parameters<typeof open>) => {
      const file = await open(...opening);
      opened?.(basename(String(opening[0])), file);
      return file;
    },
  });
  syncBuiltinESMExports();
}

/** Lists what is moved and written to disk from now on. */
function listWrites(context: TestContext, replaced: ReplacedFiles = {}): string[] {
  const { copyFile, rename } = fs.promises;
  const writes: string[] = [];
  replaceFiles(context, {
    copyFile: (...copied) => {
      writes.push(`copies to ${basename(String(copied[1]))}`);
      return copyFile(...copied);
    },
    rename: (...renamed) => {
      writes.push(`renames to ${basename(String(renamed[1]))}`);
      return rename(...renamed);
    },
    opened: (name, file) => {
      const [write, sync] = [file.writeFile.bind(file), file.sync.bind(file)];
      const shown = name.endsWith('.tmp') ? 'the temporary file' : name;
      file.writeFile = (...written) => {
        writes.push(`writes ${shown}`);
        return write(...written);
      };
      file.sync = () => {
        writes.push(`syncs ${shown}`);
        return sync();
      };
    },
    ...replaced,
  });
  return writes;
}

/** The system as the code sees it, until the test ends. */
function pretendPlatform(context: TestContext, platform: NodeJS.Platform): void {
  const own = process.platform;
  context.after(() => Object.defineProperty(process, 'platform', { value: own }));
  Object.defineProperty(process, 'platform', { value: platform });
}

suite('A folder', () => {
  test(
    'is its owner’s alone',
    { skip: process.platform === 'win32' && 'Windows has no such permissions' },
    async (context) => {
      const path = await freshPath(context);
      const modes = async (): Promise<readonly number[]> => [
        (await stat(path)).mode & 0o777,
        (await stat(join(path, 'a.json'))).mode & 0o777,
      ];
      await folderAt(path).create('a.json', '{}');
      assert.deepEqual(await modes(), [0o700, 0o600]);
      await folderAt(path).put('a.json', '{}');
      assert.deepEqual(await modes(), [0o700, 0o600]);
    },
  );

  test('with very many files is read with few of them open', async (context) => {
    const path = await freshPath(context);
    await mkdir(path, { recursive: true });
    const names = Array.from({ length: 100 }, (_, number) => `${number}.json`);
    await Promise.all(names.map((name) => writeFile(join(path, name), name)));
    const read = readFile;
    let [open, most] = [0, 0];
    const counting = (...asked: Parameters<typeof read>) => {
      most = Math.max(most, ++open);
      return read(...asked).finally(() => open--);
    };
    replaceFiles(context, { readFile: counting as typeof read });
    assert.deepEqual(await folderAt(path).readAll(), new Map(names.toSorted().map((name) => [name, name])));
    assert.ok(most > 0 && most <= 32, `${most} were open`);
  });

  test('ignores other files, and knows of one that it can’t read', async (context) => {
    const { path, folder } = await folderWith(context, '1');
    await writeFile(join(path, 'b.json.left.tmp'), '{');
    await mkdir(join(path, 'folder.json'));
    assert.deepEqual(
      new Map([...(await folder.readAll())].toSorted()),
      new Map([
        ['a.json', '1'],
        ['folder.json', undefined],
      ]),
    );
  });

  test('without space for a whole file keeps what was there, and nothing else', async (context) => {
    const { path, folder } = await folderWith(context, '1');
    replaceFiles(context, {
      opened: (name, file) => {
        if (name.endsWith('.tmp')) {
          file.sync = () => Promise.reject(Object.assign(new Error('No space.'), { code: 'ENOSPC' }));
        }
      },
    });
    await assert.rejects(folder.put('a.json', '2'), { code: 'ENOSPC' });
    await assert.rejects(folder.create('b.json', '2'), { code: 'ENOSPC' });
    assert.deepEqual(await folder.readAll(), new Map([['a.json', '1']]));
    assert.deepEqual(await readdir(path), ['a.json']);
  });

  test('accepts no name that leads out of it', async (context) => {
    const path = await freshPath(context);
    const folder = folderAt(path);
    await folder.create('b.json', '1');
    await writeFile(join(path, '..', 'a.json'), '1');
    for (const name of NAMES_THAT_LEAVE) {
      await assert.rejects(async () => folder.create(name, '{}'), RangeError, name);
      await assert.rejects(async () => folder.put(name, '{}'), RangeError, name);
      await assert.rejects(async () => folder.append(name, '{}'), RangeError, name);
      await assert.rejects(async () => folder.remove(name), RangeError, name);
    }
    assert.deepEqual(await readdir(path), ['b.json']);
    assert.equal(await readFile(join(path, '..', 'a.json'), 'utf8'), '1');
  });
});

test('A created file has one winner without hard links, and is on disk', async (context) => {
  const path = await freshPath(context);
  const writes = listWrites(context, {
    link: () => Promise.reject(Object.assign(new Error('No links here.'), { code: 'EPERM' })),
  });
  assert.equal(await folderAt(path).create('a.json', '{"mine":true}'), true);
  assert.deepEqual(writes.slice(-3), ['copies to a.json', 'syncs a.json', 'syncs values']);
  assert.equal(await folderAt(path).create('a.json', '{}'), false);
  assert.deepEqual(await folderAt(path).readAll(), new Map([['a.json', '{"mine":true}']]));
  assert.deepEqual(await readdir(path), ['a.json'], 'nothing is left beside it');
});

suite('A replaced file', () => {
  test('is on disk before and after it takes the place of the old one', async (context) => {
    const { path } = await folderWith(context, '1');
    const writes = listWrites(context);
    await folderAt(path).put('a.json', '2');
    assert.deepEqual(writes, [
      'writes the temporary file',
      'syncs the temporary file',
      'renames to a.json',
      'syncs values',
    ]);
  });

  test('does not come back if another window removes it while the new one is written', async (context) => {
    const { path, folder } = await folderWith(context, '1');
    replaceFiles(context, {
      opened: (name, file) => {
        const close = file.close.bind(file);
        file.close = async () => {
          await close();
          if (name.endsWith('.tmp')) {
            await rm(join(path, 'a.json'));
          }
        };
      },
    });
    assert.equal(await folder.put('a.json', '2'), false);
    assert.deepEqual(await readdir(path), []);
  });

  for (const [code, platform, refusals, tries] of [
    ['EPERM', 'win32', 2, 3],
    ['EACCES', 'win32', 2, 3],
    ['EBUSY', 'win32', 2, 3],
    // Longer than a second.
    ['EPERM', 'win32', 3, 3],
    ['ENOSPC', 'win32', 1, 1],
    ['EPERM', 'linux', 1, 1],
  ] as const) {
    const end = refusals < tries ? 'is tried again' : 'leaves the old one, and nothing beside it';
    test(`that is refused by ${platform} with ${code}, ${refusals} times, ${end}`, async (context) => {
      const { path } = await folderWith(context, '1');
      const { rename } = fs.promises;
      let tried = 0;
      let now = 0;
      pretendPlatform(context, platform);
      context.mock.method(performance, 'now', () => now);
      replaceFiles(context, {
        rename: (...renamed) => {
          now += 400;
          return tried++ < refusals ? Promise.reject(Object.assign(new Error('No.'), { code })) : rename(...renamed);
        },
      });
      const isReplaced = await folderAt(path)
        .put('a.json', '2')
        .catch((thrown: unknown) => (thrown as NodeJS.ErrnoException).code);
      assert.deepEqual([isReplaced, tried], [refusals < tries ? true : code, tries]);
      assert.deepEqual([...(await folderAt(path).readAll())], [['a.json', refusals < tries ? '2' : '1']]);
      assert.deepEqual(await readdir(path), ['a.json']);
    });
  }
});

suite('An appended line', () => {
  test('follows the others, and is on disk', async (context) => {
    const { folder } = await folderWith(context, '{"head":1}');
    const writes = listWrites(context);
    await folder.append('a.json', '{"line":"ä"}');
    assert.deepEqual(writes, ['writes a.json', 'syncs a.json']);
    await folder.append('a.json', '{"line":2}');
    assert.deepEqual(await folder.readAll(), new Map([['a.json', '{"head":1}\n{"line":"ä"}\n{"line":2}']]));
  });

  test('brings back no file that was removed, and makes none', async (context) => {
    const path = await freshPath(context);
    const folder = folderAt(path);
    await assert.rejects(folder.append('a.json', '{}'), { code: 'ENOENT' });
    await folder.create('a.json', '{}');
    await folder.remove('a.json');
    await assert.rejects(folder.append('a.json', '{}'), { code: 'ENOENT' });
    assert.deepEqual(await readdir(path), []);
  });
});

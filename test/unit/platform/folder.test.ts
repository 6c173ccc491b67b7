import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { mkdir, readFile, readdir, rm, stat, symlink, utimes, writeFile, type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { folderAt, type Folder } from '../../../src/platform/folder.ts';
import { MILLIS_PER_DAY, MILLIS_PER_HOUR } from '../../../src/time.ts';
import { temporaryFolder } from './temporaryFolder.ts';

const LARGEST_FILE_BYTES = 8 * 1024 * 1024;
const NO_LINKS = process.platform === 'win32' && 'Windows needs a privilege for links';
const NO_PIPES = process.platform === 'win32' && 'Windows has no named pipes in folders';
const NAMES_THAT_LEAVE = ['../a.json', 'a/b.json', '..\\a.json', 'a.txt', '', '.json', 'a\0.json', 'a.json\n'];

/** A path without files. */
async function freshPath(context: TestContext): Promise<string> {
  return join(await temporaryFolder(context), 'globalStorage', 'values');
}

/** A folder with one file, `a.json`. */
async function folderWith(
  context: TestContext,
  text: string,
): Promise<{ readonly path: string; readonly folder: Folder }> {
  const path = await freshPath(context);
  const folder = folderAt(path);
  await folder.create('a.json', text);
  return { path, folder };
}

interface ReplacedFiles extends Partial<Pick<typeof fs.promises, 'link' | 'copyFile' | 'rename'>> {
  /** Called with each opened file. */
  readonly opened?: (name: string, file: FileHandle) => void;
}

/** Replaces functions for all modules until the test ends. */
function replaceFiles(context: TestContext, { opened, ...replaced }: ReplacedFiles): void {
  const { link, copyFile, rename, open } = fs.promises;
  context.after(() => {
    Object.assign(fs.promises, { link, copyFile, rename, open });
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
      const [write, writeWhole, sync] = [file.write.bind(file), file.writeFile.bind(file), file.sync.bind(file)];
      const shown = name.endsWith('.tmp') ? 'the temporary file' : name;
      file.write = ((bytes: Uint8Array) => {
        writes.push(`writes ${JSON.stringify(String(bytes))} to ${shown}`);
        return write(bytes);
      }) as typeof file.write;
      file.writeFile = (...written) => {
        writes.push(`writes ${shown}`);
        return writeWhole(...written);
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
    let [open, most] = [0, 0];
    replaceFiles(context, {
      opened: (_, file) => {
        most = Math.max(most, ++open);
        const close = file.close.bind(file);
        file.close = () => close().finally(() => open--);
      },
    });
    assert.deepEqual(await folderAt(path).readAll(), new Map(names.toSorted().map((name) => [name, name])));
    assert.ok(most <= 20, `${most} were open`);
  });

  test('waits for no named pipe, follows no link, and reads nothing else', { skip: NO_PIPES }, async (context) => {
    const { path, folder } = await folderWith(context, '1');
    execFileSync('mkfifo', [join(path, 'pipe.json'), join(path, 'left.json.old.tmp')]);
    await symlink(join(path, 'a.json'), join(path, 'link.json'));
    await mkdir(join(path, 'folder.json'));
    assert.deepEqual(
      new Map([...(await folder.readAll())].toSorted()),
      new Map([
        ['a.json', '1'],
        ['folder.json', undefined],
        ['link.json', undefined],
        ['pipe.json', undefined],
      ]),
    );
    assert.ok(await folder.put('a.json', '2'));
    assert.equal((await folder.readAll()).get('a.json'), '2');
    await assert.rejects(folder.append('pipe.json', '{}'));
  });

  test('reads no file that is too large', async (context) => {
    const path = await freshPath(context);
    const folder = folderAt(path);
    await mkdir(path, { recursive: true });
    await writeFile(join(path, 'a.json'), 'x'.repeat(LARGEST_FILE_BYTES));
    await writeFile(join(path, 'b.json'), 'x'.repeat(LARGEST_FILE_BYTES + 1));
    const files = await folder.readAll();
    assert.equal(files.get('a.json')?.length, LARGEST_FILE_BYTES);
    assert.deepEqual([files.has('b.json'), files.get('b.json')], [true, undefined]);
  });

  test('ignores other files, and removes only old temporary ones that a crash left', async (context) => {
    const path = await freshPath(context);
    await mkdir(path, { recursive: true });
    const daysAgo = new Date(Date.now() - 2 * MILLIS_PER_DAY);
    // The machine may have slept during a write, or set its clock.
    const hoursAgo = new Date(Date.now() - 8 * MILLIS_PER_HOUR);
    for (const [name, writtenAt] of [
      ['a.json.old.tmp', daysAgo],
      ['b.json.new.tmp', hoursAgo],
      ['old.txt', daysAgo],
    ] as const) {
      await writeFile(join(path, name), '{');
      await utimes(join(path, name), writtenAt, writtenAt);
    }
    const folder = folderAt(path);
    assert.deepEqual(await folder.readAll(), new Map());
    await folder.create('c.json', '{}');
    assert.deepEqual((await readdir(path)).toSorted(), ['b.json.new.tmp', 'c.json', 'old.txt']);
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

  test('can be neither written nor read if it is a file', async (context) => {
    const path = await freshPath(context);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, 'in the way');
    const folder = folderAt(path);
    await assert.rejects(folder.create('a.json', '2'));
    await assert.rejects(folder.put('a.json', '2'));
    await assert.rejects(folder.append('a.json', '2'));
    await assert.rejects(folder.remove('a.json'));
    await assert.rejects(folder.readAll());
    assert.equal(await readFile(path, 'utf8'), 'in the way');
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

suite('A created file', () => {
  test('has one winner without hard links, and is on disk', async (context) => {
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

  test('takes the place of a link, and leaves alone where that leads', { skip: NO_LINKS }, async (context) => {
    const { path, folder } = await folderWith(context, '1');
    const outside = join(path, '..', 'outside.json');
    await writeFile(outside, 'outside');
    await symlink(outside, join(path, 'link.json'));
    assert.equal(await folder.put('link.json', '2'), true);
    assert.equal((await folder.readAll()).get('link.json'), '2');
    assert.equal(await readFile(outside, 'utf8'), 'outside');
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
  test('follows the others, in one write that is on disk', async (context) => {
    const { folder } = await folderWith(context, '{"head":1}');
    const writes = listWrites(context);
    await folder.append('a.json', '{"line":"ä"}');
    assert.deepEqual(writes, [`writes ${JSON.stringify('\n{"line":"ä"}')} to a.json`, 'syncs a.json']);
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

  test('follows no link', { skip: NO_LINKS }, async (context) => {
    const { path, folder } = await folderWith(context, '{}');
    const outside = join(path, '..', 'outside.json');
    await writeFile(outside, 'outside');
    await symlink(outside, join(path, 'link.json'));
    await symlink(join(path, '..', 'missing.json'), join(path, 'nowhere.json'));
    await assert.rejects(folder.append('link.json', '{}'), { code: 'ELOOP' });
    await assert.rejects(folder.append('nowhere.json', '{}'), { code: 'ELOOP' });
    assert.equal(await readFile(outside, 'utf8'), 'outside');
    assert.deepEqual((await readdir(join(path, '..'))).toSorted(), ['outside.json', 'values']);
  });

  test('never makes a file too large to be read, not even with those of other windows', async (context) => {
    const { folder } = await folderWith(context, 'x'.repeat(LARGEST_FILE_BYTES - 64 * 1024 - 100));
    await Promise.allSettled([1, 2, 3, 4].map(() => folder.append('a.json', 'y'.repeat(60))));
    await assert.rejects(folder.append('a.json', 'y'.repeat(60)), RangeError);
    assert.match((await folder.readAll()).get('a.json') ?? '', /x\ny{60}/);
  });

  test('is not written at all if it would be too large to be read as a whole', async (context) => {
    const path = await freshPath(context);
    const folder = folderAt(path);
    const tooLarge = 'x'.repeat(LARGEST_FILE_BYTES + 1);
    await assert.rejects(folder.create('a.json', tooLarge), RangeError);
    await folder.create('b.json', 'small');
    await assert.rejects(folder.put('b.json', tooLarge), RangeError);
    assert.deepEqual([...(await folder.readAll())], [['b.json', 'small']]);
  });

  test('that was written in part is no success', async (context) => {
    const { folder } = await folderWith(context, '{}');
    replaceFiles(context, {
      opened: (_, file) => {
        const write = file.write.bind(file);
        file.write = ((bytes: Uint8Array) => write(bytes.subarray(0, 3))) as typeof file.write;
      },
    });
    await assert.rejects(folder.append('a.json', '{"line":1}'));
  });
});

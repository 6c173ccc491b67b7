import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { durableFolder } from '../../../src/platform/durableFolder.ts';
import { MILLIS_PER_DAY, MILLIS_PER_HOUR } from '../../../src/time.ts';

/** A path without files. */
async function freshPath(context: TestContext): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'metadata-service-durable-'));
  context.after(() => rm(home, { recursive: true, force: true }));
  return join(home, 'globalStorage', 'records');
}

interface ReplacedFiles extends Partial<Pick<typeof fs.promises, 'link' | 'copyFile'>> {
  /** Called with each opened file. */
  readonly opened: (name: string, file: FileHandle) => void;
}

/** Replaces functions for all modules until the test ends. */
function replaceFiles(context: TestContext, { opened, ...replaced }: ReplacedFiles): void {
  const { link, copyFile, open } = fs.promises;
  context.after(() => {
    Object.assign(fs.promises, { link, copyFile, open });
    syncBuiltinESMExports();
  });
  Object.assign(fs.promises, replaced, {
    open: async (...opening: Parameters<typeof open>) => {
      const file = await open(...opening);
      opened(basename(String(opening[0])), file);
      return file;
    },
  });
  syncBuiltinESMExports();
}

suite('A durable folder', () => {
  test('is made with its first file, which every window can read', async (context) => {
    const path = await freshPath(context);
    assert.deepEqual(await durableFolder(path).readAll(), new Map());
    await durableFolder(path).write('truncation.a.json', '{"a":1}');
    await durableFolder(path).write('truncation.b.json', '{"b":"ä"}');
    assert.deepEqual(
      await durableFolder(path).readAll(),
      new Map([
        ['truncation.a.json', '{"a":1}'],
        ['truncation.b.json', '{"b":"ä"}'],
      ]),
    );
    assert.deepEqual(
      (await readdir(path)).toSorted(),
      ['truncation.a.json', 'truncation.b.json'],
      'nothing is left beside them',
    );
  });

  test(
    'is its owner’s alone',
    { skip: process.platform === 'win32' && 'Windows has no such permissions' },
    async (context) => {
      const path = await freshPath(context);
      await durableFolder(path).write('a.json', '{}');
      assert.equal((await stat(path)).mode & 0o077, 0);
      assert.equal((await stat(join(path, 'a.json'))).mode & 0o077, 0);
    },
  );

  test('replaces a whole file, and removes one that may be missing', async (context) => {
    const folder = durableFolder(await freshPath(context));
    await folder.write('a.json', JSON.stringify('long'.repeat(1_000)));
    await folder.write('a.json', '1');
    assert.deepEqual(await folder.readAll(), new Map([['a.json', '1']]));
    await folder.remove('a.json');
    await folder.remove('a.json');
    assert.deepEqual(await folder.readAll(), new Map());
  });

  test('creates a file once if many windows try at the same time', async (context) => {
    const path = await freshPath(context);
    const texts = Array.from({ length: 20 }, (_, window) => `{"window":${window}}`);
    const created = await Promise.all(texts.map((text) => durableFolder(path).create('claim.json', text)));
    assert.equal(created.filter(Boolean).length, 1);
    const winner = texts[created.indexOf(true)];
    assert.deepEqual(await durableFolder(path).readAll(), new Map([['claim.json', winner]]));
    assert.deepEqual(await readdir(path), ['claim.json'], 'nothing is left beside it');
    assert.equal(await durableFolder(path).create('claim.json', '{}'), false);
  });

  test('creates a file once without hard links, and writes it to disk', async (context) => {
    const path = await freshPath(context);
    const events: string[] = [];
    const { copyFile } = fs.promises;
    replaceFiles(context, {
      link: () => Promise.reject(Object.assign(new Error('No links here.'), { code: 'EPERM' })),
      copyFile: (...copied) => {
        events.push(`copies to ${basename(String(copied[1]))}`);
        return copyFile(...copied);
      },
      opened: (name, file) => {
        const sync = file.sync.bind(file);
        file.sync = () => {
          events.push(`syncs ${name}`);
          return sync();
        };
      },
    });
    assert.equal(await durableFolder(path).create('claim.json', '{"mine":true}'), true);
    assert.deepEqual(events.slice(-3), ['copies to claim.json', 'syncs claim.json', 'syncs records']);
    assert.equal(await durableFolder(path).create('claim.json', '{}'), false);
    assert.deepEqual(await durableFolder(path).readAll(), new Map([['claim.json', '{"mine":true}']]));
    assert.deepEqual(await readdir(path), ['claim.json'], 'nothing is left beside it');
  });

  test('with very many files is read with few of them open', async (context) => {
    const path = await freshPath(context);
    await mkdir(path, { recursive: true });
    const names = Array.from({ length: 100 }, (_, number) => `truncation.${number}.json`);
    await Promise.all(names.map((name) => writeFile(join(path, name), name)));
    let [open, most] = [0, 0];
    replaceFiles(context, {
      opened: (_, file) => {
        most = Math.max(most, ++open);
        const close = file.close.bind(file);
        file.close = () => close().finally(() => open--);
      },
    });
    assert.deepEqual(await durableFolder(path).readAll(), new Map(names.toSorted().map((name) => [name, name])));
    assert.ok(most <= 20, `${most} were open`);
  });

  test(
    'waits for no named pipe, follows no link, and reads nothing that is too large',
    { skip: process.platform === 'win32' && 'Windows has no named pipes in folders' },
    async (context) => {
      const path = await freshPath(context);
      const folder = durableFolder(path);
      await folder.write('a.json', '1');
      execFileSync('mkfifo', [join(path, 'pipe.json'), join(path, 'left.json.old.tmp')]);
      await symlink(join(path, 'a.json'), join(path, 'link.json'));
      await writeFile(join(path, 'large.json'), 'x'.repeat(1024 * 1024 + 1));
      await mkdir(join(path, 'folder.json'));
      assert.deepEqual(
        new Map([...(await folder.readAll())].toSorted()),
        new Map([
          ['a.json', '1'],
          ['folder.json', undefined],
          ['large.json', undefined],
          ['link.json', undefined],
          ['pipe.json', undefined],
        ]),
      );
      await folder.write('a.json', '2');
      assert.equal((await folder.readAll()).get('a.json'), '2');
    },
  );

  test('ignores temporary files, and removes only old ones that a crash left', async (context) => {
    const path = await freshPath(context);
    await mkdir(path, { recursive: true });
    await writeFile(join(path, 'a.json.old.tmp'), '{"half":');
    await writeFile(join(path, 'b.json.new.tmp'), '{"half":');
    const daysAgo = new Date(Date.now() - 2 * MILLIS_PER_DAY);
    await utimes(join(path, 'a.json.old.tmp'), daysAgo, daysAgo);
    const folder = durableFolder(path);
    assert.deepEqual(await folder.readAll(), new Map());
    await folder.write('c.json', '{}');
    assert.deepEqual((await readdir(path)).toSorted(), ['b.json.new.tmp', 'c.json']);
  });

  test('completes simultaneous writes although the machine sleeps or sets its clock', async (context) => {
    const path = await freshPath(context);
    context.mock.timers.enable({ apis: ['Date'], now: Date.now() + 8 * MILLIS_PER_HOUR });
    const windows = ['a', 'b', 'c', 'd'].map(async (window) => {
      for (let one = 0; one < 20; one++) {
        await durableFolder(path).write(`${window}.${one}.json`, '{}');
      }
    });
    await Promise.all(windows);
    assert.equal((await readdir(path)).length, 80);
  });

  test(
    'says so if it cannot be written, and keeps what was there',
    { skip: process.getuid?.() === 0 && 'root may write anywhere' },
    async (context) => {
      const path = await freshPath(context);
      const folder = durableFolder(path);
      await folder.write('a.json', '1');
      await chmod(path, 0o500);
      context.after(() => chmod(path, 0o700));
      await assert.rejects(folder.write('a.json', '2'));
      assert.equal(await readFile(join(path, 'a.json'), 'utf8'), '1');
    },
  );

  test('reads the other files if one is unreadable', async (context) => {
    const path = await freshPath(context);
    const folder = durableFolder(path);
    await folder.write('a.json', '1');
    await mkdir(join(path, 'b.json'));
    assert.deepEqual(
      await folder.readAll(),
      new Map([
        ['a.json', '1'],
        ['b.json', undefined],
      ]),
    );
  });

  test('can be neither written nor read if it is a file', async (context) => {
    const path = await freshPath(context);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, 'in the way');
    await assert.rejects(durableFolder(path).write('a.json', '2'));
    await assert.rejects(durableFolder(path).readAll());
  });

  test('accepts no name that leads out of it', async (context) => {
    const folder = durableFolder(await freshPath(context));
    for (const name of ['../a.json', 'a/b.json', 'a.txt', '', '.json', 'a\0.json']) {
      await assert.rejects(folder.write(name, '{}'), RangeError, name);
      await assert.rejects(folder.remove(name), RangeError, name);
    }
  });

  test('reads only the files with a prefix', async (context) => {
    const folder = durableFolder(await freshPath(context));
    await folder.write('truncation.a.json', '{"a":1}');
    await folder.write('role.a.json', '{"b":1}');
    assert.deepEqual(await folder.readAll('truncation.'), new Map([['truncation.a.json', '{"a":1}']]));
  });

  test('loses nothing if several windows write at once', async (context) => {
    const path = await freshPath(context);
    const names = Array.from({ length: 30 }, (_, index) => `record.${index}.json`);
    await Promise.all(names.map((name) => durableFolder(path).write(name, name)));
    assert.deepEqual([...(await durableFolder(path).readAll()).keys()].toSorted(), names.toSorted());
  });
});

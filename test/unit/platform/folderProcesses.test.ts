// Windows are processes of their own, which share the files.
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { folderAt } from '../../../src/platform/folder.ts';
import { temporaryFolder } from './temporaryFolder.ts';

/**
 * Runs a program in four processes at once.
 * @param program The body of a function that gets the `folder` and the number of its process as `me`.
 * @returns what it returned in each.
 */
async function inFourProcesses(context: TestContext, path: string, program: string): Promise<readonly unknown[]> {
  const children = [0, 1, 2, 3].map((me) => startProcess(context, path, me, program));
  // They begin together, however long each took to start.
  await Promise.all(children.map(nextMessage));
  const answers = children.map(nextMessage);
  children.forEach((child) => child.send('begin'));
  const returned = (await Promise.all(answers)) as readonly { readonly returned?: unknown }[];
  children.forEach((child) => child.disconnect());
  return returned.map((one) => one.returned);
}

function startProcess(context: TestContext, path: string, me: number, program: string): ChildProcess {
  const module = `
    import { folderAt } from ${JSON.stringify(import.meta.resolve('../../../src/platform/folder.ts'))};
    const run = async (folder, me) => {${program}};
    process.on('message', async () => process.send({ returned: await run(folderAt(${JSON.stringify(path)}), ${me}) }));
    process.send('ready');`;
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', module],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  context.after(() => child.kill());
  return child;
}

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`A process ended with ${code}.`)));
  });
}

suite('A folder of four processes', () => {
  test('shows only whole files while they write', async (context) => {
    const path = await temporaryFolder(context);
    await folderAt(path).create('all.json', '0'.repeat(100_000));
    const end = new AbortController();
    const write = (): Promise<unknown> =>
      inFourProcesses(
        context,
        path,
        `for (let one = 0; one < 50; one++) {
          await folder.create(me + '.' + one + '.json', String(me).repeat(100_000));
          await folder.put('all.json', String(me).repeat(100_000));
        }`,
      ).finally(() => end.abort());
    const read = async (): Promise<void> => {
      while (!end.signal.aborted) {
        for (const [name, text] of await folderAt(path).readAll()) {
          assert.match(text ?? 'unreadable', /^(\d)\1{99999}$/, name);
        }
      }
    };
    await Promise.all([write(), read()]);
    assert.equal((await readdir(path)).length, 201);
  });

  test('loses and tears none of 10,000 lines that they append', async (context) => {
    const path = await temporaryFolder(context);
    await folderAt(path).create('a.json', '{}');
    await inFourProcesses(
      context,
      path,
      `for (let one = 0; one < 2_500; one++) {
        await folder.append('a.json', JSON.stringify({ me, one, text: 'x'.repeat(one % 60) }));
      }`,
    );
    const [first, ...lines] = (await readFile(join(path, 'a.json'), 'utf8')).split('\n');
    assert.equal(first, '{}');
    for (const me of [0, 1, 2, 3]) {
      const expected = Array.from({ length: 2_500 }, (_, one) =>
        JSON.stringify({ me, one, text: 'x'.repeat(one % 60) }),
      );
      const own = lines.filter((line) => line.startsWith(`{"me":${me},`));
      // Not as lists: their difference would take minutes to show.
      assert.ok(own.join('\n') === expected.join('\n'), `${own.length} lines of process ${me}`);
    }
    assert.equal(lines.length, 10_000);
  });

  for (const [act, left] of [
    ['create', (me: number) => [String(me)]],
    ['remove', () => []],
  ] as const) {
    test(`has one winner of those that ${act} a file`, async (context) => {
      const path = await temporaryFolder(context);
      const names = Array.from({ length: 100 }, (_, number) => `${number}.json`);
      if (act === 'remove') await Promise.all(names.map((name) => folderAt(path).create(name, '1')));
      const won = (await inFourProcesses(
        context,
        path,
        `const won = [];
        for (let one = 0; one < 100; one++) {
          if (await folder.${act}(one + '.json', String(me))) {
            won.push(one + '.json');
          }
        }
        return won;`,
      )) as readonly (readonly string[])[];
      assert.deepEqual(won.flat().toSorted(), names.toSorted());
      const expected = won.flatMap((files, me) =>
        files.flatMap((name) => left(me).map((text) => [name, text] as const)),
      );
      assert.deepEqual([...(await folderAt(path).readAll())].toSorted(), expected.toSorted());
      assert.equal((await readdir(path)).length, expected.length, 'nothing is left beside them');
    });
  }
});

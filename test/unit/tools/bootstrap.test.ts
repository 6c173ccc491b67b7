import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { root } from '../../../tools/paths.ts';

const home = mkdtempSync(join(tmpdir(), 'metadata-service-bootstrap-'));
after(() => rmSync(home, { recursive: true, force: true }));

/** A repository with a local dependency, without a registry. */
function repository(name: string): string {
  const folder = join(home, name);
  mkdirSync(join(folder, 'tools'), { recursive: true });
  mkdirSync(join(folder, 'dependency'));
  cpSync(join(root, 'tools/bootstrap.mjs'), join(folder, 'tools/bootstrap.mjs'));
  writeJson(join(folder, 'dependency/package.json'), { name: 'dependency', version: '1.0.0' });
  const dependencies = { dependency: 'file:dependency' };
  writeJson(join(folder, 'package.json'), {
    name,
    private: true,
    type: 'module',
    dependencies,
    optionalDependencies: {},
  });
  writeJson(join(folder, 'package-lock.json'), {
    name,
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name, dependencies },
      dependency: { version: '1.0.0' },
      'node_modules/dependency': { resolved: 'dependency', link: true },
    },
  });
  return folder;
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, JSON.stringify(value));
}

function bootstrap(folder: string, ...args: string[]) {
  return spawn(process.execPath, [join(folder, 'tools/bootstrap.mjs'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

async function outcome(folder: string, ...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const child = bootstrap(folder, ...args);
  const [[code], stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}

test('installs what is missing, once, and again if the lock file has another version', async () => {
  const folder = repository('missing');
  assert.deepEqual(await outcome(folder), { code: 0, stdout: '', stderr: 'Installing dependencies…\n' });
  assert.ok(existsSync(join(folder, 'node_modules/dependency/package.json')));
  assert.deepEqual(await outcome(folder), { code: 0, stdout: '', stderr: '' });
  const lock = join(folder, 'node_modules/.package-lock.json');
  writeFileSync(lock, readFileSync(lock, 'utf8').replace('1.0.0', '0.9.0'));
  assert.match((await outcome(folder)).stderr, /Installing/);
});

test("runs a TypeScript program with its arguments in the repository's folder and returns its exit code", async () => {
  const folder = repository('program');
  const program =
    'const words: string[] = process.argv.slice(2);\nconsole.log(words.join(), process.cwd());process.exit(7);';
  writeFileSync(join(folder, 'tools/program.ts'), program);
  await outcome(folder);
  const stdout = `one,--two ${folder}\n`;
  assert.deepEqual(await outcome(folder, 'tools/program.ts', 'one', '--two'), { code: 7, stdout, stderr: '' });
});

test('passes an interruption on, and waits until the program has ended', async () => {
  const folder = repository('signal');
  const program = [
    `process.on('SIGINT', () => setTimeout(() => { console.log('stopped'); process.exit(5); }, 50));`,
    'setInterval(() => {}, 1000);',
    `console.log('ready');`,
  ];
  writeFileSync(join(folder, 'tools/program.ts'), program.join('\n'));
  await outcome(folder);
  const child = bootstrap(folder, 'tools/program.ts');
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (output === 'ready\n') child.kill('SIGINT');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  assert.deepEqual({ code, output }, { code: 5, output: 'ready\nstopped\n' });
});

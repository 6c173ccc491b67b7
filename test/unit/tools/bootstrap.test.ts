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

test('installs development dependencies in any environment', async (t) => {
  const folder = repository('production');
  for (const file of ['package.json', 'package-lock.json']) {
    const path = join(folder, file);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"dependencies"', '"devDependencies"'));
  }
  process.env['NODE_ENV'] = 'production';
  t.after(() => delete process.env['NODE_ENV']);
  assert.equal((await outcome(folder)).code, 0);
  assert.ok(existsSync(join(folder, 'node_modules/dependency/package.json')));
});

test('reports a failed installation', async () => {
  const folder = repository('broken');
  writeJson(join(folder, 'package.json'), {
    name: 'broken',
    dependencies: { other: 'file:other' },
    optionalDependencies: {},
  });
  const { code, stderr } = await outcome(folder);
  assert.equal(code, 1);
  assert.match(stderr, /The dependencies could not be installed/);
});

test('puts the installed Node.js where scripts look for it, even if npm has omitted it', async () => {
  const folder = repository('link');
  const dependencies = { 'node-here': 'file:node-here' };
  mkdirSync(join(folder, 'node-here/bin'), { recursive: true });
  writeJson(join(folder, 'node-here/package.json'), { name: 'node-here', version: '1.0.0', bin: { node: 'bin/node' } });
  writeFileSync(join(folder, 'node-here/bin/node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 });
  writeJson(join(folder, 'package.json'), { name: 'link', private: true, optionalDependencies: dependencies });
  writeJson(join(folder, 'package-lock.json'), {
    name: 'link',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'link', optionalDependencies: dependencies },
      'node-here': { version: '1.0.0', optional: true, bin: { node: 'bin/node' } },
      'node_modules/node-here': { resolved: 'node-here', link: true },
    },
  });
  const link = join(folder, 'node_modules/.bin/node');
  assert.equal((await outcome(folder)).code, 0);
  rmSync(link);
  assert.deepEqual(await outcome(folder), { code: 0, stdout: '', stderr: '' });
  assert.ok(existsSync(link));
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

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`passes ${signal} on, and waits until the program has ended`, async () => {
    const folder = repository(`signal-${signal}`);
    const program = [
      `process.on('${signal}', () => setTimeout(() => { console.log('stopped'); process.exit(5); }, 50));`,
      'setInterval(() => {}, 1000);',
      `console.log('ready');`,
    ];
    writeFileSync(join(folder, 'tools/program.ts'), program.join('\n'));
    await outcome(folder);
    const child = bootstrap(folder, 'tools/program.ts');
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output === 'ready\n') child.kill(signal);
    });
    const [code] = (await once(child, 'close')) as [number | null];
    assert.deepEqual({ code, output }, { code: 5, output: 'ready\nstopped\n' });
  });
}

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { installOnce } from '../../host/vscode/install.ts';

const home = mkdtempSync(join(tmpdir(), 'metadata-service-install-'));
after(() => rmSync(home, { recursive: true, force: true }));

/** A package without dependencies, so that npm needs no registry. */
function definition(name: string): string {
  const folder = join(home, `definition-${name}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, private: true }));
  const lock = { name, lockfileVersion: 3, requires: true, packages: { '': { name } } };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  return folder;
}

test('installs once, and finds the installation from then on', async () => {
  const cache = join(home, 'once');
  const source = definition('once');
  let finished = 0;
  const finish = async (folder: string): Promise<void> => {
    finished += 1;
    writeFileSync(join(folder, 'finished'), '');
  };
  const folder = await installOnce(source, finish, cache);
  assert.deepEqual(readdirSync(folder).toSorted(), ['finished', 'package-lock.json', 'package.json']);
  assert.equal(await installOnce(source, finish, cache), folder);
  assert.equal(finished, 1);
});

test('a failed installation leaves nothing, and the next one starts again', async () => {
  const cache = join(home, 'fails');
  const source = definition('fails');
  const failing = installOnce(source, () => Promise.reject(new Error('the disk is full')), cache);
  await assert.rejects(failing, /the disk is full/);
  assert.deepEqual(readdirSync(cache), []);
  await installOnce(source, async () => {}, cache);
  assert.equal(readdirSync(cache).length, 1);
});

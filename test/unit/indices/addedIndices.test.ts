import assert from 'node:assert/strict';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, suite, test } from 'node:test';
import { AddedIndices } from '../../../src/indices/addedIndices.ts';
import { folderAt } from '../../../src/platform/folder.ts';
import { temporaryFolder } from '../platform/temporaryFolder.ts';

const PROFILE = { entityType: 'dataset', aspect: 'datasetProfile' };
const OPERATION = { entityType: 'dataset', aspect: 'operation' };

let path: string;
let added: AddedIndices;

beforeEach(async (context) => {
  path = await temporaryFolder(context);
  added = new AddedIndices(folderAt(path));
});

/** Another window that has read the files. */
async function nextWindow(): Promise<AddedIndices> {
  const next = new AddedIndices(folderAt(path));
  await next.load();
  return next;
}

suite('Indices that were added by name', () => {
  test('are remembered for their connection, in the order in which they were added, beyond the window', async () => {
    await added.add('a', PROFILE);
    await added.add('a', OPERATION);
    await added.add('b', OPERATION);
    for (const window of [added, await nextWindow()]) {
      assert.deepEqual([window.of('a'), window.of('b'), window.of('c')], [[PROFILE, OPERATION], [OPERATION], []]);
    }
  });

  test('are there once for each spelling, the last one added at the end', async () => {
    const spelled = { ...PROFILE, aspect: 'DATASETPROFILE' };
    for (const name of [PROFILE, OPERATION, spelled, { ...PROFILE, sizeBytes: 7 }]) await added.add('a', name);
    assert.deepEqual(added.of('a'), [OPERATION, spelled, PROFILE]);
  });

  test('are forgotten one by one, and with their connection', async () => {
    await added.add('a', PROFILE);
    await added.add('a', OPERATION);
    await added.add('b', PROFILE);
    await added.forget('a', PROFILE);
    assert.deepEqual((await nextWindow()).of('a'), [OPERATION]);
    await added.forgetConnection('a');
    assert.deepEqual([added.of('a'), await readdir(path)], [[], ['b.json']]);
  });

  test('of several windows are kept, and known once a window looks', async () => {
    const next = await nextWindow();
    await added.add('a', PROFILE);
    await next.add('a', OPERATION);
    assert.deepEqual([added.of('a'), next.of('a')], [[PROFILE], [PROFILE, OPERATION]]);
    assert.deepEqual([await added.reload(), await added.reload()], [['a'], []]);
    assert.deepEqual(added.of('a'), [PROFILE, OPERATION]);
    await next.forgetConnection('a');
    assert.deepEqual([await added.reload(), added.of('a')], [['a'], []]);
  });

  for (const damaged of [
    '{"v":1}',
    '{"v":1,"indices":[7]}',
    '{"v":1,"indices":[{"entityType":"../dataset","aspect":"operation"}]}',
  ]) {
    test(`are none in a damaged file, until one is added: ${damaged}`, async () => {
      await writeFile(join(path, 'a.json'), damaged);
      const next = await nextWindow();
      assert.deepEqual(next.of('a'), []);
      await next.add('a', PROFILE);
      assert.deepEqual((await nextWindow()).of('a'), [PROFILE]);
    });
  }

  test('stay as they were if the folder can’t be read', async () => {
    await added.add('a', PROFILE);
    await rm(path, { recursive: true });
    await writeFile(path, 'no folder');
    assert.deepEqual([await added.reload(), added.of('a')], [[], [PROFILE]]);
    await assert.rejects(added.add('a', OPERATION));
    assert.deepEqual((await nextWindow()).of('a'), []);
  });
});

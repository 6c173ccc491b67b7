import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { failureOf } from '../service/clients.ts';
import '../ui/window.ts';
import { machine } from './window.ts';

const { pickConnection, switchConnection } = await import('../../../src/connections/pickConnection.ts');

test('The list of connections is replaced by the reason if the disk can’t be read', async (context) => {
  const { shared, open } = await machine(context);
  await rm(join(shared.path, 'connections'), { recursive: true });
  await writeFile(join(shared.path, 'connections'), '');
  const { store } = await open();
  for (const asked of [switchConnection(store), pickConnection(store, undefined, 'Sign In')]) {
    assert.match((await failureOf(asked)).message, /^Couldn't read the connections from the disk/);
  }
});

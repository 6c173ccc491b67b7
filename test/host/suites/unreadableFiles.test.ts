/** Files that can't be read: their rows say so, and can be removed. */
import assert from 'node:assert/strict';
import { COMMANDS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import { sharedFolders } from './support/anotherWindow.ts';
import { connectionAs, saveConnection } from './support/connections.ts';
import { currentActivation, reloadExtension } from './support/extension.ts';
import { personAt } from './support/fixtures.ts';
import { findRow, refresh, rowAt, rowsBelow } from './support/tree.ts';
import { TRUNCATIONS } from './support/truncations.ts';

const NAME = 'Readable';
const UNREADABLE = "Connection can't be read";

suite('Files that can not be read', () => {
  const service = hostService();
  const person = personAt(service);

  test('a damaged connection is a row, and Remove deletes its secret and its files', async () => {
    const id = await saveConnection(connectionAs(service, 'admin', NAME));
    const { context } = currentActivation();
    assert.ok(await sharedFolders()('connections').put(`${id}.json`, '{"v":1,"name":'));
    await reloadExtension();
    const row = await rowAt(UNREADABLE);
    assert.deepEqual([row.description, row.item.contextValue], ['its file is damaged', 'unreadableConnection']);
    assert.deepEqual(await rowsBelow(row), []);
    assert.deepEqual(currentActivation().store.all(), []);

    await person.runs(COMMANDS.connectionRemove, row, /^Remove the connection that can't be read\?$/);
    assert.deepEqual(await context.secrets.keys(), [`credential.${id}`]);
    await person.runs(COMMANDS.connectionRemove, row, /^Remove the connection that can't be read\?$/, 'Remove');
    assert.deepEqual(await context.secrets.keys(), []);
    for (const kind of ['connections', 'roles'] as const) {
      assert.deepEqual([...(await sharedFolders()(kind).readAll()).keys()], []);
    }
    assert.deepEqual(await rowsBelow(), []);
  });

  test('a truncation is a row, and can be forgotten', async () => {
    await callService(service, 'restoreRows');
    const id = await saveConnection(connectionAs(service, 'admin', NAME));
    await sharedFolders()('jobs').create(`${id}.${crypto.randomUUID()}.json`, '{');
    await refresh(await rowAt(NAME));
    const row = await rowAt(NAME, TRUNCATIONS, "Truncation can't be read");
    assert.deepEqual([row.description, row.item.contextValue], ['may still be running', 'unreadableTask']);

    await person.runs(COMMANDS.taskForget, row, /^Forget the truncation that can't be read\?$/);
    await rowAt(NAME, TRUNCATIONS);
    await person.runs(COMMANDS.taskForget, row, /^Forget the truncation that can't be read\?$/, 'Forget');
    assert.equal((await sharedFolders()('jobs').readAll()).size, 0);
    assert.equal(await findRow([NAME, TRUNCATIONS]), undefined);
  });
});

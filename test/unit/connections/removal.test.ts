import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { removeConnection } from '../../../src/connections/removal.ts';
import { CREDENTIAL, failureOf } from '../service/clients.ts';
import { recordedStorage, refusing } from './interceptedStorage.ts';
import { addConnection, connectionTo, knownTo, machine, removeFrom, secretOf } from './window.ts';

const ADDRESS = 'https://datahub.example.com';

suite('Removing a connection', () => {
  test('deletes its secret first and its file after all else, and leaves the others', async (context) => {
    const { shared, window: there, connection, open } = await machine(context, CREDENTIAL);
    const stays = await addConnection(there, connectionTo(ADDRESS), CREDENTIAL);
    const { storage, writes } = recordedStorage(shared);
    const window = await open(storage);
    const forgetConnection = (id: string): Promise<void> => Promise.resolve(void writes.push(`forgets ${id}`));
    await removeConnection({ ...window, forgetConnection }, connection.id);
    assert.deepEqual(
      writes.filter((write) => write !== 'memory.update'),
      [
        'secrets.delete',
        `forgets ${connection.id}`,
        'connections.remove',
        'roles.remove',
        // As every window does that finds the file gone.
        'secrets.delete',
        // A truncation that another window sent meanwhile: nothing would show it.
        `forgets ${connection.id}`,
      ],
    );
    assert.equal(await secretOf(shared, connection), undefined);
    assert.deepEqual([window.store.all(), await window.credentials.read(stays)], [[stays], CREDENTIAL]);
    for (const kind of ['connections', 'roles']) {
      assert.deepEqual(await readdir(join(shared.path, kind)), [`${stays.id}.json`]);
    }
    assert.ok(!shared.memory.text.includes(connection.id));
  });

  test('tells rows nothing while they could still ask the server, without the token', async (context) => {
    const { window, connection } = await machine(context, CREDENTIAL);
    const { id } = connection;
    const told: string[] = [];
    window.credentials.onDidChange((changed) => told.push(changed));
    window.store.onDidChange(() => assert.equal(window.store.get(id), undefined));
    await removeFrom(window, id);
    assert.deepEqual([told, window.store.all()], [[], []]);
  });

  test('changes nothing if the secret can’t be deleted, and says so', async (context) => {
    const { shared, connection, open } = await machine(context, CREDENTIAL);
    const { storage, writes } = recordedStorage(refusing(shared, 'secrets.delete'));
    const window = await open(storage);
    assert.match((await failureOf(removeFrom(window, connection.id))).message, /Couldn't delete the access token/);
    assert.deepEqual(writes, ['secrets.delete']);
    assert.deepEqual([window.store.all(), await window.credentials.read(connection)], [[connection], CREDENTIAL]);
  });

  for (const refused of ['memory.update', 'connections.remove']) {
    test(`can be repeated if it failed (${refused}); what is left is signed out and no laxer`, async (context) => {
      const production = connectionTo(ADDRESS, { role: 'production' });
      const { shared, connection, open } = await machine(context, CREDENTIAL, { connection: production });
      const failing = await open(refusing(shared, refused));
      const signedOut: string[] = [];
      failing.credentials.onDidSignOut((id) => signedOut.push(id));
      await assert.rejects(removeFrom(failing, connection.id));
      assert.deepEqual(signedOut, [connection.id]);
      const window = await open();
      const left = knownTo(window, connection);
      assert.equal(await window.credentials.read(left), undefined);
      assert.ok(left.role === 'production' || left.role === 'readOnly');
      await removeFrom(window, connection.id);
      assert.deepEqual([window.store.all(), await readdir(join(shared.path, 'roles'))], [[], []]);
    });
  }
});

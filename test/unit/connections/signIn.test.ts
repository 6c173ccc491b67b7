import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Connection } from '../../../src/connections/connection.ts';
import { signInWith } from '../../../src/connections/signIn.ts';
import { CREDENTIAL, failureOf } from '../service/clients.ts';
import { interceptedStorage, refusing } from './interceptedStorage.ts';
import {
  addConnection,
  connectionTo,
  openWindow,
  removeFrom,
  sharedStorage,
  type SharedStorage,
  type Window,
} from './window.ts';

const ADDRESS = 'https://a.example.com';

function secretOf({ secrets }: SharedStorage, { id }: Connection): Thenable<string | undefined> {
  return secrets.get(`credential.${id}`);
}

type ChangeElsewhere = (there: Window, connection: Connection) => Promise<unknown>;

const remove: ChangeElsewhere = (there, { id }) => removeFrom(there, id);
const signOut: ChangeElsewhere = (there, connection) => there.credentials.signOut(connection);
const move: ChangeElsewhere = ({ store }, { id }) => store.change(id, () => ({ baseUrl: 'https://b.example.com' }));
const changeUser: ChangeElsewhere = ({ store }, { id }) => store.change(id, () => ({ typedUser: 'urn:li:corpuser:b' }));

suite('A sign-in', () => {
  test('is for the connection as it is stored now', async (context) => {
    const shared = await sharedStorage(context);
    const [here, there] = [await openWindow(shared), await openWindow(shared)];
    const connection = await addConnection(here, connectionTo(ADDRESS));
    await there.store.load();
    await there.credentials.signOut(connection);
    await there.store.change(connection.id, () => ({ name: 'Renamed' }));
    await signInWith(here, connection, CREDENTIAL, { source: 'commandLineFile' });
    const signedIn = here.store.get(connection.id) ?? assert.fail();
    assert.deepEqual([signedIn.name, signedIn.signIn?.source], ['Renamed', 'commandLineFile']);
    assert.ok((signedIn.signIn?.storedAt ?? 0) > (signedIn.signedOutAt ?? Infinity));
    assert.equal(await here.credentials.read(signedIn), CREDENTIAL);
  });

  for (const [what, change, says] of [
    ['removed', remove, /was removed/],
    ['moved', move, /was changed/],
    ['given another user', changeUser, /was changed/],
  ] as const) {
    test(`to a connection that another window has ${what} keeps no token`, async (context) => {
      const shared = await sharedStorage(context);
      const [here, there] = [await openWindow(shared), await openWindow(shared)];
      const connection = await addConnection(here, connectionTo(ADDRESS));
      await change(there, connection);
      assert.match((await failureOf(signInWith(here, connection, CREDENTIAL))).message, says);
      assert.equal(await secretOf(shared, connection), undefined);
    });
  }
});

suite('A sign-in with a slow keychain', () => {
  for (const [what, change, says] of [
    ['removed', remove, /was removed/],
    ['signed out', signOut, /was changed/],
    ['moved', move, /was changed/],
  ] as const) {
    for (const before of [undefined, 'former.token']) {
      test(`keeps no token if another window has ${what} the connection meanwhile, ${before === undefined ? 'signed out' : 'signed in'} before`, async (context) => {
        const shared = await sharedStorage(context);
        const there = await openWindow(shared);
        const connection = await addConnection(there, connectionTo(ADDRESS), before);
        const slow = interceptedStorage(shared, async (write) => {
          if (write === 'secrets.store') await change(there, connection);
        });
        const here = await openWindow(slow);
        assert.match((await failureOf(signInWith(here, connection, CREDENTIAL))).message, says);
        for (const { store, credentials } of [here, await openWindow(shared)]) {
          const now = store.get(connection.id);
          assert.equal(now === undefined, what === 'removed');
          assert.equal(now && (await credentials.read(now)), undefined);
        }
        if (what !== 'moved') assert.equal(await secretOf(shared, connection), undefined, 'a token stays behind');
      });
    }
  }

  test('says what happened even if the token can’t be deleted, which is none', async (context) => {
    const shared = await sharedStorage(context);
    const there = await openWindow(shared);
    const connection = await addConnection(there, connectionTo(ADDRESS));
    const slow = interceptedStorage(refusing(shared, 'secrets.delete'), async (write) => {
      if (write === 'secrets.store') await there.credentials.signOut(connection);
    });
    const failure = await failureOf(signInWith(await openWindow(slow), connection, CREDENTIAL));
    assert.match(failure.message, /was changed in the meantime/);
    const { store, credentials } = await openWindow(shared);
    const now = store.get(connection.id) ?? assert.fail();
    assert.equal(await credentials.read(now), undefined);
  });

  test('keeps the token if another window only renamed the connection or made it stricter', async (context) => {
    const shared = await sharedStorage(context);
    const there = await openWindow(shared);
    const connection = await addConnection(there, connectionTo(ADDRESS));
    const slow = interceptedStorage(shared, async (write) => {
      if (write === 'secrets.store') {
        await there.store.change(connection.id, () => ({ name: 'Renamed' }));
        await there.store.setRole(connection.id, { role: 'readOnly', chosen: true });
      }
    });
    const { store, credentials } = await openWindow(slow);
    await signInWith({ store, credentials }, connection, CREDENTIAL);
    const now = store.get(connection.id) ?? assert.fail();
    assert.deepEqual([now.name, now.role, await credentials.read(now)], ['Renamed', 'readOnly', CREDENTIAL]);
  });
});

import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import type { Folders } from '../../../src/platform/folder.ts';
import { failureOf } from '../service/clients.ts';
import { recordedStorage, refusing } from './interceptedStorage.ts';
import {
  addConnection,
  connectionTo,
  knownTo,
  machine,
  openWindow,
  removeFrom,
  secretOf,
  sharedStorage,
  windowOn,
  type SharedStorage,
} from './window.ts';

const ADDRESS = 'https://datahub.example.com';

/** Neither a role nor a connection. fileStore.test.ts has other texts that can't be read. */
const UNREADABLE = '{"v":1,"role":"auditor"}';

function fileOf({ path }: SharedStorage, kind: Parameters<Folders>[0], id: string): string {
  return join(path, kind, `${id}.json`);
}

async function filesIn({ path }: SharedStorage): Promise<readonly string[]> {
  const names = (kind: string): Promise<readonly string[]> => readdir(join(path, kind)).catch(() => []);
  return (await Promise.all(['connections', 'roles'].map(names))).flat();
}

suite('A connection', () => {
  test('is two files, of which that of the role is written first', async (context) => {
    const shared = await sharedStorage(context);
    const { storage, writes } = recordedStorage(shared);
    const connection = connectionTo(ADDRESS, { role: 'production' });
    await addConnection(await openWindow(storage), connection);
    assert.deepEqual(writes, ['roles.create', 'connections.create']);
    const { id, role: _, actorUrn: __, ...fields } = connection;
    assert.deepEqual(JSON.parse(await readFile(fileOf(shared, 'connections', id), 'utf8')), { v: 1, ...fields });
    assert.deepEqual(JSON.parse(await readFile(fileOf(shared, 'roles', id), 'utf8')), { v: 1, role: 'production' });
    assert.deepEqual(shared.memory.keys(), []);
  });

  test('is known to later windows, and to others once they look, with an event', async (context) => {
    const { window, open } = await machine(context);
    const there = await open();
    let told = 0;
    there.store.onDidChange(() => told++);
    const connection = await addConnection(window, connectionTo(ADDRESS));
    assert.equal(there.store.get(connection.id), undefined);
    await there.store.reload();
    await there.store.reload();
    assert.deepEqual([knownTo(there, connection), told], [connection, 1]);
    assert.deepEqual(knownTo(await open(), connection), connection);
  });

  test('is in use if it was chosen in this workspace, else if it is the oldest', async (context) => {
    const window = await openWindow(await sharedStorage(context));
    assert.equal(window.store.inUse(), undefined);
    const young = await addConnection(window, connectionTo(ADDRESS, { createdAt: 3, name: 'A' }));
    const old = await addConnection(window, connectionTo(ADDRESS, { createdAt: 1, name: 'B' }));
    await addConnection(window, connectionTo(ADDRESS, { createdAt: 2, name: 'C' }));
    assert.deepEqual(
      window.store.all().map(({ name }) => name),
      ['A', 'B', 'C'],
    );
    assert.deepEqual(window.store.inUse(), old);
    await window.store.use(young.id);
    assert.deepEqual(window.store.inUse(), young);
    await removeFrom(window, young.id);
    assert.deepEqual(window.store.inUse(), old);
  });
});

suite('A new connection', () => {
  test('is shown once it is signed in, or its rows would be asked for without the token', async (context) => {
    const { store, credentials } = await openWindow(await sharedStorage(context));
    const shown: (boolean | undefined)[] = [];
    store.onDidChange(() => shown.push(...store.all().map(({ signIn }) => signIn !== undefined)));
    const { role: _, ...fields } = connectionTo(ADDRESS);
    await store.add(fields, 'development', (added) => credentials.store(added, 'a-token'));
    assert.deepEqual([...new Set(shown)], [true]);
  });

  test('that can’t be stored as a whole, or signed in to, isn’t there, and may get another role', async (context) => {
    const shared = await sharedStorage(context);
    const window = await openWindow(refusing(shared, 'connections.create'));
    const { role: _, ...fields } = connectionTo(ADDRESS);
    const refused = new Error('the keychain is locked');
    for (const { store } of [window, await openWindow(shared)]) {
      await assert.rejects(
        store.add(fields, 'development', () => Promise.reject(refused)),
        (thrown) => thrown === refused || store === window.store,
      );
      assert.deepEqual([store.all(), await filesIn(shared)], [[], []]);
    }
    const { store } = await openWindow(shared);
    await store.add(fields, 'readOnly');
    assert.equal(store.get(fields.id)?.role, 'readOnly');
  });
});

suite('A change of a connection', () => {
  test('keeps what other windows changed, which the change is told', async (context) => {
    const { window: here, connection, open } = await machine(context);
    const there = await open();
    const meanwhile = { product: 'Other', plainHttpOrigin: 'http://a.example.com', signedOutAt: 5 };
    await there.store.change(connection.id, () => meanwhile);
    await there.store.setRole(connection.id, 'readOnly');
    const changed = await here.store.change(connection.id, (current) => {
      assert.partialDeepStrictEqual(current, meanwhile);
      return { name: 'Renamed' };
    });
    assert.deepEqual(changed, { ...connection, ...meanwhile, name: 'Renamed' });
    assert.deepEqual(knownTo(await open(), connection), { ...changed, role: 'readOnly' });
  });

  test('that can’t be written leaves it as it was, in a sentence', async (context) => {
    const { shared, connection, open } = await machine(context);
    const window = await open(refusing(shared, 'connections.put', 'roles.put'));
    for (const change of [
      window.store.change(connection.id, () => ({ name: 'Renamed' })),
      window.store.setRole(connection.id, 'readOnly'),
    ]) {
      const failure = await failureOf(change);
      assert.deepEqual([failure.kind, failure.message], ['storage', "Couldn't save the connection."]);
    }
    for (const one of [window, await open()]) assert.deepEqual(knownTo(one, connection), connection);
  });
});

suite('The role of a connection', () => {
  test('is read-only without its file, and is said to be missing', async (context) => {
    const { shared, window, connection } = await machine(context);
    await rm(fileOf(shared, 'roles', connection.id));
    const { role, lacksRole } = (await window.store.getFresh(connection.id)) ?? assert.fail();
    assert.deepEqual([role, lacksRole], ['readOnly', true]);
  });

  test('is read-only if the folder of all roles can’t be read, which hides no connection', async (context) => {
    const { shared, connection, open } = await machine(context);
    await rm(join(shared.path, 'roles'), { recursive: true });
    await writeFile(join(shared.path, 'roles'), '');
    const window = await open();
    assert.equal(knownTo(window, connection).role, 'readOnly');
    assert.match(window.store.failure?.message ?? '', /^Couldn't read the connections/);
  });

  test('is read-only if its file can’t be read, until one is chosen', async (context) => {
    const { shared, connection, open } = await machine(context);
    await writeFile(fileOf(shared, 'roles', connection.id), UNREADABLE);
    const window = await open();
    assert.equal(knownTo(window, connection).role, 'readOnly');
    await window.store.setRole(connection.id, 'production');
    for (const one of [window, await open()]) assert.equal(knownTo(one, connection).role, 'production');
  });

  test('without a connection is none', async (context) => {
    const shared = await sharedStorage(context);
    await (await openWindow(shared)).store.setRole(crypto.randomUUID(), 'development');
    assert.deepEqual(await filesIn(shared), []);
  });
});

test('A connection’s file that can’t be read is listed, and never used', async (context) => {
  const { shared, window, connection, open } = await machine(context, 'a-token');
  const { id } = connection;
  const other = await addConnection(window, connectionTo(ADDRESS));
  await window.store.use(id);
  let told = 0;
  window.store.onDidChange(() => told++);
  await writeFile(fileOf(shared, 'connections', id), UNREADABLE);
  assert.equal(await window.store.getFresh(id), undefined);
  assert.equal(told, 1);
  for (const { store } of [window, await open()]) {
    assert.deepEqual([store.unreadable(), store.all(), store.inUse()], [[id], [other], other]);
    assert.equal(store.failure, undefined);
    assert.equal(await store.change(id, () => ({ name: 'Renamed' })), undefined);
  }
  assert.equal(await readFile(fileOf(shared, 'connections', id), 'utf8'), UNREADABLE, 'it was rewritten');
  await removeFrom(window, id);
  assert.deepEqual([window.store.unreadable(), window.store.all()], [[], [other]]);
  assert.deepEqual(new Set(await filesIn(shared)), new Set([`${other.id}.json`]));
  assert.deepEqual([await secretOf(shared, connection), shared.memory.keys()], [undefined, []]);
});

for (const kind of ['connections', 'roles'] as const) {
  test(`The folder of the connections that can’t be read is a failure, and shows what was there before: ${kind}`, async (context) => {
    const { shared, window, connection } = await machine(context);
    let told = 0;
    window.store.onDidChange(() => told++);
    await rm(join(shared.path, kind), { recursive: true });
    await writeFile(join(shared.path, kind), 'no folder');
    await window.store.reload();
    assert.deepEqual([window.store.failure?.kind, told], ['storage', 1]);
    assert.deepEqual(knownTo(window, connection), connection);
    const choice = window.store.setRole(connection.id, 'readOnly');
    for (const failure of [window.store.getFresh(connection.id), choice]) {
      assert.equal((await failureOf(failure)).kind, 'storage');
    }
    const later = windowOn(shared);
    await later.store.load();
    assert.equal(later.store.failure?.kind, 'storage');
    await rm(join(shared.path, kind));
    await later.store.load();
    assert.equal(later.store.failure, undefined);
    await window.store.reload();
    assert.equal(window.store.failure, undefined);
  });
}

suite('What is known of a credential', () => {
  test('is shown as long as it belongs to the connection: another user has the token of another server', async (context) => {
    const { window, connection } = await machine(context);
    const signIn = { origin: connection.baseUrl, storedAt: 10, user: 'urn:li:corpuser:admin' };
    await window.store.learnSignIn(connection.id, signIn);
    for (const [change, isShown] of [
      [{ baseUrl: 'https://elsewhere.example.com' }, false],
      [{ baseUrl: `${connection.baseUrl}/base`, signedOutAt: 9 }, true],
      [{ signedOutAt: 10 }, false],
    ] as const) {
      const changed = await window.store.change(connection.id, () => change);
      assert.deepEqual(changed?.signIn, isShown ? signIn : undefined);
      assert.equal(changed?.actorUrn === signIn.user, isShown);
    }
  });

  test('need not be stored', async (context) => {
    const { shared, connection, open } = await machine(context);
    const window = await open(refusing(shared, 'memory.update'));
    const signIn = { origin: 'https://a.example.com', storedAt: 10 };
    await window.store.learnSignIn(connection.id, signIn);
    assert.deepEqual(knownTo(window, connection).signIn, signIn);
  });
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { removeConnection } from '../../../src/connections/removal.ts';
import { saveSignedIn, signOutOfConnection } from '../../../src/connections/signIn.ts';
import { connectionTo, sharedStorage, windowOn } from './window.ts';

suite('A connection under removal', () => {
  test('is neither found, nor listed, nor in use', async (context) => {
    const { store } = windowOn(await sharedStorage(context));
    const [removed, stays] = [
      connectionTo('https://removed.example.com'),
      connectionTo('https://stays.example.com', { createdAt: 2 }),
    ];
    await store.save(removed);
    await store.save(stays);
    await store.use(removed.id);
    await store.beginRemoval(removed.id);
    assert.equal(store.get(removed.id), undefined);
    assert.deepEqual(store.all(), [stays]);
    assert.deepEqual(store.inUse(), stays);
    assert.deepEqual(store.unfinishedRemovals(), [removed.id]);
  });

  test('is hidden in another window too, even if that window still writes it', async (context) => {
    const shared = await sharedStorage(context);
    const [here, there] = [windowOn(shared), windowOn(shared)];
    const connection = connectionTo('https://datahub.example.com');
    await here.store.save(connection);
    await there.store.load();
    assert.deepEqual(there.store.all(), [connection]);
    await here.store.beginRemoval(connection.id);
    await there.store.reload();
    await there.store.save(connection);
    assert.deepEqual([there.store.get(connection.id), there.store.all()], [undefined, []]);
    await here.store.completeRemoval(connection.id);
    await there.store.reload();
    await there.store.save(connection);
    assert.deepEqual([there.store.all(), there.store.unfinishedRemovals()], [[], []]);
  });

  test('is hidden on another machine, which shares only VS Code’s storage', async (context) => {
    const shared = await sharedStorage(context);
    const { store } = windowOn(shared);
    const connection = connectionTo('https://datahub.example.com');
    await store.save(connection);
    await store.beginRemoval(connection.id);
    await store.completeRemoval(connection.id);
    const there = windowOn({ ...(await sharedStorage(context)), memory: shared.memory });
    await there.store.load();
    await there.store.save(connection);
    assert.deepEqual([there.store.all(), there.store.unfinishedRemovals()], [[], []]);
  });

  test('is shown again after a failed removal', async (context) => {
    const { store } = windowOn(await sharedStorage(context));
    const connection = connectionTo('https://datahub.example.com');
    await store.save(connection);
    await store.beginRemoval(connection.id);
    await store.cancelRemoval(connection.id);
    assert.deepEqual([store.get(connection.id), store.all()], [connection, [connection]]);
  });

  test('fires an event', async (context) => {
    const { store } = windowOn(await sharedStorage(context));
    const connection = connectionTo('https://datahub.example.com');
    await store.save(connection);
    const listed: number[] = [];
    store.onDidChange(() => listed.push(store.all().length));
    await store.beginRemoval(connection.id);
    await store.cancelRemoval(connection.id);
    assert.deepEqual(listed, [0, 1]);
  });

  test('is not stored again by an operation that began before', async (context) => {
    const shared = await sharedStorage(context);
    const window = windowOn(shared);
    const connection = connectionTo('https://datahub.example.com');
    await window.store.save(connection);
    await removeConnection({ ...window, forgetConnection: () => Promise.resolve() }, connection.id);
    await signOutOfConnection(window, connection);
    assert.equal(shared.memory.get(`connection.${connection.id}`), undefined);
  });

  test('is removed completely if 0.1.0 was interrupted', async (context) => {
    const shared = await sharedStorage(context);
    const { store } = windowOn(shared);
    const removed = connectionTo('https://removed.example.com');
    await store.save(removed);
    await shared.memory.update(`removing.${removed.id}`, true);
    assert.deepEqual([store.get(removed.id), store.unfinishedRemovals()], [undefined, [removed.id]]);
  });
});

suite('The role of a connection', () => {
  test('is the stricter one if it changed during a slow sign-in', async (context) => {
    const { store, credentials } = windowOn(await sharedStorage(context));
    const read = connectionTo('https://datahub.example.com');
    await store.save(read);
    const signingIn = saveSignedIn({ store, credentials }, read, 'a-token');
    await store.save({ ...read, role: 'readOnly' });
    await signingIn;
    assert.equal(store.get(read.id)?.role, 'readOnly');
  });

  test('is the chosen one if no other window changed it', async (context) => {
    const { store } = windowOn(await sharedStorage(context));
    const read = connectionTo('https://datahub.example.com', { role: 'production' });
    await store.save(read);
    await store.save({ ...read, role: 'development' }, read);
    assert.equal(store.get(read.id)?.role, 'development');
  });

  test('says that the user chose Development only as long as the recorded choice does', async (context) => {
    const shared = await sharedStorage(context);
    const { store } = windowOn(shared);
    const read = connectionTo('https://datahub.example.com', { role: 'development' });
    await store.save(read);
    await store.save({ ...read, role: 'developmentChosen' }, read);
    assert.equal(store.get(read.id)?.role, 'developmentChosen');
    const chosen = store.get(read.id) ?? assert.fail();
    await store.save({ ...chosen, name: 'Renamed' }, chosen);
    assert.equal(store.get(read.id)?.role, 'developmentChosen', 'another change keeps it');
    assert.equal(shared.memory.get<{ readonly role: string }>(`connection.${read.id}`)?.role, 'development');
    await store.save({ ...chosen, baseUrl: 'https://b.example.com', role: 'development' }, chosen);
    assert.equal(store.get(read.id)?.role, 'development', 'as for another address');
  });
});

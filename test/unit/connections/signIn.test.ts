import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { Connection } from '../../../src/connections/connection.ts';
import type { SecretStorage } from '../../../src/connections/credentialStore.ts';
import { removeConnection } from '../../../src/connections/removal.ts';
import { saveSignedIn, signOutOfConnection } from '../../../src/connections/signIn.ts';
import { systemNetwork } from '../../../src/service/http/network.ts';
import { MILLIS_PER_DAY } from '../../../src/time.ts';
import { Memory } from '../memory.ts';
import { CREDENTIAL, failureOf } from '../service/clients.ts';
import { SteppedClock } from '../steppedClock.ts';
import { MemorySecrets } from './secretStorage.ts';
import { connectionTo, sharedStorage, windowOn, type Window } from './window.ts';

interface Machine {
  readonly clock: SteppedClock;
  readonly secrets: MemorySecrets;
  /** Signed in from a window of its own. */
  readonly connection: Connection;
  openWindow(secrets?: SecretStorage): Window;
  /** Names of the stored sign-outs. */
  marks(): readonly string[];
}

async function machine(context: TestContext): Promise<Machine> {
  const clock = new SteppedClock();
  const secrets = new MemorySecrets();
  const shared = await sharedStorage(context);
  const openWindow = (kept: SecretStorage = secrets): Window => {
    const window = windowOn({ ...shared, secrets: kept }, systemNetwork, clock);
    context.after(() => [window.services, window.credentials, window.store].forEach((one) => one.dispose()));
    return window;
  };
  const { connection } = await saveSignedIn(openWindow(), connectionTo('https://a.example.com'), CREDENTIAL);
  const marks = (): readonly string[] => shared.memory.keys().filter((key) => key.startsWith('signedOut.'));
  return { clock, secrets, connection, openWindow, marks };
}

const storedFor = (
  { secrets }: { readonly secrets: SecretStorage },
  { id }: Connection,
): Thenable<string | undefined> => secrets.get(`credential.${id}`);

suite('A sign-in', () => {
  test('to a connection removed in another window leaves no token', async (context) => {
    const shared = await sharedStorage(context);
    const [here, there] = [windowOn({ ...shared, memory: new Memory() }), windowOn(shared)];
    const connection = connectionTo('https://a.example.com');
    await Promise.all([here, there].map(({ store }) => store.save(connection)));
    await here.store.load();
    await removeConnection({ ...there, forgetConnection: () => Promise.resolve() }, connection.id);
    assert.match((await failureOf(saveSignedIn(here, connection, CREDENTIAL))).message, /was removed/);
    assert.equal(await storedFor(shared, connection), undefined);
  });

  test('leaves no token if the connection is removed during a slow write', async (context) => {
    const shared = await sharedStorage(context);
    const window = windowOn(shared);
    const connection = connectionTo('https://a.example.com');
    await window.store.save(connection);
    const { store } = window.credentials;
    window.credentials.store = async (...credential) => {
      await removeConnection({ ...window, forgetConnection: () => Promise.resolve() }, connection.id);
      return store.apply(window.credentials, credential);
    };
    assert.match((await failureOf(saveSignedIn(window, connection, CREDENTIAL))).message, /was removed/);
    assert.equal(await storedFor(shared, connection), undefined);
  });

  test('to a new connection that can’t be saved leaves no token', async (context) => {
    const shared = await sharedStorage(context);
    const window = windowOn(shared);
    const connection = connectionTo('https://a.example.com');
    window.store.save = () => Promise.reject(new Error('ENOSPC'));
    await assert.rejects(saveSignedIn(window, connection, CREDENTIAL), /ENOSPC/);
    assert.equal(await storedFor(shared, connection), undefined);
  });
});

suite('A sign-in with a slow keychain', () => {
  const moved = { baseUrl: 'https://b.example.com' };
  for (const [what, change, leaves] of [
    ['moved', (there: Window, one: Connection) => there.store.save({ ...one, ...moved }, one), moved.baseUrl],
    ['removed', (there: Window, { id }: Connection) => there.store.beginRemoval(id), undefined],
  ] as const) {
    test(`keeps that another window has ${what} the connection`, async (context) => {
      const on = await machine(context);
      const there = on.openWindow();
      const store = async (key: string, value: string): Promise<void> => {
        await change(there, on.connection);
        await on.secrets.store(key, value);
      };
      const get = (key: string): Promise<string | undefined> => on.secrets.get(key);
      const { onDidChange } = on.secrets;
      const here = on.openWindow({ store, get, onDidChange, delete: (key) => on.secrets.delete(key) });
      const failure = await failureOf(saveSignedIn(here, on.connection, 'another.token'));
      assert.match(failure.message, /(?:changed|removed) in the meantime/);
      assert.equal(here.store.get(on.connection.id)?.baseUrl, leaves);
      assert.equal((await storedFor(on, on.connection)) === undefined, leaves === undefined, 'a token stays behind');
    });
  }
});

suite('A sign-out', () => {
  test('deletes the token even if the connection can’t be saved', async (context) => {
    const on = await machine(context);
    const window = on.openWindow();
    window.store.save = () => Promise.reject(new Error('ENOSPC'));
    await assert.rejects(signOutOfConnection(window, on.connection), /ENOSPC/);
    assert.equal(await storedFor(on, on.connection), undefined);
  });

  test('deletes the token first, so that a crash leaves none', async (context) => {
    const on = await machine(context);
    const window = on.openWindow();
    let leftWhenSaving: string | undefined = 'not saved';
    window.store.save = async () => {
      leftWhenSaving = await storedFor(on, on.connection);
    };
    await signOutOfConnection(window, on.connection);
    assert.equal(leftWhenSaving, undefined);
  });

  test('replaces the credential ID even if the token can’t be deleted', async (context) => {
    const on = await machine(context);
    const window = on.openWindow(withoutDeletion(on.secrets));
    assert.match(
      (await failureOf(signOutOfConnection(window, on.connection))).message,
      /Couldn't delete the access token/,
    );
    assert.notEqual(window.store.get(on.connection.id)?.credentialId, on.connection.credentialId);
  });

  test('interrupted by a crash is ended by the next window that needs the token', async (context) => {
    const on = await machine(context);
    await on.openWindow().credentials.markSignedOut(on.connection);
    const next = on.openWindow();
    assert.equal(await next.credentials.read(on.connection), undefined);
    assert.equal(await storedFor(on, on.connection), undefined);
  });

  test('fires no further events in another window if the token can’t be deleted', async (context) => {
    const on = await machine(context);
    await on.openWindow().credentials.markSignedOut(on.connection);
    const next = on.openWindow(withoutDeletion(on.secrets));
    let told = 0;
    next.credentials.onDidChange(() => told++);
    assert.equal(await next.credentials.read(on.connection), undefined);
    assert.equal(told, 0);
  });

  test('interrupted by a crash keeps the token of a later sign-in', async (context) => {
    const on = await machine(context);
    await on.openWindow().credentials.markSignedOut(on.connection);
    const { connection } = await saveSignedIn(on.openWindow(), on.connection, 'another-token');
    const late = on.openWindow();
    assert.equal(await late.credentials.read(on.connection), undefined);
    assert.equal(await late.credentials.read(connection), 'another-token');
  });

  test('interrupted by a crash holds for good, even after much later sign-outs', async (context) => {
    const on = await machine(context);
    await on.openWindow().credentials.markSignedOut(on.connection);
    on.clock.advance(400 * MILLIS_PER_DAY);
    await signInAndOut(on.openWindow());
    assert.equal(await on.openWindow().credentials.read(on.connection), undefined);
  });

  test('is forgotten after 90 days if the token was deleted', async (context) => {
    const on = await machine(context);
    const window = on.openWindow();
    await signOutOfConnection(window, on.connection);
    on.clock.advance(89 * MILLIS_PER_DAY);
    const second = await saveSignedIn(window, on.connection, CREDENTIAL);
    await signOutOfConnection(window, second.connection);
    assert.equal(on.marks().length, 2);
    on.clock.advance(2 * MILLIS_PER_DAY);
    const third = await saveSignedIn(window, on.connection, CREDENTIAL);
    await signOutOfConnection(window, third.connection);
    assert.equal(on.marks().length, 2, 'that of the first sign-out is of no use any more');
  });
});

/** Signs in to another connection and out again. */
async function signInAndOut(window: Window): Promise<void> {
  const { connection } = await saveSignedIn(window, connectionTo('https://b.example.com'), CREDENTIAL);
  await signOutOfConnection(window, connection);
}

/** A secret storage that deletes nothing, like a locked keychain. */
function withoutDeletion(secrets: MemorySecrets): SecretStorage {
  return {
    get: (key) => secrets.get(key),
    store: (key, value) => secrets.store(key, value),
    delete: () => Promise.reject(new Error('locked')),
    onDidChange: secrets.onDidChange,
  };
}

import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { sessionOf, type Connection } from '../../../src/connections/connection.ts';
import { replaceCredential, signInWith } from '../../../src/connections/signIn.ts';
import { readTokenClaims } from '../../../src/service/tokens/tokenClaims.ts';
import { MILLIS_PER_DAY } from '../../../src/time.ts';
import { failureOf } from '../service/clients.ts';
import { interceptedStorage } from './interceptedStorage.ts';
import { tokenUntil } from './tokens.ts';
import {
  addConnection,
  connectionTo,
  openWindow,
  removeFrom,
  sharedStorage,
  type SharedStorage,
  type Window,
} from './window.ts';

const OLD = tokenUntil(Date.now() + MILLIS_PER_DAY);
const NEW = tokenUntil(Date.now() + 30 * MILLIS_PER_DAY);
const OTHER = tokenUntil(Date.now() + 2 * MILLIS_PER_DAY);

interface Machine {
  readonly shared: SharedStorage;
  readonly there: Window;
  /** Signed in with the old token. */
  readonly connection: Connection;
}

async function machine(context: TestContext): Promise<Machine> {
  const shared = await sharedStorage(context);
  const there = await openWindow(shared);
  const origin = { tokenId: 'old', source: 'commandLineFile' } as const;
  return { shared, there, connection: await addConnection(there, connectionTo('https://a.example.com'), OLD, origin) };
}

/** The token that a window has which opens now. */
async function tokenNow({ shared, connection }: Machine): Promise<string | undefined> {
  const { store, credentials } = await openWindow(shared);
  return credentials.read(store.get(connection.id) ?? assert.fail('the connection is gone'));
}

/** A window that another one comes before as it stores the token. */
function slowWindow({ shared }: Machine, meanwhile: () => Promise<unknown>): Promise<Window> {
  return openWindow(
    interceptedStorage(shared, async (write) => {
      if (write === 'secrets.store') await meanwhile();
    }),
  );
}

type ChangeElsewhere = (on: Machine) => Promise<unknown>;

const signOut: ChangeElsewhere = ({ there, connection }) => there.credentials.signOut(connection);
const remove: ChangeElsewhere = ({ there, connection }) => removeFrom(there, connection.id);
const signIn: ChangeElsewhere = ({ there, connection }) => signInWith(there, connection, OTHER);
const rotate: ChangeElsewhere = ({ there, connection }) => replaceCredential(there, connection, OTHER, 'other');
const move: ChangeElsewhere = ({ there, connection }) =>
  there.store.change(connection.id, () => ({ baseUrl: 'https://b.example.com' }));

suite('Replacing a credential', () => {
  test('stores the new token, its ID and its end, for a new session', async (context) => {
    const on = await machine(context);
    const window = await openWindow(on.shared);
    const saved = await replaceCredential(window, on.connection, NEW, 'new');
    assert.deepEqual([await tokenNow(on), await window.credentials.read(saved)], [NEW, NEW]);
    assert.deepEqual(window.store.get(saved.id), saved);
    assert.notEqual(sessionOf(saved), sessionOf(on.connection));
    const { storedAt = 0, ...known } = saved.signIn ?? {};
    assert.deepEqual(known, {
      origin: 'https://a.example.com',
      tokenId: 'new',
      endsAt: readTokenClaims(NEW)?.expiresAtMillis,
    });
    assert.ok(storedAt > (on.connection.signIn?.storedAt ?? Infinity));
  });

  for (const [what, change] of Object.entries({
    'signed out': signOut,
    'signed in': signIn,
    rotated: rotate,
    removed: remove,
    moved: move,
  })) {
    test(`stores nothing if another window has ${what} before`, async (context) => {
      const on = await machine(context);
      const window = await openWindow(on.shared);
      await change(on);
      const before = await on.shared.secrets.get(`credential.${on.connection.id}`);
      const failure = await failureOf(replaceCredential(window, on.connection, NEW, 'new'));
      assert.match(failure.message, /(?:changed|removed) in the meantime/);
      assert.equal(await on.shared.secrets.get(`credential.${on.connection.id}`), before);
    });
  }

  for (const [what, change] of Object.entries({ rotated: rotate, 'signed in': signIn })) {
    test(`leaves one token with all that belongs to it if another window ${what} during the write`, async (context) => {
      const on = await machine(context);
      const window = await slowWindow(on, () => change(on));
      const saved = await replaceCredential(window, on.connection, NEW, 'new');
      assert.deepEqual([await tokenNow(on), saved.signIn?.tokenId], [NEW, 'new']);
      await on.there.credentials.reload();
      assert.deepEqual(on.there.store.get(saved.id)?.signIn, saved.signIn);
    });
  }

  test('leaves the token that another window stores last', async (context) => {
    const on = await machine(context);
    const { store } = on.shared.secrets;
    const secrets = {
      ...on.shared.secrets,
      store: async (key: string, value: string) => {
        await store(key, value);
        await signIn(on);
      },
    };
    const window = await openWindow({ ...on.shared, secrets });
    await replaceCredential(window, on.connection, NEW, 'new').catch(() => undefined);
    assert.equal(await tokenNow(on), OTHER);
    await window.credentials.reload();
    assert.equal(await window.credentials.read(on.connection), OTHER);
  });
});

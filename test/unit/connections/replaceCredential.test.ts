import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { sessionOf, type Connection } from '../../../src/connections/connection.ts';
import type { SecretStorage } from '../../../src/connections/credentialStore.ts';
import { removeConnection } from '../../../src/connections/removal.ts';
import { replaceCredential, saveSignedIn, signOutOfConnection } from '../../../src/connections/signIn.ts';
import { systemNetwork } from '../../../src/service/http/network.ts';
import { readTokenClaims } from '../../../src/service/tokens/tokenClaims.ts';
import { MILLIS_PER_DAY, MILLIS_PER_MINUTE } from '../../../src/time.ts';
import { Memory } from '../memory.ts';
import { failureOf } from '../service/clients.ts';
import { SteppedClock } from '../steppedClock.ts';
import { tokenUntil } from './tokens.ts';
import { connectionTo, sharedStorage, windowOn, type SharedStorage, type Window } from './window.ts';

const OLD = tokenUntil(Date.now() + MILLIS_PER_DAY);
const NEW = tokenUntil(Date.now() + 30 * MILLIS_PER_DAY);

interface Machine {
  readonly shared: SharedStorage;
  /** Signed in with the old token. */
  readonly connection: Connection;
}

async function machine(context: TestContext, more: Partial<Connection> = {}): Promise<Machine> {
  const shared = await sharedStorage(context);
  const window = windowOn(shared);
  const { connection } = await saveSignedIn(window, connectionTo('https://a.example.com', more), OLD);
  return { shared, connection };
}

/** The token that a window has which opens now. */
async function tokenNow({ shared, connection }: Machine): Promise<string | undefined> {
  const { store, credentials } = windowOn(shared);
  await store.load();
  return credentials.read(store.get(connection.id) ?? assert.fail('the connection is gone'));
}

/** Storage that stops at a step: the step before it was the last that happened. */
function stoppingAt(
  step: number,
  { shared }: Machine,
): { readonly storage: SharedStorage; readonly stopped: Promise<void> } {
  let steps = 0;
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const stopOr = <T>(work: () => T): T | Promise<never> => {
    if (++steps === step) resolve();
    return steps < step ? work() : new Promise<never>(() => undefined);
  };
  const memory = new Memory();
  for (const key of shared.memory.keys()) void memory.update(key, shared.memory.get(key));
  memory.update = (key, value) => stopOr(() => shared.memory.update(key, value)) as Promise<void>;
  memory.get = <T>(key: string) => shared.memory.get<T>(key);
  const secrets: SecretStorage = {
    ...shared.secrets,
    get: (key) => stopOr(() => shared.secrets.get(key)) as Promise<string | undefined>,
    store: (key, value) => stopOr(() => shared.secrets.store(key, value)) as Promise<void>,
  };
  return { storage: { ...shared, memory, secrets }, stopped };
}

suite('Replacing a credential', () => {
  test('stores the new token, its ID and its end, for a new session', async (context) => {
    const on = await machine(context, { credentialTokenId: 'old', credentialSource: 'commandLineFile' });
    const window = windowOn(on.shared);
    const saved = await replaceCredential(window, on.connection, NEW, 'new');
    assert.equal(await tokenNow(on), NEW);
    assert.equal(await window.credentials.read(saved), NEW);
    const stored = windowOn(on.shared).store.get(on.connection.id) ?? assert.fail();
    assert.notEqual(stored.credentialId, on.connection.credentialId);
    assert.equal(stored.credentialLife?.credentialId, stored.credentialId);
    assert.deepEqual([stored.credentialTokenId, stored.credentialSource], ['new', undefined]);
    assert.ok(!on.shared.memory.text.includes(NEW) && !on.shared.memory.text.includes(OLD));
  });

  for (const [from, more] of [
    ['this version', {}],
    ['0.1.0, without an ID of its sign-in', { credentialId: undefined }],
  ] as const) {
    test(`of ${from}: interrupted at any step, a token that works is there`, async (context) => {
      const seen = new Set<string | undefined>();
      for (let step = 1, isDone = false; !isDone; step++) {
        const on = await machine(context);
        const connection = { ...on.connection, ...more };
        await on.shared.memory.update(`connection.${connection.id}`, connection);
        const { token, origin } = JSON.parse(
          (await on.shared.secrets.get(`credential.${connection.id}`)) ?? '',
        ) as Record<string, string>;
        const id = connection.credentialId;
        await on.shared.secrets.store(`credential.${connection.id}`, JSON.stringify({ token, origin, id }));
        const { storage, stopped } = stoppingAt(step, on);
        const replaced = replaceCredential(windowOn(storage), connection, NEW, 'new').then(() => true);
        isDone = await Promise.race([replaced, stopped.then(() => false)]);
        const left = await tokenNow(on);
        assert.ok(left === OLD || left === NEW, `nothing after step ${step}`);
        seen.add(left);
      }
      assert.deepEqual([...seen], [OLD, NEW]);
    });
  }

  test('keeps the old token if the keychain refuses the new one', async (context) => {
    const on = await machine(context);
    const store = (): Promise<void> => Promise.reject(new Error('locked'));
    const window = windowOn({ ...on.shared, secrets: { ...on.shared.secrets, store } });
    assert.match((await failureOf(replaceCredential(window, on.connection, NEW, 'new'))).message, /Couldn't save/);
    assert.equal(await tokenNow(on), OLD);
    assert.equal(await window.credentials.read(on.connection), OLD);
    assert.equal(windowOn(on.shared).store.get(on.connection.id)?.credentialId, on.connection.credentialId);
  });

  test('leaves the new token in use if the connection can’t be saved', async (context) => {
    const on = await machine(context);
    const window = windowOn(on.shared);
    window.store.save = () => Promise.reject(new Error('ENOSPC'));
    await assert.rejects(replaceCredential(window, on.connection, NEW, 'new'), /ENOSPC/);
    assert.equal(await tokenNow(on), NEW);
  });

  const elsewhere: readonly (readonly [what: string, change: (there: Window, one: Connection) => Promise<unknown>])[] =
    [
      ['signed out', signOutOfConnection],
      ['removed', (there, { id }) => removeConnection({ ...there, forgetConnection: () => Promise.resolve() }, id)],
    ];
  for (const [what, change] of elsewhere) {
    for (const when of ['before', 'during'] as const) {
      test(`leaves no token if the connection is ${what} in another window ${when} the write`, async (context) => {
        const on = await machine(context);
        const there = windowOn(on.shared);
        await there.store.load();
        const store = async (key: string, value: string): Promise<void> => {
          await change(there, on.connection);
          await on.shared.secrets.store(key, value);
        };
        const here = windowOn(
          when === 'before' ? on.shared : { ...on.shared, secrets: { ...on.shared.secrets, store } },
        );
        await here.store.load();
        if (when === 'before') await change(there, on.connection);
        const failure = await failureOf(replaceCredential(here, on.connection, NEW, 'new'));
        assert.match(failure.message, /(?:changed|removed) in the meantime/);
        assert.equal(await on.shared.secrets.get(`credential.${on.connection.id}`), undefined);
      });
    }
  }

  const OTHER = tokenUntil(Date.now() + 2 * MILLIS_PER_DAY);
  const signedInElsewhere: readonly (readonly [what: string, change: (there: Window, one: Connection) => unknown])[] = [
    ['rotated', (there, one) => replaceCredential(there, one, OTHER, 'other')],
    ['signed in', (there, one) => saveSignedIn(there, one, OTHER)],
  ];
  for (const [what, change] of signedInElsewhere) {
    test(`saves the connection with the token that stays if another window ${what} during the write`, async (context) => {
      const on = await machine(context, { credentialTokenId: 'old' });
      const store = async (key: string, value: string): Promise<void> => {
        await change(windowOn(on.shared), on.connection);
        await on.shared.secrets.store(key, value);
      };
      const here = windowOn({ ...on.shared, secrets: { ...on.shared.secrets, store } });
      const saved = await replaceCredential(here, on.connection, NEW, 'new');
      assert.equal(await tokenNow(on), NEW);
      const stored = windowOn(on.shared).store.get(on.connection.id) ?? assert.fail();
      assert.deepEqual([stored.credentialId, stored.credentialTokenId], [saved.credentialId, 'new']);
      assert.equal(stored.credentialLife?.credentialId, saved.credentialId);
    });
  }

  test('leaves the token that another window stores last', async (context) => {
    const on = await machine(context);
    const store = async (key: string, value: string): Promise<void> => {
      await on.shared.secrets.store(key, value);
      await saveSignedIn(windowOn(on.shared), on.connection, OTHER);
    };
    const here = windowOn({ ...on.shared, secrets: { ...on.shared.secrets, store } });
    await assert.rejects(replaceCredential(here, on.connection, NEW, 'new'), /changed in the meantime/);
    assert.equal(await tokenNow(on), OTHER);
  });

  test('stores no token if another window rotated and then signed out', async (context) => {
    const on = await machine(context);
    const store = async (key: string, value: string): Promise<void> => {
      const there = windowOn(on.shared);
      await signOutOfConnection(there, await replaceCredential(there, on.connection, OTHER, 'other'));
      await on.shared.secrets.store(key, value);
    };
    const here = windowOn({ ...on.shared, secrets: { ...on.shared.secrets, store } });
    await assert.rejects(replaceCredential(here, on.connection, NEW, 'new'), /changed in the meantime/);
    assert.equal(await on.shared.secrets.get(`credential.${on.connection.id}`), undefined);
    assert.equal(await tokenNow(on), undefined);
  });

  test('keeps a name that another window gave meanwhile', async (context) => {
    const on = await machine(context);
    const store = async (key: string, value: string): Promise<void> => {
      await windowOn(on.shared).store.save({ ...on.connection, name: 'Renamed' });
      await on.shared.secrets.store(key, value);
    };
    await replaceCredential(
      windowOn({ ...on.shared, secrets: { ...on.shared.secrets, store } }),
      on.connection,
      NEW,
      'new',
    );
    assert.equal(windowOn(on.shared).store.get(on.connection.id)?.name, 'Renamed');
  });
});

suite('A rotation that ended before it saved the connection', () => {
  async function interrupted(context: TestContext): Promise<Machine> {
    const on = await machine(context, { credentialTokenId: 'old', credentialSource: 'commandLineFile' });
    const window = windowOn(on.shared);
    window.store.save = () => Promise.reject(new Error('ENOSPC'));
    await assert.rejects(replaceCredential(window, on.connection, NEW, 'new'), /ENOSPC/);
    return on;
  }

  /** A window that opens some time later, and lists something there. */
  async function later({ shared, connection }: Machine, millis: number): Promise<Window> {
    const fetch = (): Promise<Response> => Promise.resolve(Response.json({ value: { indexSizes: [] } }));
    const clock = new SteppedClock(Date.now() + millis);
    const window = windowOn(shared, { ...systemNetwork, fetch }, clock);
    await window.services.get(window.store.get(connection.id) ?? assert.fail()).indices.listIndexSizes();
    return window;
  }

  test('is known by the ID and the end of the new token, and drops nothing', async (context) => {
    const on = await interrupted(context);
    const { store, credentials } = await later(on, 5 * MILLIS_PER_MINUTE);
    const stored = store.get(on.connection.id) ?? assert.fail();
    assert.equal(await credentials.read(stored), NEW);
    assert.equal(sessionOf(stored), sessionOf(on.connection));
    assert.deepEqual([stored.credentialTokenId, stored.credentialSource], ['new', undefined]);
    assert.equal(stored.credentialLife?.expiresAt, readTokenClaims(NEW)?.expiresAtMillis);
    const saved = await replaceCredential(windowOn(on.shared), stored, OLD, 'newest');
    assert.deepEqual([await tokenNow(on), saved.credentialTokenId], [OLD, 'newest']);
  });

  test('is left alone while another window may be about to save it; the ID is known at once', async (context) => {
    const on = await interrupted(context);
    const { store, credentials } = await later(on, 0);
    assert.deepEqual(store.get(on.connection.id), on.connection);
    assert.equal(credentials.unsavedReplacement(on.connection)?.tokenId, 'new');
  });
});

suite('The end of a credential of an earlier version', () => {
  test('is learned when the credential is read for a request, once, and drops nothing', async (context) => {
    const on = await machine(context);
    const { credentialLife, ...earlier } = on.connection;
    await on.shared.memory.update(`connection.${earlier.id}`, earlier);
    const fetch = (): Promise<Response> => Promise.resolve(Response.json({ value: { indexSizes: [] } }));
    const window = windowOn(on.shared, { ...systemNetwork, fetch });
    const service = window.services.get(earlier);
    await service.indices.listIndexSizes();
    const learned = window.store.get(earlier.id);
    assert.deepEqual(learned?.credentialLife, { ...credentialLife, since: learned?.credentialLife?.since });
    assert.equal(learned?.credentialId, earlier.credentialId);
    assert.equal(window.services.get(earlier), service, 'the service was closed');
  });
});

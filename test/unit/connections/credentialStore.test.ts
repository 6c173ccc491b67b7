import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { isSignedIn, sessionOf, type Connection } from '../../../src/connections/connection.ts';
import type { SecretStorage } from '../../../src/connections/credentialStore.ts';
import { signInWith } from '../../../src/connections/signIn.ts';
import { systemNetwork } from '../../../src/service/http/network.ts';
import { MILLIS_PER_DAY } from '../../../src/time.ts';
import { Memory } from '../memory.ts';
import { failureOf } from '../service/clients.ts';
import { SteppedClock } from '../steppedClock.ts';
import { recordedStorage, refusing } from './interceptedStorage.ts';
import { memorySecrets } from './secretStorage.ts';
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

const ADDRESS = 'https://a.example.com';
const NOW = 1_790_000_000_000;
const TOKEN = tokenUntil(NOW + MILLIS_PER_DAY);
const ANOTHER = tokenUntil(NOW + 30 * MILLIS_PER_DAY);

interface Machine {
  readonly shared: SharedStorage;
  readonly clock: SteppedClock;
  readonly window: Window;
  /** Signed in there. */
  readonly connection: Connection;
}

/** @param token Null: signed out. */
async function machine(context: TestContext, token: string | null = TOKEN): Promise<Machine> {
  const shared = await sharedStorage(context);
  const clock = new SteppedClock(NOW);
  const window = await openWindow(shared, systemNetwork, clock);
  return { shared, clock, window, connection: await addConnection(window, connectionTo(ADDRESS), token ?? undefined) };
}

function keyOf({ id }: Connection): string {
  return `credential.${id}`;
}

/** What a window reads that opens now. */
async function readLater(shared: SharedStorage, { id }: Connection): Promise<string | undefined> {
  const { store, credentials } = await openWindow(shared);
  return credentials.read(store.get(id) ?? assert.fail('the connection is gone'));
}

/** Everything stored outside the secret storage, as text. */
async function textOf({ path, memory }: SharedStorage): Promise<string> {
  const names = (await readdir(path, { recursive: true })).filter((name) => name.endsWith('.json'));
  const files = await Promise.all(names.map((name) => readFile(join(path, name), 'utf8')));
  return [memory.text, ...files].join('\n');
}

/** Changes are reported a turn later. */
function reported(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

suite('A credential', () => {
  test('is one secret with all that belongs to its token, of which there is a copy without it', async (context) => {
    const { shared, window, connection } = await machine(context, null);
    await window.credentials.store(connection, TOKEN, { tokenId: 'x', source: 'commandLineFile' });
    const signIn = {
      origin: ADDRESS,
      storedAt: NOW,
      tokenId: 'x',
      endsAt: NOW + MILLIS_PER_DAY,
      source: 'commandLineFile',
    };
    const stored = await shared.secrets.get(keyOf(connection));
    assert.deepEqual(JSON.parse(stored ?? ''), { token: TOKEN, ...signIn });
    assert.deepEqual(window.store.get(connection.id)?.signIn, signIn);
    assert.deepEqual(shared.memory.get(`signIn.${connection.id}`), signIn);
    const text = await textOf(shared);
    assert.ok(text.length > 100 && !text.includes(TOKEN) && !text.includes(TOKEN.slice(-12)));
  });

  test('says that it is a session’s, which can’t be rotated, and nothing of an opaque token', async (context) => {
    const { window, connection } = await machine(context, tokenUntil(undefined, 'datahub', 'SESSION'));
    assert.deepEqual([connection.signIn?.isSession, connection.signIn?.endsAt], [true, undefined]);
    await window.credentials.store(connection, 'opaque');
    assert.deepEqual(window.store.get(connection.id)?.signIn, { origin: ADDRESS, storedAt: NOW + 1 });
  });

  const secretOf = (more: object): string => JSON.stringify({ token: TOKEN, origin: ADDRESS, storedAt: NOW, ...more });
  for (const [what, secret] of Object.entries({
    'without a time': secretOf({ storedAt: undefined }),
    'of an earlier version': JSON.stringify({ token: TOKEN, origin: ADDRESS, id: crypto.randomUUID() }),
    'of another origin': secretOf({ origin: 'https://b.example.com' }),
    'of the same host over plain HTTP': secretOf({ origin: 'http://a.example.com' }),
    'with no token': secretOf({ token: '' }),
    'of a source that only a later version knows': secretOf({ source: 'elsewhere' }),
    'that is the token alone': TOKEN,
  })) {
    test(`is none in a secret ${what}`, async (context) => {
      const { shared, connection } = await machine(context, null);
      await shared.secrets.store(keyOf(connection), secret);
      const { store, credentials } = await openWindow(shared);
      assert.equal(await credentials.read(connection), undefined);
      assert.equal(store.get(connection.id)?.signIn, undefined);
    });
  }

  test('is read from the secret storage once, and again if that failed', async (context) => {
    const { shared, connection } = await machine(context);
    let readings = 0;
    let fails = true;
    const get = (key: string): Thenable<string | undefined> => {
      readings++;
      return fails ? Promise.reject(new Error('locked')) : shared.secrets.get(key);
    };
    const { credentials } = await openWindow({ ...shared, secrets: { ...shared.secrets, get } });
    assert.match((await failureOf(credentials.read(connection))).message, /Couldn't read the access token/);
    fails = false;
    assert.deepEqual(await Promise.all([1, 2].map(() => credentials.read(connection))), [TOKEN, TOKEN]);
    assert.equal(await credentials.read(connection), TOKEN);
    assert.equal(readings, 2);
  });
});

suite('The copy of what is known of a credential', () => {
  test('is corrected when the secret is read', async (context) => {
    const { shared, connection } = await machine(context);
    const key = `signIn.${connection.id}`;
    for (const wrong of [undefined, { ...connection.signIn, storedAt: 1 }, { damaged: true }]) {
      await shared.memory.update(key, wrong);
      const { store, credentials } = await openWindow(shared);
      assert.equal(await credentials.read(store.get(connection.id) ?? assert.fail()), TOKEN);
      assert.deepEqual(store.get(connection.id)?.signIn, connection.signIn);
      assert.deepEqual(shared.memory.get(key), JSON.parse(JSON.stringify(connection.signIn)));
    }
    const { store, credentials } = await openWindow({ ...shared, secrets: memorySecrets() });
    assert.deepEqual(store.get(connection.id)?.signIn, connection.signIn, 'it is believed until the secret is read');
    assert.equal(await credentials.read(connection), undefined);
    assert.deepEqual([store.get(connection.id)?.signIn, shared.memory.get(key)], [undefined, undefined]);
  });
});

suite('A sign-out', () => {
  test('is written into the file before the secret is deleted', async (context) => {
    const { shared, connection } = await machine(context);
    const { storage, writes } = recordedStorage(shared);
    const { store, credentials } = await openWindow(storage);
    await credentials.signOut(connection);
    assert.deepEqual(
      writes.filter((write) => write !== 'memory.update'),
      ['connections.put', 'secrets.delete'],
    );
    assert.equal(await shared.secrets.get(keyOf(connection)), undefined);
    assert.ok((store.get(connection.id)?.signedOutAt ?? 0) > NOW);
    assert.equal(await readLater(shared, connection), undefined);
  });

  test('makes none of a secret that an old window writes back later, which is replaced by a sign-in', async (context) => {
    const { shared, window, connection } = await machine(context);
    const old = (await shared.secrets.get(keyOf(connection))) ?? assert.fail();
    await window.credentials.signOut(connection);
    await shared.secrets.store(keyOf(connection), old);
    await reported();
    assert.equal(await window.credentials.read(connection), undefined);
    assert.equal(await window.credentials.hasEnded(connection), true);
    assert.equal(await readLater(shared, connection), undefined);
    await signInWith(window, connection, ANOTHER);
    assert.equal(await readLater(shared, connection), ANOTHER);
  });

  test('holds everywhere even if the secret can’t be deleted, and says so', async (context) => {
    const { shared, window, connection } = await machine(context);
    const { credentials } = await openWindow(refusing(shared, 'secrets.delete'));
    const failure = await failureOf(credentials.signOut(connection));
    assert.match(failure.message, /Couldn't delete the access token/);
    assert.match(failure.next ?? '', /revoke the token on the server/);
    await window.store.reload();
    assert.equal(await window.credentials.read(connection), undefined);
    assert.equal(await credentials.read(connection), undefined);
    assert.equal(await readLater(shared, connection), undefined);
    assert.equal(await shared.secrets.get(keyOf(connection)), undefined, 'the next reading deletes it');
  });

  test('deletes the secret even if the file can’t be written, and says that other windows may not know', async (context) => {
    const { shared, connection } = await machine(context);
    const { credentials } = await openWindow(refusing(shared, 'connections.put'));
    const failure = await failureOf(credentials.signOut(connection));
    assert.match(failure.advice, /^Deleted the access token, but .* one in a browser may still use the token\.$/);
    assert.equal(await shared.secrets.get(keyOf(connection)), undefined);
    assert.equal(await credentials.read(connection), undefined);
  });

  test('counts even if an edit in another window takes it back at the same moment', async (context) => {
    const { shared, connection } = await machine(context);
    const file = join(shared.path, 'connections', `${connection.id}.json`);
    const stored = await readFile(file, 'utf8');
    const deleting = {
      ...shared.secrets,
      delete: async (key: string) => {
        await shared.secrets.delete(key);
        await writeFile(file, stored);
      },
    };
    const there = await openWindow({ ...shared, secrets: deleting });
    await there.credentials.signOut(connection);
    assert.match(await readFile(file, 'utf8'), /"signedOutAt":\d+/);
  });

  test('of another window is noticed when this one reads the files, and announced once', async (context) => {
    const { shared, window, connection } = await machine(context);
    const there = await openWindow({ ...shared, secrets: memorySecrets() });
    const signedOut: string[] = [];
    window.credentials.onDidSignOut((id) => signedOut.push(id));
    await there.credentials.signOut(connection);
    assert.equal(await window.credentials.read(connection), TOKEN);
    await window.store.reload();
    await window.store.reload();
    assert.deepEqual([await window.credentials.read(connection), signedOut], [undefined, [connection.id]]);
  });

  test('of a connection that is gone deletes its secret', async (context) => {
    const { shared, window, connection } = await machine(context);
    const late = await openWindow(shared);
    await removeFrom(window, connection.id);
    await shared.secrets.store(keyOf(connection), 'written back');
    await late.credentials.signOut(connection);
    assert.equal(await shared.secrets.get(keyOf(connection)), undefined);
    assert.deepEqual(await readdir(join(shared.path, 'connections')), []);
  });
});

suite('The times of sign-ins and sign-outs', () => {
  test('are each later than the one before, whatever the clock says and whichever window is used', async (context) => {
    const { shared, clock, window, connection } = await machine(context);
    const old = (await shared.secrets.get(keyOf(connection))) ?? assert.fail();
    const other = await openWindow(shared, systemNetwork, clock);
    const times: number[] = [connection.signIn?.storedAt ?? assert.fail()];
    for (const [at, now] of [NOW, NOW - 5, 1, NOW + 7, NOW - MILLIS_PER_DAY, NOW].entries()) {
      clock.set(now);
      // Each twice: two sign-outs in a row, and two tokens.
      for (const { store, credentials } of at % 3 === 0 ? [window, other] : [other, window]) {
        const before = (await store.getFresh(connection.id)) ?? assert.fail();
        const signsOut = at % 2 === 0;
        await (signsOut ? credentials.signOut(before) : signInWith({ store, credentials }, before, TOKEN));
        const { signIn, signedOutAt } = store.get(connection.id) ?? assert.fail();
        times.push((signsOut ? signedOutAt : signIn?.storedAt) ?? assert.fail());
        assert.equal(await readLater(shared, connection), signsOut ? undefined : TOKEN);
      }
    }
    await window.store.reload();
    await window.credentials.signOut(connection);
    await shared.secrets.store(keyOf(connection), old);
    assert.equal(await readLater(shared, connection), undefined, 'what was stored before all of them counts again');
    assert.deepEqual(
      times,
      [...new Set(times)].toSorted((a, b) => a - b),
    );
  });
});

suite('A rotation', () => {
  test('that fails leaves the former token, and what is known of it', async (context) => {
    const { shared, connection } = await machine(context);
    const { store, credentials } = await openWindow(refusing(shared, 'secrets.store'));
    for (const isRead of [false, true]) {
      if (isRead) assert.equal(await credentials.read(connection), TOKEN);
      const failure = await failureOf(credentials.store(connection, ANOTHER, { tokenId: 'new' }));
      assert.match(failure.message, /Couldn't save the access token/);
      assert.deepEqual(store.get(connection.id)?.signIn, connection.signIn);
      assert.equal(await credentials.hasEnded(store.get(connection.id) ?? assert.fail()), false);
    }
    assert.equal(await credentials.read(connection), TOKEN);
    assert.equal(await readLater(shared, connection), TOKEN);
  });
});

suite('A credential in another window', () => {
  test('is noticed when VS Code reports it, or when this window looks', async (context) => {
    for (const isReported of [true, false]) {
      const { shared, window, connection } = await machine(context);
      const onDidChange = isReported ? shared.secrets.onDidChange : () => ({ dispose: () => undefined });
      const here = await openWindow({ ...shared, memory: new Memory(), secrets: { ...shared.secrets, onDidChange } });
      assert.equal(await here.credentials.read(connection), TOKEN);
      const told: string[] = [];
      here.credentials.onDidChange((id) => told.push(`changed ${id}`));
      here.credentials.onDidSignOut((id) => told.push(`signed out ${id}`));
      await reported();
      await signInWith(window, connection, ANOTHER);
      await (isReported ? reported() : here.credentials.reload());
      await reported();
      assert.equal(await here.credentials.read(connection), ANOTHER);
      assert.deepEqual(told, [`changed ${connection.id}`]);
      assert.deepEqual(here.store.get(connection.id)?.signIn, window.store.get(connection.id)?.signIn);
      const signedOut: string[] = [];
      window.credentials.onDidSignOut((id) => signedOut.push(id));
      await window.credentials.delete(connection.id);
      assert.deepEqual(signedOut, [connection.id]);
      await (isReported ? reported() : here.credentials.reload());
      await reported();
      assert.equal(await here.credentials.read(connection), undefined);
      assert.deepEqual(told.slice(1), [`changed ${connection.id}`, `signed out ${connection.id}`]);
    }
  });

  test('that is stored again as it was drops nothing', async (context) => {
    const { shared, window, connection } = await machine(context);
    assert.equal(await window.credentials.read(connection), TOKEN);
    await reported();
    let told = 0;
    window.credentials.onDidChange(() => told++);
    await shared.secrets.store(keyOf(connection), (await shared.secrets.get(keyOf(connection))) ?? '');
    await reported();
    await window.credentials.reload();
    assert.equal(told, 0);
  });
});

suite('Two browsers, which share the files alone', () => {
  async function browsers(
    context: TestContext,
  ): Promise<{ readonly here: Window; readonly there: Window; readonly connection: Connection }> {
    const shared = await sharedStorage(context);
    const here = await openWindow(shared);
    const connection = await addConnection(here, connectionTo(ADDRESS), TOKEN);
    return {
      here,
      there: await openWindow({ ...shared, memory: new Memory(), secrets: memorySecrets() }),
      connection,
    };
  }

  test('don’t sign each other in, and keep their own tokens when one renames the connection or rotates', async (context) => {
    const { here, there, connection } = await browsers(context);
    const inOther = there.store.get(connection.id) ?? assert.fail();
    assert.deepEqual([inOther.signIn, await there.credentials.read(inOther)], [undefined, undefined]);
    await signInWith(there, inOther, ANOTHER, { user: 'urn:li:corpuser:admin' });
    assert.equal(there.store.get(connection.id)?.actorUrn, 'urn:li:corpuser:admin');
    await there.store.change(connection.id, () => ({ name: 'Renamed' }));
    const rotated = tokenUntil(undefined);
    await there.credentials.store(there.store.get(connection.id) ?? assert.fail(), rotated, { tokenId: 'x' });
    await here.store.reload();
    assert.deepEqual(here.store.get(connection.id), { ...connection, name: 'Renamed' });
    assert.deepEqual(
      [await here.credentials.read(connection), await there.credentials.read(connection)],
      [TOKEN, rotated],
    );
  });

  test('are both signed out by either, and can each sign in again', async (context) => {
    const { here, there, connection } = await browsers(context);
    await there.credentials.signOut(there.store.get(connection.id) ?? assert.fail());
    await here.store.reload();
    assert.equal(await here.credentials.read(connection), undefined);
    await signInWith(here, here.store.get(connection.id) ?? assert.fail(), ANOTHER);
    assert.equal(await here.credentials.read(connection), ANOTHER);
    assert.equal(await there.credentials.read(connection), undefined);
  });
});

suite('Additional headers', () => {
  const HEADERS = { 'CF-Access-Client-Id': 'id.access', 'CF-Access-Client-Secret': 'of-the-gateway' };

  test('live with the token, survive a new one and a rotation, and end with the sign-out', async (context) => {
    const { shared, window, connection } = await machine(context);
    const { store, credentials } = window;
    const now = (): Connection => store.get(connection.id) ?? assert.fail();
    await signInWith(window, now(), TOKEN, {}, HEADERS);
    await signInWith(window, now(), ANOTHER);
    assert.deepEqual((await credentials.readSecrets(now())).headers, HEADERS);
    await credentials.store(now(), TOKEN, {});
    const late = await openWindow(shared);
    assert.deepEqual((await late.credentials.readSecrets(connection)).headers, HEADERS);
    assert.equal(await late.credentials.read(connection), TOKEN);
    await credentials.signOut(now());
    assert.equal(await shared.secrets.get(keyOf(connection)), undefined);
    assert.deepEqual(await credentials.readSecrets(now()), { token: undefined, headers: undefined });
  });

  test('that change alone keep what is known of the token, and begin a new session', async (context) => {
    const { window, connection } = await machine(context, null);
    const now = (): Connection => window.store.get(connection.id) ?? assert.fail();
    await signInWith(window, connection, TOKEN, { tokenId: 'x', source: 'commandLineFile' });
    const { storedAt, ...before } = now().signIn ?? assert.fail();
    await signInWith(window, now(), TOKEN, now().signIn, HEADERS);
    const { storedAt: later, ...after } = now().signIn ?? assert.fail();
    assert.deepEqual(after, { ...before, headerNames: Object.keys(HEADERS) });
    assert.ok(later > storedAt);
  });

  test('are not lost to a sign-in while they cannot be read', async (context) => {
    const { shared, window, connection } = await machine(context);
    await signInWith(window, connection, TOKEN, {}, HEADERS);
    let isLocked = true;
    const get = (key: string): Promise<string | undefined> =>
      isLocked ? Promise.reject(new Error('locked')) : Promise.resolve(shared.secrets.get(key));
    const late = await openWindow({ ...shared, secrets: { ...shared.secrets, get } });
    const now = (): Connection => late.store.get(connection.id) ?? assert.fail();
    assert.equal((await failureOf(signInWith(late, now(), ANOTHER))).kind, 'storage');
    isLocked = false;
    assert.deepEqual(await late.credentials.readSecrets(now()), { token: TOKEN, headers: HEADERS });
  });

  test('are a secret of their own without a token, with which nobody is signed in', async (context) => {
    const { shared, window, connection } = await machine(context, null);
    await signInWith(window, connection, undefined, {}, HEADERS);
    const stored = window.store.get(connection.id) ?? assert.fail();
    assert.ok(!isSignedIn(stored));
    assert.equal(await window.credentials.read(stored), undefined);
    assert.deepEqual((await (await openWindow(shared)).credentials.readSecrets(connection)).headers, HEADERS);
    await signInWith(window, stored, TOKEN);
    assert.ok(isSignedIn(window.store.get(connection.id) ?? assert.fail()));
    assert.deepEqual((await window.credentials.readSecrets(stored)).headers, HEADERS);
  });

  test('belong to the origin, and only their names are kept elsewhere', async (context) => {
    const { shared, window, connection } = await machine(context);
    await signInWith(window, connection, TOKEN, {}, HEADERS);
    const stored = window.store.get(connection.id) ?? assert.fail();
    assert.deepEqual(stored.signIn?.headerNames, Object.keys(HEADERS));
    assert.doesNotMatch(await textOf(shared), /of-the-gateway|id\.access/);
    const elsewhere = await window.credentials.readSecrets({ ...stored, baseUrl: 'https://b.example.com' });
    assert.deepEqual(elsewhere, { token: undefined, headers: undefined });
  });
});

suite('A secret storage that answers late', () => {
  test('has a sign-out meanwhile count', async (context) => {
    const { shared, window, connection } = await machine(context);
    const held = Promise.withResolvers<void>();
    const late = await openWindow({ ...shared, secrets: answeringAfter(held.promise, shared) });
    const reading = late.credentials.read(connection);
    await window.credentials.signOut(connection);
    await late.store.reload();
    held.resolve();
    assert.equal(await reading, undefined);
  });

  test('has what this window stored meanwhile count', async (context) => {
    const { shared, clock, connection } = await machine(context);
    const held = Promise.withResolvers<void>();
    const slow = { ...shared, secrets: answeringAfter(held.promise, shared) };
    const window = await openWindow(slow, systemNetwork, clock);
    const reading = window.credentials.read(connection);
    const signingIn = signInWith(window, connection, ANOTHER);
    held.resolve();
    await Promise.all([reading, signingIn]);
    assert.equal(window.store.get(connection.id)?.signIn?.storedAt, NOW + 1);
    assert.equal(await window.credentials.read(connection), ANOTHER);
  });

  function answeringAfter(until: Promise<void>, { secrets }: SharedStorage): SecretStorage {
    const get = async (key: string): Promise<string | undefined> => {
      const stored = await secrets.get(key);
      await until;
      return stored;
    };
    return { ...secrets, get };
  }
});

suite('The user of a connection', () => {
  const JDOE = 'urn:li:corpuser:jdoe';
  const ADMIN = 'urn:li:corpuser:admin';

  test('is that of its token, and the typed one while signed out', async (context) => {
    const { shared, window, connection } = await machine(context, null);
    const { id, typedUser } = connection;
    assert.equal(connection.actorUrn, typedUser);
    await signInWith(window, connection, TOKEN, { user: JDOE });
    assert.equal(window.store.get(id)?.actorUrn, JDOE);
    const later = await openWindow(shared);
    assert.equal(later.store.get(id)?.actorUrn, JDOE);
    await window.credentials.signOut(window.store.get(id) ?? assert.fail());
    assert.equal(window.store.get(id)?.actorUrn, typedUser);
    await window.store.change(id, () => ({ typedUser: undefined }));
    await signInWith(window, window.store.get(id) ?? assert.fail(), TOKEN);
    assert.equal(window.store.get(id)?.actorUrn, undefined, 'the server has not said it');
  });

  test('is learned from the server for the token alone, and ends nothing', async (context) => {
    const { shared, window, connection } = await machine(context);
    const before = sessionOf(connection);
    await window.credentials.learnUser(connection.id, ADMIN);
    const learned = window.store.get(connection.id) ?? assert.fail();
    assert.equal(learned.actorUrn, ADMIN);
    assert.equal(sessionOf(learned), before);
    await window.credentials.read(learned);
    assert.equal(window.store.get(connection.id)?.actorUrn, ADMIN, 'reading the secret does not undo it');
    assert.doesNotMatch((await shared.secrets.get(keyOf(connection))) ?? '', /admin/);
    await signInWith(window, learned, ANOTHER);
    assert.notEqual(window.store.get(connection.id)?.actorUrn, ADMIN);
  });
});

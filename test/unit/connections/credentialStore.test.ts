import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { isSignedIn, sessionOf, type Connection } from '../../../src/connections/connection.ts';
import { signInWith } from '../../../src/connections/signIn.ts';
import { MILLIS_PER_DAY } from '../../../src/time.ts';
import { Memory } from '../memory.ts';
import { failureOf } from '../service/clients.ts';
import { recordedStorage, refusing } from './interceptedStorage.ts';
import { memorySecrets, reported } from './secretStorage.ts';
import { tokenUntil } from './tokens.ts';
import { knownTo, machine, secretOf, type Machine, type SharedStorage, type Window } from './window.ts';

const ADDRESS = 'https://a.example.com';
const NOW = 1_790_000_000_000;
const TOKEN = tokenUntil(NOW + MILLIS_PER_DAY);
const ANOTHER = tokenUntil(NOW + 30 * MILLIS_PER_DAY);

function keyOf({ id }: Connection): string {
  return `credential.${id}`;
}

async function readLater({ open, connection }: Machine): Promise<string | undefined> {
  const later = await open();
  return later.credentials.read(knownTo(later, connection));
}

/** Everything stored outside the secret storage, as text. */
async function textOf({ path, memory }: SharedStorage): Promise<string> {
  const names = (await readdir(path, { recursive: true })).filter((name) => name.endsWith('.json'));
  const files = await Promise.all(names.map((name) => readFile(join(path, name), 'utf8')));
  return [memory.text, ...files].join('\n');
}

suite('A credential', () => {
  test('is one secret with all that belongs to its token, of which there is a copy without it', async (context) => {
    const { shared, window, connection } = await machine(context);
    await window.credentials.store(connection, TOKEN, { tokenId: 'x', source: 'commandLineFile' });
    const signIn = {
      origin: ADDRESS,
      storedAt: NOW,
      tokenId: 'x',
      endsAt: NOW + MILLIS_PER_DAY,
      source: 'commandLineFile',
    };
    assert.deepEqual(JSON.parse((await secretOf(shared, connection)) ?? ''), { token: TOKEN, ...signIn });
    assert.deepEqual(knownTo(window, connection).signIn, signIn);
    assert.deepEqual(shared.memory.get(`signIn.${connection.id}`), signIn);
    const text = await textOf(shared);
    assert.ok(text.length > 100 && !text.includes(TOKEN) && !text.includes(TOKEN.slice(-12)));
  });

  test('says that it is a session’s, which can’t be rotated, and nothing of an opaque token', async (context) => {
    const { window, connection } = await machine(context, tokenUntil(undefined, 'datahub', 'SESSION'));
    assert.deepEqual([connection.signIn?.isSession, connection.signIn?.endsAt], [true, undefined]);
    await window.credentials.store(connection, 'opaque');
    assert.deepEqual(knownTo(window, connection).signIn, { origin: ADDRESS, storedAt: NOW + 1 });
  });

  const secretWith = (more: object): string =>
    JSON.stringify({ token: TOKEN, origin: ADDRESS, storedAt: NOW, ...more });
  for (const [what, secret] of Object.entries({
    'without a time': secretWith({ storedAt: undefined }),
    'of an earlier version': JSON.stringify({ token: TOKEN, origin: ADDRESS, id: crypto.randomUUID() }),
    'of another origin': secretWith({ origin: 'https://b.example.com' }),
    'of the same host over plain HTTP': secretWith({ origin: 'http://a.example.com' }),
    'with no token': secretWith({ token: '' }),
    'of a source that only a later version knows': secretWith({ source: 'elsewhere' }),
    'that is the token alone': TOKEN,
  })) {
    test(`is none in a secret ${what}`, async (context) => {
      const { shared, connection, open } = await machine(context);
      await shared.secrets.store(keyOf(connection), secret);
      const window = await open();
      assert.equal(await window.credentials.read(connection), undefined);
      assert.equal(knownTo(window, connection).signIn, undefined);
    });
  }

  test('is read from the secret storage once, and again if that failed', async (context) => {
    const { shared, connection, open } = await machine(context, TOKEN);
    let readings = 0;
    let fails = true;
    const get = (key: string): Thenable<string | undefined> => {
      readings++;
      return fails ? Promise.reject(new Error(`locked: ${TOKEN}`)) : shared.secrets.get(key);
    };
    const { credentials } = await open({ secrets: { ...shared.secrets, get } });
    const failure = await failureOf(credentials.read(connection));
    assert.match(failure.message, /Couldn't read the access token/);
    assert.ok(!JSON.stringify([failure, failure.stack]).includes(TOKEN));
    fails = false;
    assert.deepEqual(await Promise.all([1, 2].map(() => credentials.read(connection))), [TOKEN, TOKEN]);
    assert.equal(await credentials.read(connection), TOKEN);
    assert.equal(readings, 2);
  });
});

test('The copy of what is known of a credential is corrected when the secret is read', async (context) => {
  const { shared, connection, open } = await machine(context, TOKEN);
  const key = `signIn.${connection.id}`;
  for (const wrong of [undefined, { ...connection.signIn, storedAt: 1 }, { damaged: true }]) {
    await shared.memory.update(key, wrong);
    const window = await open();
    assert.equal(await window.credentials.read(knownTo(window, connection)), TOKEN);
    assert.deepEqual(knownTo(window, connection).signIn, connection.signIn);
    assert.deepEqual(shared.memory.get(key), JSON.parse(JSON.stringify(connection.signIn)));
  }
  const window = await open({ secrets: memorySecrets() });
  assert.deepEqual(knownTo(window, connection).signIn, connection.signIn, 'it is believed until the secret is read');
  assert.equal(await window.credentials.read(connection), undefined);
  assert.deepEqual([knownTo(window, connection).signIn, shared.memory.get(key)], [undefined, undefined]);
});

suite('A sign-out', () => {
  test('is written into the file before the secret is deleted', async (context) => {
    const { shared, connection, open } = await machine(context, TOKEN);
    const { storage, writes } = recordedStorage(shared);
    await (await open(storage)).credentials.signOut(connection);
    assert.deepEqual(
      writes.filter((write) => write !== 'memory.update'),
      ['connections.put', 'secrets.delete'],
    );
  });

  test('makes none of a secret that an old window writes back later, which is replaced by a sign-in', async (context) => {
    const on = await machine(context, TOKEN);
    const { shared, window, connection } = on;
    const old = (await secretOf(shared, connection)) ?? assert.fail();
    await window.credentials.signOut(connection);
    await shared.secrets.store(keyOf(connection), old);
    await reported();
    assert.equal(await window.credentials.read(connection), undefined);
    assert.equal(await window.credentials.hasEnded(connection), true);
    assert.equal(await readLater(on), undefined);
    await signInWith(window, connection, ANOTHER);
    assert.equal(await readLater(on), ANOTHER);
  });

  for (const [refused, says] of [
    ['secrets.delete', /^Couldn't delete the access token .* revoke the token on the server/],
    ['connections.put', /^Deleted the access token, but .* one in a browser may still use the token\.$/],
  ] as const) {
    test(`holds everywhere even if one of its writes fails, and says so: ${refused}`, async (context) => {
      const { shared, window, connection, open } = await machine(context, TOKEN);
      const failing = await open(refusing(shared, refused));
      assert.match((await failureOf(failing.credentials.signOut(connection))).advice, says);
      await Promise.all([window.store.reload(), window.credentials.reload()]);
      for (const { credentials } of [failing, window, await open()]) {
        assert.equal(await credentials.read(connection), undefined);
      }
      assert.equal(await secretOf(shared, connection), undefined, 'the next reading deletes it');
    });
  }

  test('of another window is noticed when this one reads the files, and announced once', async (context) => {
    const { window, connection, open } = await machine(context, TOKEN);
    const signedOut: string[] = [];
    window.credentials.onDidSignOut((id) => signedOut.push(id));
    await (await open({ secrets: memorySecrets() })).credentials.signOut(connection);
    assert.equal(await window.credentials.read(connection), TOKEN);
    await window.store.reload();
    await window.store.reload();
    assert.deepEqual([await window.credentials.read(connection), signedOut], [undefined, [connection.id]]);
  });
});

test('Sign-ins and sign-outs count in their order, in each window, though the clock was set back', async (context) => {
  const on = await machine(context, TOKEN);
  const other = await on.open();
  for (const [at, { store, credentials }] of [other, on.window, on.window, other, other].entries()) {
    on.clock.set(NOW - at * MILLIS_PER_DAY);
    const before = (await store.getFresh(on.connection.id)) ?? assert.fail();
    const signsOut = at % 2 === 0;
    await (signsOut ? credentials.signOut(before) : signInWith({ store, credentials }, before, TOKEN));
    assert.equal(await readLater(on), signsOut ? undefined : TOKEN);
  }
});

test('A rotation that fails leaves the former token, and what is known of it', async (context) => {
  const on = await machine(context, TOKEN);
  const { shared, connection } = on;
  const window = await on.open(refusing(shared, 'secrets.store'));
  const { credentials } = window;
  for (const isRead of [false, true]) {
    if (isRead) assert.equal(await credentials.read(connection), TOKEN);
    const failure = await failureOf(credentials.store(connection, ANOTHER, { tokenId: 'new' }));
    assert.match(failure.message, /Couldn't save the access token/);
    assert.deepEqual(knownTo(window, connection).signIn, connection.signIn);
    assert.equal(await credentials.hasEnded(knownTo(window, connection)), false);
  }
  assert.equal(await credentials.read(connection), TOKEN);
  assert.equal(await readLater(on), TOKEN);
});

suite('A credential in another window', () => {
  for (const isReported of [true, false]) {
    test(`is noticed when ${isReported ? 'VS Code reports it' : 'this window looks'}`, async (context) => {
      const { shared, window, connection, open } = await machine(context, TOKEN);
      const onDidChange = isReported ? shared.secrets.onDidChange : () => ({ dispose: () => undefined });
      const here = await open({ memory: new Memory(), secrets: { ...shared.secrets, onDidChange } });
      const look = (): Promise<void> => (isReported ? reported() : here.credentials.reload());
      assert.equal(await here.credentials.read(connection), TOKEN);
      const told: string[] = [];
      here.credentials.onDidChange((id) => told.push(`changed ${id}`));
      here.credentials.onDidSignOut((id) => told.push(`signed out ${id}`));
      await reported();
      await signInWith(window, connection, ANOTHER);
      await look();
      await reported();
      assert.equal(await here.credentials.read(connection), ANOTHER);
      assert.deepEqual(told, [`changed ${connection.id}`]);
      assert.deepEqual(knownTo(here, connection).signIn, knownTo(window, connection).signIn);
      const signedOut: string[] = [];
      window.credentials.onDidSignOut((id) => signedOut.push(id));
      await window.credentials.delete(connection.id);
      assert.deepEqual(signedOut, [connection.id]);
      await look();
      await reported();
      assert.equal(await here.credentials.read(connection), undefined);
      assert.deepEqual(told.slice(1), [`changed ${connection.id}`, `signed out ${connection.id}`]);
    });
  }

  test('that is stored again as it was drops nothing', async (context) => {
    const { shared, window, connection } = await machine(context, TOKEN);
    assert.equal(await window.credentials.read(connection), TOKEN);
    await reported();
    let told = 0;
    window.credentials.onDidChange(() => told++);
    await shared.secrets.store(keyOf(connection), (await secretOf(shared, connection)) ?? '');
    await reported();
    await window.credentials.reload();
    assert.equal(told, 0);
  });
});

suite('Two browsers, which share the files alone', () => {
  async function browsers(
    context: TestContext,
  ): Promise<{ readonly here: Window; readonly there: Window; readonly connection: Connection }> {
    const { window, connection, open } = await machine(context, TOKEN);
    return { here: window, there: await open({ memory: new Memory(), secrets: memorySecrets() }), connection };
  }

  test('don’t sign each other in, and keep their own tokens when one renames the connection or rotates', async (context) => {
    const { here, there, connection } = await browsers(context);
    const inOther = knownTo(there, connection);
    assert.deepEqual([inOther.signIn, await there.credentials.read(inOther)], [undefined, undefined]);
    await signInWith(there, inOther, ANOTHER, { user: 'urn:li:corpuser:admin' });
    assert.equal(knownTo(there, connection).actorUrn, 'urn:li:corpuser:admin');
    await there.store.change(connection.id, () => ({ name: 'Renamed' }));
    const rotated = tokenUntil(undefined);
    await there.credentials.store(knownTo(there, connection), rotated, { tokenId: 'x' });
    await here.store.reload();
    assert.deepEqual(knownTo(here, connection), { ...connection, name: 'Renamed' });
    assert.deepEqual(
      [await here.credentials.read(connection), await there.credentials.read(connection)],
      [TOKEN, rotated],
    );
  });
});

suite('Additional headers', () => {
  const HEADERS = { 'CF-Access-Client-Id': 'id.access', 'CF-Access-Client-Secret': 'of-the-gateway' };

  test('live with the token, survive a new one and a rotation, and end with the sign-out', async (context) => {
    const { shared, window, connection, open } = await machine(context, TOKEN);
    const { credentials } = window;
    await signInWith(window, connection, TOKEN, {}, HEADERS);
    await signInWith(window, connection, ANOTHER);
    assert.deepEqual((await credentials.readSecrets(connection)).headers, HEADERS);
    await credentials.store(knownTo(window, connection), TOKEN, {});
    assert.deepEqual(await (await open()).credentials.readSecrets(connection), { token: TOKEN, headers: HEADERS });
    await credentials.signOut(connection);
    assert.equal(await secretOf(shared, connection), undefined);
    assert.deepEqual(await credentials.readSecrets(connection), { token: undefined, headers: undefined });
  });

  test('are not lost to a sign-in while they cannot be read', async (context) => {
    const { shared, window, connection, open } = await machine(context, TOKEN);
    await signInWith(window, connection, TOKEN, {}, HEADERS);
    let isLocked = true;
    const get = (key: string): Promise<string | undefined> =>
      isLocked ? Promise.reject(new Error('locked')) : Promise.resolve(shared.secrets.get(key));
    const late = await open({ secrets: { ...shared.secrets, get } });
    assert.equal((await failureOf(signInWith(late, connection, ANOTHER))).kind, 'storage');
    isLocked = false;
    assert.deepEqual(await late.credentials.readSecrets(connection), { token: TOKEN, headers: HEADERS });
  });

  test('are a secret of their own without a token, with which nobody is signed in', async (context) => {
    const { window, connection, open } = await machine(context);
    await signInWith(window, connection, undefined, {}, HEADERS);
    assert.ok(!isSignedIn(knownTo(window, connection)));
    const secrets = await (await open()).credentials.readSecrets(connection);
    assert.deepEqual(secrets, { token: undefined, headers: HEADERS });
    await signInWith(window, connection, TOKEN);
    assert.ok(isSignedIn(knownTo(window, connection)));
    assert.deepEqual(await window.credentials.readSecrets(connection), { token: TOKEN, headers: HEADERS });
  });

  test('belong to the origin, and only their names are kept elsewhere', async (context) => {
    const { shared, window, connection } = await machine(context, TOKEN);
    await signInWith(window, connection, TOKEN, {}, HEADERS);
    assert.deepEqual(knownTo(window, connection).signIn?.headerNames, Object.keys(HEADERS));
    assert.doesNotMatch(await textOf(shared), /of-the-gateway|id\.access/);
    const elsewhere = await window.credentials.readSecrets({ ...connection, baseUrl: 'https://b.example.com' });
    assert.deepEqual(elsewhere, { token: undefined, headers: undefined });
  });
});

suite('The user of a connection', () => {
  const JDOE = 'urn:li:corpuser:jdoe';
  const ADMIN = 'urn:li:corpuser:admin';

  test('is that of its token, and the typed one while signed out', async (context) => {
    const { window, connection, open } = await machine(context);
    assert.equal(connection.actorUrn, connection.typedUser);
    await signInWith(window, connection, TOKEN, { user: JDOE });
    for (const one of [window, await open()]) assert.equal(knownTo(one, connection).actorUrn, JDOE);
    await window.credentials.signOut(connection);
    assert.equal(knownTo(window, connection).actorUrn, connection.typedUser);
    await window.store.change(connection.id, () => ({ typedUser: undefined }));
    await signInWith(window, knownTo(window, connection), TOKEN);
    assert.equal(knownTo(window, connection).actorUrn, undefined, 'the server has not said it');
  });

  test('is learned from the server for the token alone, and ends nothing', async (context) => {
    const { shared, window, connection } = await machine(context, TOKEN);
    await window.credentials.learnUser(connection.id, ADMIN);
    const learned = knownTo(window, connection);
    assert.deepEqual([learned.actorUrn, sessionOf(learned)], [ADMIN, sessionOf(connection)]);
    await window.credentials.read(learned);
    assert.equal(knownTo(window, connection).actorUrn, ADMIN, 'reading the secret does not undo it');
    assert.doesNotMatch((await secretOf(shared, connection)) ?? '', /admin/);
    await signInWith(window, learned, ANOTHER);
    assert.notEqual(knownTo(window, connection).actorUrn, ADMIN);
  });
});

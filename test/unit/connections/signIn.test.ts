import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { sessionOf, type Connection } from '../../../src/connections/connection.ts';
import { replaceCredential, signInWith } from '../../../src/connections/signIn.ts';
import { readTokenClaims } from '../../../src/service/tokens/tokenClaims.ts';
import { MILLIS_PER_DAY } from '../../../src/time.ts';
import { failureOf } from '../service/clients.ts';
import { interceptedStorage } from './interceptedStorage.ts';
import { tokenUntil } from './tokens.ts';
import { knownTo, machine, removeFrom, secretOf, type SharedStorage, type Window } from './window.ts';

const OLD = tokenUntil(Date.now() + MILLIS_PER_DAY);
const NEW = tokenUntil(Date.now() + 30 * MILLIS_PER_DAY);
const OTHER = tokenUntil(Date.now() + 2 * MILLIS_PER_DAY);

const REFUSED = /was changed or removed in the meantime/;

type Work = (window: Window, connection: Connection) => Promise<unknown>;

const WORKS = {
  'a sign-in': (window: Window, connection: Connection) => signInWith(window, connection, NEW, { tokenId: 'new' }),
  'a rotation': (window: Window, connection: Connection) => replaceCredential(window, connection, NEW, 'new'),
} as const;

/** What another window does to the connection. */
const ACTS = {
  removes: (window, { id }) => removeFrom(window, id),
  moves: ({ store }, { id }) => store.change(id, () => ({ baseUrl: 'https://b.example.com' })),
  'changes the user of': ({ store }, { id }) => store.change(id, () => ({ typedUser: 'urn:li:corpuser:b' })),
  renames: ({ store }, { id }) => store.change(id, () => ({ name: 'Renamed' })),
  restricts: ({ store }, { id }) => store.setRole(id, 'readOnly'),
  'signs out of': ({ credentials }, connection) => credentials.signOut(connection),
  'signs in to': (window, connection) => signInWith(window, connection, OTHER),
  'rotates the token of': (window, connection) => replaceCredential(window, connection, OTHER, 'other'),
  'rotates the token of and signs out of': async (window, connection) => {
    await replaceCredential(window, connection, OTHER, 'other');
    await window.credentials.signOut(knownTo(window, connection));
  },
} as const satisfies Readonly<Record<string, Work>>;

/** Undefined: the connection has no token then. Unless it is the new one, the work is refused. */
const LEFT: readonly (readonly [keyof typeof WORKS, 'before' | 'meanwhile', keyof typeof ACTS, string | undefined])[] =
  [
    ['a sign-in', 'before', 'removes', undefined],
    ['a sign-in', 'before', 'moves', undefined],
    ['a sign-in', 'before', 'changes the user of', OLD],
    ['a sign-in', 'before', 'renames', NEW],
    ['a sign-in', 'before', 'signs out of', NEW],
    ['a sign-in', 'meanwhile', 'removes', undefined],
    ['a sign-in', 'meanwhile', 'moves', undefined],
    ['a sign-in', 'meanwhile', 'signs out of', undefined],
    ['a sign-in', 'meanwhile', 'renames', NEW],
    ['a sign-in', 'meanwhile', 'restricts', NEW],
    ['a rotation', 'before', 'removes', undefined],
    ['a rotation', 'before', 'moves', undefined],
    ['a rotation', 'before', 'signs out of', undefined],
    ['a rotation', 'before', 'signs in to', OTHER],
    ['a rotation', 'before', 'rotates the token of', OTHER],
    ['a rotation', 'meanwhile', 'signs in to', NEW],
    ['a rotation', 'meanwhile', 'rotates the token of', NEW],
    ['a rotation', 'meanwhile', 'rotates the token of and signs out of', undefined],
  ];

/** Storage in which something happens as the token is written, since a keychain may be slow. */
function slowStorage(shared: SharedStorage, meanwhile: () => Promise<unknown>): SharedStorage {
  return interceptedStorage(shared, async (write) => {
    if (write === 'secrets.store') await meanwhile();
  });
}

suite('The token of a sign-in or a rotation', () => {
  for (const [work, when, act, left] of LEFT) {
    const isSaved = left === NEW;
    for (const former of work === 'a rotation' || left === OLD ? [OLD] : [undefined, OLD]) {
      const signedIn = former === undefined ? 'signed out' : 'signed in';
      const outcome = isSaved ? 'is stored' : 'is refused';
      test(`${outcome} if another window ${act} its connection ${when}: ${work}, ${signedIn} at first`, async (context) => {
        const { shared, window: there, connection, open } = await machine(context, former);
        const change = (): Promise<unknown> => ACTS[act](there, connection);
        const here = await open(when === 'before' ? {} : slowStorage(shared, change));
        await (when === 'before' && change());
        const secretBefore = await secretOf(shared, connection);
        const working = WORKS[work](here, connection);
        if (isSaved) {
          const saved = await working;
          assert.equal(saved.signIn?.tokenId, 'new');
          await Promise.all([there.store.reload(), there.credentials.reload()]);
          for (const window of [here, there]) assert.deepEqual(knownTo(window, connection), saved);
        } else {
          assert.match((await failureOf(working)).message, REFUSED);
          if (when === 'before') assert.equal(await secretOf(shared, connection), secretBefore);
        }
        for (const { store, credentials } of [here, await open()]) {
          const now = store.get(connection.id);
          assert.equal(now === undefined, act === 'removes');
          assert.equal(now && (await credentials.read(now)), left);
        }
        if (act !== 'moves') {
          assert.equal((await secretOf(shared, connection)) === undefined, left === undefined, 'a token stays behind');
        }
      });
    }
  }

  test('is kept if the file of the connection can’t be read for a moment', async (context) => {
    const { shared, window: there, connection, open } = await machine(context);
    const file = join(shared.path, 'connections', `${connection.id}.json`);
    const text = await readFile(file, 'utf8');
    const here = await open(slowStorage(shared, () => writeFile(file, '')));
    assert.match((await failureOf(signInWith(here, connection, NEW))).message, REFUSED);
    await writeFile(file, text);
    await there.store.reload();
    assert.equal(await there.credentials.read(connection), NEW);
  });

  test('is that of another window that signs out and in again meanwhile', async (context) => {
    const { shared, window: there, connection, open } = await machine(context, OLD);
    const store = async (key: string, value: string): Promise<void> => {
      await shared.secrets.store(key, value);
      await there.credentials.signOut(connection);
      await signInWith(there, knownTo(there, connection), OTHER);
    };
    const window = await open({ secrets: { ...shared.secrets, store } });
    assert.match((await failureOf(signInWith(window, connection, NEW))).message, REFUSED);
    assert.equal(await (await open()).credentials.read(connection), OTHER);
  });
});

test('A rotation begins a session of the same user, with what is known of the new token alone', async (context) => {
  const { window, connection } = await machine(context);
  const user = 'urn:li:corpuser:admin';
  const before = await signInWith(window, connection, OLD, { user, tokenId: 'old', source: 'commandLineFile' });
  const saved = await replaceCredential(window, before, NEW, 'new');
  assert.notEqual(sessionOf(saved), sessionOf(before));
  const { storedAt: _, ...known } = saved.signIn ?? {};
  assert.deepEqual(known, {
    origin: 'https://a.example.com',
    user,
    tokenId: 'new',
    endsAt: readTokenClaims(NEW)?.expiresAtMillis,
  });
});

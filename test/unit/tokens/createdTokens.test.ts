import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { TokenSecret } from '../../../src/service/failure/secret.ts';
import type { AccessToken } from '../../../src/service/tokens/accessToken.ts';
import { CreatedTokens } from '../../../src/tokens/createdTokens.ts';
import type { Connection } from '../../../src/connections/connection.ts';
import { saveSignedIn, signOut as signOutOf } from '../../../src/connections/signIn.ts';
import { connectionTo, type SharedStorage, sharedStorage, type Window, windowOn } from '../connections/window.ts';
import { Memory } from '../memory.ts';

const TOKEN_STRING = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJqZG9lIn0.c2lnbmF0dXJl';
const CREATED: AccessToken = {
  urn: 'urn:li:dataHubAccessToken:HnMJ+/=',
  id: 'HnMJ+/=',
  actorUrn: 'urn:li:corpuser:jdoe',
  ownerUrn: 'urn:li:corpuser:jdoe',
  name: 'nightly ingestion',
  description: 'for the ingestion',
  createdAt: 1_790_000_000_000,
  expiresAt: 1_790_003_600_000,
};
/** All that a server lists which follows the interface description to the letter. */
const LISTED: AccessToken = { urn: CREATED.urn, id: CREATED.id, actorUrn: CREATED.actorUrn };

let memory: Memory;
let created: CreatedTokens;

beforeEach(async () => {
  memory = new Memory();
  created = new CreatedTokens(memory);
  await created.remember('a', CREATED, CREATED.createdAt);
});

suite('A string that is held', () => {
  for (const [what, signOut] of [
    ['goes with a sign-out', (window: Window, { connection }: SignedIn) => signOutOf(window, connection)],
    [
      'goes with a sign-out in another window, once this one looks',
      async (window: Window, { connection, shared }: SignedIn) => {
        await signOutOf(windowOn(shared), connection);
        await window.credentials.reload(window.store.all());
      },
    ],
  ] as const) {
    test(what, async (context) => {
      const shared = await sharedStorage(context);
      const window = windowOn(shared);
      window.credentials.onDidSignOut((id) => created.releaseAll(id));
      const { connection } = await saveSignedIn(window, connectionTo('https://datahub.example.com'), TOKEN_STRING);
      assert.equal(await window.credentials.read(connection), TOKEN_STRING);
      created.hold(connection.id, CREATED.id, new TokenSecret(TOKEN_STRING));
      created.hold('another', CREATED.id, new TokenSecret(TOKEN_STRING));
      await saveSignedIn(window, connection, `${TOKEN_STRING}2`);
      assert.equal(created.heldCount(connection.id), 1, 'signing in again loses nothing');
      await window.credentials.read(window.store.get(connection.id) ?? connection);
      await signOut(window, { connection: window.store.get(connection.id) ?? connection, shared });
      assert.deepEqual([created.heldCount(connection.id), created.heldCount('another')], [0, 1]);
    });
  }
});

interface SignedIn {
  readonly connection: Connection;
  readonly shared: SharedStorage;
}

suite('What is known of a token that was created here', () => {
  test('completes what a server lists, in this window and in the next', () => {
    assert.deepEqual(created.complete('a', LISTED), CREATED);
    assert.deepEqual(new CreatedTokens(memory).complete('a', LISTED), CREATED);
  });

  test('gives way to what the server says', () => {
    const renamed = { ...LISTED, name: 'weekly ingestion', expiresAt: null };
    assert.deepEqual(created.complete('a', renamed), { ...CREATED, ...renamed });
  });

  test('fills in for what the server could not tell', () => {
    assert.deepEqual(
      created.complete('a', { ...LISTED, actorUrn: '', name: undefined, expiresAt: undefined }),
      CREATED,
    );
  });

  test('belongs to its token and its connection', () => {
    assert.deepEqual(created.complete('b', LISTED), LISTED);
    assert.deepEqual(created.complete('a', { ...LISTED, id: 'other' }), { ...LISTED, id: 'other' });
  });

  test('is passed over when it is damaged', async () => {
    const [key = ''] = memory.keys();
    for (const damaged of [null, 'x', [], { id: 1 }]) {
      await memory.update(key, damaged);
      assert.deepEqual(created.complete('a', LISTED), LISTED);
    }
  });

  test('is forgotten with the token, and with the connection', async () => {
    await created.remember('a', { ...CREATED, id: 'second' }, CREATED.createdAt);
    await created.remember('ab', CREATED, CREATED.createdAt);
    await created.forget('a', CREATED.id);
    assert.deepEqual(created.complete('a', LISTED), LISTED);
    await created.forgetConnection('a');
    assert.equal(memory.keys().length, 1);
    assert.deepEqual(created.complete('ab', LISTED), CREATED, 'a connection whose id begins alike keeps its own');
  });
});

suite('What is remembered', () => {
  const END = 1_790_003_600_000;
  const MONTH = 30 * 86_400_000;

  test('outlasts the end of the token by a month, and goes with the next one created', async () => {
    await created.remember('a', { ...CREATED, id: 'forever', expiresAt: null }, END);
    await created.remember('b', { ...CREATED, id: 'untold', expiresAt: undefined }, END);
    await created.remember('b', { ...CREATED, id: 'second', expiresAt: END + 400 * MONTH }, END + MONTH - 1);
    assert.equal(memory.keys().length, 4);
    await created.remember('b', { ...CREATED, id: 'third', expiresAt: END + 400 * MONTH }, END + MONTH);
    assert.deepEqual(created.complete('a', LISTED), LISTED, 'it is remembered although it ended long ago');
    assert.equal(memory.keys().length, 4);
  });

  test('does not grow for ever: the newest of all connections stay, what is damaged goes, and nothing else is touched', async () => {
    await memory.update('createdToken.a.damaged', 7);
    await memory.update('connections', ['mine']);
    for (let n = 1; n <= 510; n++) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, as people create them
      await created.remember(
        n % 2 === 0 ? 'a' : 'b',
        { ...CREATED, id: `t${n}`, createdAt: END + n, expiresAt: null },
        END + n,
      );
    }
    assert.equal(memory.keys().length, 501);
    assert.deepEqual(memory.get('connections'), ['mine']);
    assert.equal(created.complete('a', { ...LISTED, id: 't10' }).name, undefined);
    assert.equal(created.complete('b', { ...LISTED, id: 't11' }).name, CREATED.name);
    assert.equal(created.complete('a', { ...LISTED, id: 't510' }).name, CREATED.name);
  });
});

suite('The string of a token that was created here', () => {
  beforeEach(() => created.hold('a', CREATED.id, new TokenSecret(TOKEN_STRING)));

  test('is held until it reached its place, for that token only', () => {
    assert.equal(created.held('a', CREATED.id)?.reveal(), TOKEN_STRING);
    assert.equal(created.held('b', CREATED.id), undefined);
    created.release('a', CREATED.id);
    assert.equal(created.held('a', CREATED.id), undefined);
  });

  test('goes when the token is revoked, and with the connection', async () => {
    await created.forget('a', CREATED.id);
    assert.equal(created.held('a', CREATED.id), undefined);
    created.hold('a', CREATED.id, new TokenSecret(TOKEN_STRING));
    await created.forgetConnection('a');
    assert.equal(created.held('a', CREATED.id), undefined);
  });

  test('is never written down', () => {
    assert.doesNotMatch(memory.text, /eyJ/);
    assert.doesNotMatch(JSON.stringify(created.complete('a', LISTED)), /eyJ/);
    assert.equal(new CreatedTokens(memory).held('a', CREATED.id), undefined);
  });

  test('tells when it is held and when it is held no more, for rows offer it only then', async () => {
    const told: string[] = [];
    created.onDidChange((id) => told.push(id));
    created.release('a', CREATED.id);
    assert.deepEqual(told, ['a']);
    created.release('a', CREATED.id);
    await created.forget('a', CREATED.id);
    assert.deepEqual(told, ['a'], 'nothing changed');
    created.hold('b', CREATED.id, new TokenSecret(TOKEN_STRING));
    await created.forget('b', CREATED.id);
    assert.deepEqual(told, ['a', 'b', 'b']);
  });
});

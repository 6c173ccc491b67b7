import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { TokenSecret } from '../../../src/service/failure/secret.ts';
import type { AccessToken } from '../../../src/service/tokens/accessToken.ts';
import { CreatedTokens } from '../../../src/tokens/createdTokens.ts';
import { identityOf, type Connection } from '../../../src/connections/connection.ts';
import { onConnectionsChanged } from '../../../src/connections/loadableList.ts';
import { saveSignedIn, signOutOfConnection as signOutOf } from '../../../src/connections/signIn.ts';
import { connectionTo, type SharedStorage, sharedStorage, type Window, windowOn } from '../connections/window.ts';
import { Memory } from '../memory.ts';
import { SteppedClock } from '../steppedClock.ts';

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
/** All fields that a server lists if it follows the interface description literally. */
const LISTED: AccessToken = { urn: CREATED.urn, id: CREATED.id, actorUrn: CREATED.actorUrn };

let memory: Memory;
let created: CreatedTokens;

beforeEach(async () => {
  memory = new Memory();
  created = new CreatedTokens(memory);
  await created.rememberToken('a', CREATED, CREATED.createdAt);
});

suite('A held value', () => {
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
      window.credentials.onDidSignOut((id) => created.releaseSecrets(id));
      const { connection } = await saveSignedIn(window, connectionTo('https://datahub.example.com'), TOKEN_STRING);
      assert.equal(await window.credentials.read(connection), TOKEN_STRING);
      created.holdSecret(connection.id, CREATED.id, new TokenSecret(TOKEN_STRING));
      created.holdSecret('another', CREATED.id, new TokenSecret(TOKEN_STRING));
      await saveSignedIn(window, connection, `${TOKEN_STRING}2`);
      assert.equal(created.uncopiedCount(connection.id), 1, 'signing in again loses nothing');
      await window.credentials.read(window.store.get(connection.id) ?? connection);
      await signOut(window, { connection: window.store.get(connection.id) ?? connection, shared });
      assert.deepEqual([created.uncopiedCount(connection.id), created.uncopiedCount('another')], [0, 1]);
      assert.equal(created.heldSecretOf(connection.id, CREATED.id), undefined);
    });
  }

  for (const [what, changes, isHeld] of [
    ['goes with a sign-out after another sign-in elsewhere', ['in', 'out'], false],
    ['goes with a sign-out elsewhere, although it was signed in again', ['in', 'out', 'in'], false],
    ['goes with a sign-out elsewhere that left no mark', ['in', 'delete'], false],
    ['stays with another sign-in elsewhere', ['in', 'in'], true],
  ] as const) {
    test(`${what}, once this window looks`, async (context) => {
      const shared = await sharedStorage(context);
      const [window, other] = [windowOn(shared), windowOn(shared)];
      window.credentials.onDidSignOut((id) => created.releaseSecrets(id));
      const { connection } = await saveSignedIn(window, connectionTo('https://datahub.example.com'), TOKEN_STRING);
      await window.credentials.read(connection);
      created.holdSecret(connection.id, CREATED.id, new TokenSecret(TOKEN_STRING));
      await other.store.reload();
      for (const [at, change] of changes.entries()) {
        const current = other.store.get(connection.id) ?? assert.fail();
        await (change === 'in'
          ? saveSignedIn(other, current, `${TOKEN_STRING}${at}`)
          : change === 'out'
            ? signOutOf(other, current)
            : other.credentials.forgetCredential(connection.id));
        // Let this window handle each change.
        await new Promise((resolve) => setImmediate(resolve));
      }
      await window.credentials.reload(window.store.all());
      assert.equal(created.heldSecretOf(connection.id, CREATED.id) !== undefined, isHeld);
    });
  }

  for (const [what, change] of [
    ['the connection is removed in another window', ({ store }, { id }) => store.beginRemoval(id)],
    [
      'the connection leads to another server',
      ({ store }, connection) => store.save({ ...connection, baseUrl: 'https://other.example.com' }),
    ],
    [
      'the connection has another user',
      ({ store }, connection) => store.save({ ...connection, actorUrn: 'urn:li:corpuser:other' }),
    ],
  ] as readonly (readonly [string, (other: Window, connection: Connection) => Promise<unknown>])[]) {
    test(`goes when ${what}, copied or not`, async (context) => {
      const shared = await sharedStorage(context);
      const [window, other] = [windowOn(shared), windowOn(shared)];
      const { connection } = await saveSignedIn(window, connectionTo('https://datahub.example.com'), TOKEN_STRING);
      await other.store.reload();
      onConnectionsChanged(window.store, identityOf, (id) => created.releaseSecrets(id));
      for (const id of ['copied', 'never copied']) {
        created.holdSecret(connection.id, id, new TokenSecret(TOKEN_STRING));
      }
      created.markCopied(connection.id, 'copied');
      await window.store.save({ ...(window.store.get(connection.id) ?? connection), name: 'Renamed' });
      assert.ok(created.heldSecretOf(connection.id, 'copied'), 'a new name is no other server');
      await other.store.reload();
      await change(other, other.store.get(connection.id) ?? assert.fail());
      await window.store.reload();
      assert.deepEqual(
        ['copied', 'never copied'].map((id) => created.heldSecretOf(connection.id, id)),
        [undefined, undefined],
      );
    });
  }
});

interface SignedIn {
  readonly connection: Connection;
  readonly shared: SharedStorage;
}

suite('Remembered facts of a created token', () => {
  test("complete the server's listing, in this window and in the next", () => {
    assert.deepEqual(created.withRemembered('a', LISTED), CREATED);
    assert.deepEqual(new CreatedTokens(memory).withRemembered('a', LISTED), CREATED);
  });

  test('give way to values from the server', () => {
    const renamed = { ...LISTED, name: 'weekly ingestion', expiresAt: null };
    assert.deepEqual(created.withRemembered('a', renamed), { ...CREATED, ...renamed });
  });

  test('fill in values that the server lacks', () => {
    assert.deepEqual(
      created.withRemembered('a', { ...LISTED, actorUrn: '', name: undefined, expiresAt: undefined }),
      CREATED,
    );
  });

  test('belong to one token of one connection', () => {
    assert.deepEqual(created.withRemembered('b', LISTED), LISTED);
    assert.deepEqual(created.withRemembered('a', { ...LISTED, id: 'other' }), { ...LISTED, id: 'other' });
  });

  test('are ignored if damaged', async () => {
    const [key = ''] = memory.keys();
    for (const damaged of [null, 'x', [], { id: 1 }]) {
      await memory.update(key, damaged);
      assert.deepEqual(created.withRemembered('a', LISTED), LISTED);
    }
  });

  test('are forgotten with the token, and with the connection', async () => {
    await created.rememberToken('a', { ...CREATED, id: 'second' }, CREATED.createdAt);
    await created.rememberToken('ab', CREATED, CREATED.createdAt);
    await created.forgetToken('a', CREATED.id);
    assert.deepEqual(created.withRemembered('a', LISTED), LISTED);
    await created.forgetConnection('a');
    assert.equal(memory.keys().length, 1);
    assert.deepEqual(created.withRemembered('ab', LISTED), CREATED, 'a connection whose id begins alike keeps its own');
  });
});

suite('Remembered tokens', () => {
  const END = 1_790_003_600_000;
  const MONTH = 30 * 86_400_000;

  test('outlast their expiry by a month, and go with the next created token', async () => {
    await created.rememberToken('a', { ...CREATED, id: 'forever', expiresAt: null }, END);
    await created.rememberToken('b', { ...CREATED, id: 'unreported', expiresAt: undefined }, END);
    await created.rememberToken('b', { ...CREATED, id: 'second', expiresAt: END + 400 * MONTH }, END + MONTH - 1);
    assert.equal(memory.keys().length, 4);
    await created.rememberToken('b', { ...CREATED, id: 'third', expiresAt: END + 400 * MONTH }, END + MONTH);
    assert.deepEqual(created.withRemembered('a', LISTED), LISTED, 'it is remembered although it ended long ago');
    assert.equal(memory.keys().length, 4);
  });

  test('are limited: the newest of all connections stay, damaged ones go, other keys stay', async () => {
    await memory.update('createdToken.a.damaged', 7);
    await memory.update('connections', ['mine']);
    for (let n = 1; n <= 510; n++) {
      await created.rememberToken(
        n % 2 === 0 ? 'a' : 'b',
        { ...CREATED, id: `t${n}`, createdAt: END + n, expiresAt: null },
        END + n,
      );
    }
    assert.equal(memory.keys().length, 501);
    assert.deepEqual(memory.get('connections'), ['mine']);
    assert.equal(created.withRemembered('a', { ...LISTED, id: 't10' }).name, undefined);
    assert.equal(created.withRemembered('b', { ...LISTED, id: 't11' }).name, CREATED.name);
    assert.equal(created.withRemembered('a', { ...LISTED, id: 't510' }).name, CREATED.name);
  });
});

suite('The value of a created token', () => {
  beforeEach(() => created.holdSecret('a', CREATED.id, new TokenSecret(TOKEN_STRING)));

  test('is held for its own token until released', () => {
    assert.equal(created.heldSecretOf('a', CREATED.id)?.reveal(), TOKEN_STRING);
    assert.equal(created.heldSecretOf('b', CREATED.id), undefined);
    created.releaseSecret('a', CREATED.id);
    assert.equal(created.heldSecretOf('a', CREATED.id), undefined);
  });

  test('goes when the token is revoked, and with the connection', async () => {
    await created.forgetToken('a', CREATED.id);
    assert.equal(created.heldSecretOf('a', CREATED.id), undefined);
    created.holdSecret('a', CREATED.id, new TokenSecret(TOKEN_STRING));
    await created.forgetConnection('a');
    assert.equal(created.heldSecretOf('a', CREATED.id), undefined);
  });

  test('stays after it was copied, but is not counted as one that would be lost', () => {
    created.holdSecret('a', 'another', new TokenSecret(TOKEN_STRING));
    assert.deepEqual([created.uncopiedCount('a'), created.wasCopied('a', CREATED.id)], [2, false]);
    created.markCopied('a', CREATED.id);
    created.markCopied('a', 'of nothing');
    assert.deepEqual([created.uncopiedCount('a'), created.wasCopied('a', CREATED.id)], [1, true]);
    assert.equal(created.heldSecretOf('a', CREATED.id)?.reveal(), TOKEN_STRING);
    created.releaseSecrets('a');
    assert.equal(created.heldSecretOf('a', CREATED.id), undefined);
  });

  test('goes when the token expires, however far away that is, and leaves no timer behind', () => {
    const clock = new SteppedClock();
    const held = new CreatedTokens(memory, clock);
    const hold = (id: string, expiresAt?: number | null): void =>
      held.holdSecret('a', id, new TokenSecret(TOKEN_STRING), expiresAt);
    hold('soon', clock.now() + 1_000);
    hold('late', clock.now() + 400 * 86_400_000);
    hold('never', null);
    hold('unknown');
    hold('released', clock.now() + 60_000);
    held.releaseSecret('a', 'released');
    const left = (): string[] =>
      ['soon', 'late', 'never', 'unknown', 'released'].filter((id) => held.heldSecretOf('a', id) !== undefined);
    clock.advance(999);
    assert.deepEqual(left(), ['soon', 'late', 'never', 'unknown']);
    clock.advance(1);
    assert.deepEqual(left(), ['late', 'never', 'unknown']);
    assert.equal(clock.waiting, 1);
    // The machine sleeps until then: an overdue timer looks at the time of day.
    clock.sleep(400 * 86_400_000);
    clock.advance(3_600_000);
    assert.deepEqual([left(), clock.waiting], [['never', 'unknown'], 0]);
  });

  test('is never stored', () => {
    assert.doesNotMatch(memory.text, /eyJ/);
    assert.doesNotMatch(JSON.stringify(created.withRemembered('a', LISTED)), /eyJ/);
    assert.equal(new CreatedTokens(memory).heldSecretOf('a', CREATED.id), undefined);
  });

  test('fires an event when held and when released, since rows offer it only in between', async () => {
    const told: string[] = [];
    created.onDidChange((id) => told.push(id));
    created.releaseSecret('a', CREATED.id);
    assert.deepEqual(told, ['a']);
    created.releaseSecret('a', CREATED.id);
    await created.forgetToken('a', CREATED.id);
    assert.deepEqual(told, ['a'], 'nothing changed');
    created.holdSecret('b', CREATED.id, new TokenSecret(TOKEN_STRING));
    created.markCopied('b', CREATED.id);
    created.markCopied('b', CREATED.id);
    await created.forgetToken('b', CREATED.id);
    assert.deepEqual(told, ['a', 'b', 'b', 'b'], 'held, copied for the first time, gone');
  });
});

import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { identityOf, type Connection } from '../../../src/connections/connection.ts';
import { onConnectionsChanged } from '../../../src/connections/loadableList.ts';
import { signInWith } from '../../../src/connections/signIn.ts';
import { TokenSecret } from '../../../src/service/failure/secret.ts';
import { HeldTokens } from '../../../src/tokens/heldTokens.ts';
import {
  addConnection,
  connectionTo,
  openWindow,
  removeFrom,
  sharedStorage,
  type Window,
} from '../connections/window.ts';

const TOKEN_STRING = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJqZG9lIn0.c2lnbmF0dXJl';
const ID = 'HnMJ+/=';

let held: HeldTokens;

beforeEach(() => {
  held = new HeldTokens();
});

suite('A held value', () => {
  /** What another window may do to a connection, and whether this one's held values stay. */
  const ELSEWHERE: readonly (readonly [
    what: string,
    changes: readonly ('in' | 'out' | 'delete')[],
    isHeld: boolean,
  ])[] = [
    ['goes with a sign-out', ['out'], false],
    ['goes with a sign-out after another sign-in', ['in', 'out'], false],
    ['goes with a sign-out, although it was signed in again', ['in', 'out', 'in'], false],
    ['goes with a token that is deleted', ['in', 'delete'], false],
    ['stays with another sign-in', ['in', 'in'], true],
  ];
  for (const where of ['here', 'elsewhere'] as const) {
    for (const [what, changes, isHeld] of ELSEWHERE) {
      test(`${what} ${where === 'here' ? where : `${where}, once this window looks`}`, async (context) => {
        const shared = await sharedStorage(context);
        const window = await openWindow(shared);
        window.credentials.onDidSignOut((id) => held.releaseAll(id));
        const connection = await addConnection(window, connectionTo('https://datahub.example.com'), TOKEN_STRING);
        await window.credentials.read(connection);
        for (const id of [connection.id, 'another']) held.hold(id, ID, new TokenSecret(TOKEN_STRING));
        const { store, credentials } = where === 'here' ? window : await openWindow(shared);
        for (const [at, change] of changes.entries()) {
          const current = store.get(connection.id) ?? assert.fail();
          if (change === 'in') await signInWith({ store, credentials }, current, `${TOKEN_STRING}${at}`);
          else if (change === 'out') await credentials.signOut(current);
          else await credentials.delete(current.id);
          // Changes of the secret storage are reported a turn later.
          await new Promise((resolve) => setImmediate(resolve));
        }
        await window.credentials.reload();
        await window.store.reload();
        assert.equal(held.secretOf(connection.id, ID) !== undefined, isHeld);
        assert.deepEqual([held.uncopiedCount(connection.id), held.uncopiedCount('another')], [isHeld ? 1 : 0, 1]);
      });
    }
  }

  for (const [what, change] of [
    ['the connection is removed in another window', (other, { id }) => removeFrom(other, id)],
    [
      'the connection leads to another server',
      ({ store }, { id }) => store.change(id, () => ({ baseUrl: 'https://other.example.com' })),
    ],
    [
      'the connection has another user',
      ({ store }, { id }) => store.change(id, () => ({ typedUser: 'urn:li:corpuser:other' })),
    ],
  ] as readonly (readonly [string, (other: Window, connection: Connection) => Promise<unknown>])[]) {
    test(`goes when ${what}, copied or not`, async (context) => {
      const shared = await sharedStorage(context);
      const window = await openWindow(shared);
      const connection = await addConnection(window, connectionTo('https://datahub.example.com'), TOKEN_STRING);
      const other = await openWindow(shared);
      onConnectionsChanged(window.store, identityOf, (id) => held.releaseAll(id));
      for (const id of ['copied', 'never copied']) {
        held.hold(connection.id, id, new TokenSecret(TOKEN_STRING));
      }
      held.markCopied(connection.id, 'copied');
      await window.store.change(connection.id, () => ({ name: 'Renamed' }));
      assert.ok(held.secretOf(connection.id, 'copied'), 'a new name is no other server');
      await change(other, connection);
      await window.store.reload();
      assert.deepEqual(
        ['copied', 'never copied'].map((id) => held.secretOf(connection.id, id)),
        [undefined, undefined],
      );
    });
  }
});

suite('The value of a created token', () => {
  beforeEach(() => held.hold('a', ID, new TokenSecret(TOKEN_STRING)));

  test('is held for its own token until released', () => {
    assert.equal(held.secretOf('a', ID)?.reveal(), TOKEN_STRING);
    assert.equal(held.secretOf('b', ID), undefined);
    assert.deepEqual(
      [held.idOf('a', TOKEN_STRING), held.idOf('a', 'another'), held.idOf('b', TOKEN_STRING)],
      [ID, undefined, undefined],
    );
    held.release('a', ID);
    assert.equal(held.secretOf('a', ID), undefined);
  });

  test('stays after it was copied, but is not counted as one that would be lost', () => {
    held.hold('a', 'another', new TokenSecret(TOKEN_STRING));
    assert.equal(held.uncopiedCount('a'), 2);
    held.markCopied('a', ID);
    held.markCopied('a', 'of nothing');
    assert.equal(held.uncopiedCount('a'), 1);
    assert.equal(held.secretOf('a', ID)?.reveal(), TOKEN_STRING);
    held.releaseAll('a');
    assert.equal(held.secretOf('a', ID), undefined);
  });

  test('ends with the token, and would not be lost then', () => {
    let now = 1_000;
    const timed = new HeldTokens({ now: () => now });
    timed.hold('a', 'soon', new TokenSecret(TOKEN_STRING), 2_000);
    timed.hold('a', 'never', new TokenSecret(TOKEN_STRING), null);
    timed.hold('a', 'unknown', new TokenSecret(TOKEN_STRING));
    const left = (): string[] => ['soon', 'never', 'unknown'].filter((id) => timed.secretOf('a', id) !== undefined);
    now = 1_999;
    assert.deepEqual([left(), timed.uncopiedCount('a')], [['soon', 'never', 'unknown'], 3]);
    now = 2_000;
    assert.deepEqual([left(), timed.uncopiedCount('a')], [['never', 'unknown'], 2]);
    now = 1_000;
    assert.deepEqual(left(), ['never', 'unknown'], 'although the clock was set back');
  });

  test('fires an event when held and when released, since rows offer it only in between', () => {
    const told: string[] = [];
    held.onDidChange((id) => told.push(id));
    held.release('a', ID);
    held.release('a', ID);
    held.releaseAll('b');
    assert.deepEqual(told, ['a'], 'nothing else changed');
    held.hold('b', ID, new TokenSecret(TOKEN_STRING));
    held.markCopied('b', ID);
    held.releaseAll('b');
    assert.deepEqual(told, ['a', 'b', 'b'], 'held, gone');
  });
});

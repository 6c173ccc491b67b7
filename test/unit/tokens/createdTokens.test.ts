import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { identityOf, type Connection } from '../../../src/connections/connection.ts';
import { onConnectionsChanged } from '../../../src/connections/loadableList.ts';
import { signInWith } from '../../../src/connections/signIn.ts';
import { folderAt } from '../../../src/platform/folder.ts';
import { TokenSecret } from '../../../src/service/failure/secret.ts';
import type { AccessToken } from '../../../src/service/tokens/accessToken.ts';
import { CreatedTokens } from '../../../src/tokens/createdTokens.ts';
import { tokenFileId } from '../../../src/tokens/tokenFiles.ts';
import {
  addConnection,
  connectionTo,
  openWindow,
  removeFrom,
  sharedStorage,
  type Window,
} from '../connections/window.ts';
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

let path: string;
let created: CreatedTokens;

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'metadata-service-created-'));
  created = new CreatedTokens(folderAt(path));
  await created.rememberToken('a', CREATED, CREATED.createdAt);
});

afterEach(() => rm(path, { recursive: true, force: true }));

/** Another window that has read the files. */
async function nextWindow(): Promise<CreatedTokens> {
  const next = new CreatedTokens(folderAt(path));
  await next.load();
  return next;
}

/** Everything that is stored. */
async function storedText(): Promise<string> {
  const names = await readdir(path);
  return (await Promise.all(names.map((name) => readFile(join(path, name), 'utf8')))).join('\n');
}

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
        window.credentials.onDidSignOut((id) => created.releaseSecrets(id));
        const connection = await addConnection(window, connectionTo('https://datahub.example.com'), TOKEN_STRING);
        await window.credentials.read(connection);
        for (const id of [connection.id, 'another']) created.holdSecret(id, CREATED.id, new TokenSecret(TOKEN_STRING));
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
        assert.equal(created.heldSecretOf(connection.id, CREATED.id) !== undefined, isHeld);
        assert.deepEqual([created.uncopiedCount(connection.id), created.uncopiedCount('another')], [isHeld ? 1 : 0, 1]);
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
      onConnectionsChanged(window.store, identityOf, (id) => created.releaseSecrets(id));
      for (const id of ['copied', 'never copied']) {
        created.holdSecret(connection.id, id, new TokenSecret(TOKEN_STRING));
      }
      created.markCopied(connection.id, 'copied');
      await window.store.change(connection.id, () => ({ name: 'Renamed' }));
      assert.ok(created.heldSecretOf(connection.id, 'copied'), 'a new name is no other server');
      await change(other, connection);
      await window.store.reload();
      assert.deepEqual(
        ['copied', 'never copied'].map((id) => created.heldSecretOf(connection.id, id)),
        [undefined, undefined],
      );
    });
  }
});

suite('Remembered facts of a created token', () => {
  test("complete the server's listing, in this window and in the next", async () => {
    assert.deepEqual(created.withRemembered('a', LISTED), CREATED);
    assert.deepEqual((await nextWindow()).withRemembered('a', LISTED), CREATED);
    assert.equal(created.createdAt('a', CREATED.id), CREATED.createdAt);
  });

  test('are known at once in the window that created it, however slow or broken the disk is', async () => {
    const storing = created.rememberToken('a', { ...CREATED, id: 'second', name: 'second' }, CREATED.createdAt);
    assert.equal(created.withRemembered('a', { ...LISTED, id: 'second' }).name, 'second');
    await storing;
    await rm(path, { recursive: true });
    await assert.rejects(created.rememberToken('a', { ...CREATED, id: 'third', name: 'third' }, CREATED.createdAt));
    assert.equal(created.withRemembered('a', { ...LISTED, id: 'third' }).name, 'third');
  });

  test('of another window are known once this one looks', async () => {
    const next = await nextWindow();
    await next.rememberToken('a', { ...CREATED, id: 'second', name: 'second' }, CREATED.createdAt);
    const second = { ...LISTED, id: 'second' };
    assert.equal(created.withRemembered('a', second).name, undefined);
    await created.reload();
    assert.equal(created.withRemembered('a', second).name, 'second');
  });

  test('belong to the ID of the token, with slashes, and in the case that it has', async () => {
    const ids = ['a/b/../c', 'A/b/../c', 'CON', 'con', 'HnMJ+/=', 'hnmj+/=', 'x'.repeat(500)];
    for (const id of ids) await created.rememberToken('a', { ...CREATED, id, name: id }, CREATED.createdAt);
    const next = await nextWindow();
    assert.deepEqual(
      ids.map((id) => next.withRemembered('a', { ...LISTED, id }).name),
      ids,
    );
  });

  test('are replaced by newer ones of the same token', async () => {
    await created.rememberToken('a', { ...CREATED, name: 'renamed' }, CREATED.createdAt);
    assert.equal((await nextWindow()).withRemembered('a', LISTED).name, 'renamed');
    assert.equal((await readdir(path)).length, 1);
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

  test('are ignored if damaged, and replaced when they are remembered again', async () => {
    const [name = ''] = await readdir(path);
    for (const damaged of ['', '{', '{"v":1}', '{"v":1,"connectionId":"a","token":{"id":1}}']) {
      await writeFile(join(path, name), damaged);
      const next = await nextWindow();
      assert.deepEqual(next.withRemembered('a', LISTED), LISTED);
      await next.rememberToken('a', CREATED, CREATED.createdAt);
      assert.deepEqual(next.withRemembered('a', LISTED), CREATED);
    }
  });

  test('are forgotten with the token, and with the connection, even if another window remembered them', async () => {
    await (await nextWindow()).rememberToken('a', { ...CREATED, id: 'second' }, CREATED.createdAt);
    await created.rememberToken('ab', CREATED, CREATED.createdAt);
    await created.forgetToken('a', CREATED.id);
    assert.deepEqual(created.withRemembered('a', LISTED), LISTED);
    await created.forgetConnection('a');
    assert.equal((await readdir(path)).length, 1);
    assert.deepEqual(created.withRemembered('ab', LISTED), CREATED, 'a connection whose id begins alike keeps its own');
  });

  test('are forgotten with the connection even if they are damaged', async () => {
    const [name = ''] = await readdir(path);
    await writeFile(join(path, name), '{');
    await created.forgetConnection('a');
    assert.deepEqual(await readdir(path), []);
  });
});

suite('Remembered tokens', () => {
  const END = 1_790_003_600_000;
  const MONTH = 30 * 86_400_000;

  test('outlast their expiry by a month, and go with the next created token', async () => {
    await created.rememberToken('a', { ...CREATED, id: 'forever', expiresAt: null }, END);
    await created.rememberToken('b', { ...CREATED, id: 'unreported', expiresAt: undefined }, END);
    await created.rememberToken('b', { ...CREATED, id: 'second', expiresAt: END + 400 * MONTH }, END + MONTH - 1);
    assert.equal((await readdir(path)).length, 4);
    await created.rememberToken('b', { ...CREATED, id: 'third', expiresAt: END + 400 * MONTH }, END + MONTH);
    assert.deepEqual(created.withRemembered('a', LISTED), LISTED, 'it is remembered although it ended long ago');
    assert.equal((await readdir(path)).length, 4);
  });

  test('are limited: the newest of all connections stay', async () => {
    // As many windows left them.
    const files = Array.from({ length: 510 }, (_, n) => {
      const token = { ...CREATED, id: `t${n + 1}`, createdAt: END + n + 1, expiresAt: null };
      return { connectionId: n % 2 === 0 ? 'b' : 'a', token };
    });
    await Promise.all(
      files.map(({ connectionId, token }) =>
        writeFile(
          join(path, `${tokenFileId(connectionId, token.id)}.json`),
          JSON.stringify({ v: 1, connectionId, token }),
        ),
      ),
    );
    await created.rememberToken('a', { ...CREATED, id: 'late', createdAt: END + 1, expiresAt: null }, END);
    const next = await nextWindow();
    assert.equal((await readdir(path)).length, 500);
    const isKnown = (connectionId: string, id: string): boolean =>
      next.withRemembered(connectionId, { ...LISTED, id }).name === CREATED.name;
    assert.deepEqual(
      [isKnown('a', 't10'), isKnown('b', 't11'), isKnown('a', 't12'), isKnown('a', 't510'), isKnown('a', 'late')],
      [false, false, true, true, true],
    );
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
    const held = new CreatedTokens(folderAt(path), clock);
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

  test('is never stored', async () => {
    assert.match(await storedText(), /nightly ingestion/);
    assert.doesNotMatch(await storedText(), /eyJ/);
    assert.doesNotMatch(JSON.stringify(created.withRemembered('a', LISTED)), /eyJ/);
    assert.equal((await nextWindow()).heldSecretOf('a', CREATED.id), undefined);
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

// A window ends between any two writes, as in a crash. Whatever it leaves, the user can go on from there.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { originOf, type Connection, type StoredConnection } from '../../../src/connections/connection.ts';
import { isLaxerRole } from '../../../src/connections/role.ts';
import { replaceCredential, signInWith } from '../../../src/connections/signIn.ts';
import { systemNetwork } from '../../../src/service/http/network.ts';
import { Memory } from '../memory.ts';
import { stoppingAfter } from './interceptedStorage.ts';
import {
  addConnection,
  connectionTo,
  knownTo,
  openWindow,
  removeFrom,
  secretOf,
  sharedStorage,
  type SharedStorage,
  type Window,
} from './window.ts';

const [HERE, ELSEWHERE] = ['https://a.example.com', 'https://b.example.com'];
/** By the only origin that they may be sent to. */
const TOKENS: Readonly<Record<string, readonly string[]>> = {
  [HERE]: ['first-of-a', 'second-of-a'],
  [ELSEWHERE]: ['first-of-b'],
};
const [FIRST, SECOND, THEIRS] = ['first-of-a', 'second-of-a', 'first-of-b'];
/** More than anything takes that a user does at once. */
const MOST_WRITES = 20;

/** What a window does that may end. @param connection Undefined: there is none yet. */
type Work = (window: Window, connection: Connection) => Promise<unknown>;

/** What is true wherever it ended. @param now The connection as a later window has it. */
type Check = (now: Connection | undefined, token: string | undefined, before: Connection) => void;

interface Case {
  readonly what: string;
  /** Undefined: signed out. Null: not added yet. */
  readonly token: string | undefined | null;
  readonly work: Work;
  readonly check: Check;
}

function moveTo(baseUrl: string): (current: Connection) => Partial<StoredConnection> {
  return () => ({ baseUrl });
}

const CASES: readonly Case[] = [
  {
    what: 'is added',
    token: null,
    work: (window, connection) => addConnection(window, connection, FIRST),
    check: (now) => assert.ok(now === undefined || now.role === 'production', 'it has another role'),
  },
  {
    what: 'is signed in',
    token: undefined,
    work: (window, connection) => signInWith(window, connection, FIRST),
    check: (now, token) => assert.ok(now !== undefined && [undefined, FIRST].includes(token)),
  },
  {
    what: 'is signed in with another token',
    token: FIRST,
    work: (window, connection) => signInWith(window, connection, SECOND),
    check: (_, token) => assert.ok(token === FIRST || token === SECOND, 'there is no token'),
  },
  {
    what: 'gets the token of a rotation',
    token: FIRST,
    work: (window, connection) => replaceCredential(window, connection, SECOND, 'new'),
    check: (now, token) => {
      assert.ok(token === FIRST || token === SECOND, 'there is no token');
      assert.equal(now?.signIn?.tokenId, token === SECOND ? 'new' : undefined);
    },
  },
  {
    what: 'is signed out',
    token: FIRST,
    work: ({ credentials }, connection) => credentials.signOut(connection),
    check: (now, token) => assert.equal(now?.signedOutAt === undefined ? token : 'a token', token ?? 'a token'),
  },
  {
    what: 'is moved to another server, without a token for it',
    token: FIRST,
    work: async ({ store, credentials }, { id }) => {
      await store.change(id, moveTo(ELSEWHERE));
      await credentials.delete(id);
    },
    check: (now, token) => assert.equal(token, now?.baseUrl === HERE ? FIRST : undefined),
  },
  {
    what: 'is moved to another server with a token and a stricter role',
    token: FIRST,
    work: async (window, { id }) => {
      await window.store.setRole(id, { role: 'readOnly', chosen: true });
      const moved = await window.store.change(id, moveTo(ELSEWHERE));
      await signInWith(window, moved ?? assert.fail(), THEIRS);
    },
    check: (now, token) => {
      assert.ok(now?.baseUrl === HERE || now?.role === 'readOnly', 'it is not as strict there');
      assert.ok([undefined, now?.baseUrl === HERE ? FIRST : THEIRS].includes(token));
    },
  },
  {
    what: 'is removed',
    token: FIRST,
    work: (window, { id }) => removeFrom(window, id),
    check: (now, _, before) => assert.ok(now === undefined || !isLaxerRole(now.role, before.role), 'it is laxer'),
  },
];

suite('A window that ends', () => {
  for (const one of CASES) {
    // VS Code may have lost what was written to its own storage last.
    for (const copy of ['kept', 'lost'] as const) {
      test(`while a connection ${one.what} leaves what the user can go on with, its copy ${copy}`, async (context) => {
        for (let writes = 0, isDone = false; !isDone; writes++) {
          assert.ok(writes < MOST_WRITES);
          const shared = await sharedStorage(context);
          const before = await prepare(shared, one);
          const { storage, ended } = stoppingAfter(writes, shared);
          const work = one.work(await openWindow(storage), before).then(() => true);
          isDone = await Promise.race([work, ended.then(() => false)]);
          const left = copy === 'kept' ? shared : { ...shared, memory: new Memory() };
          await context.test(`after ${writes} writes`, (step) => checkState(step, left, one, before));
        }
      });
    }
  }
});

async function prepare(shared: SharedStorage, { token }: Case): Promise<Connection> {
  const connection = connectionTo(HERE, { role: 'production' });
  return token === null ? connection : addConnection(await openWindow(shared), connection, token);
}

async function checkState(context: TestContext, shared: SharedStorage, one: Case, before: Connection): Promise<void> {
  const sent: { readonly origin: string; readonly token: string | undefined }[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    const token = new Headers(init?.headers).get('authorization')?.replace('Bearer ', '');
    sent.push({ origin: new URL(String(input)).origin, token });
    return Promise.resolve(Response.json({ value: { indexSizes: [] } }));
  };
  const window = await openWindow(shared, { ...systemNetwork, fetch });
  context.after(() => [window.services, window.credentials, window.store].forEach((part) => part.dispose()));
  const { store, credentials, services } = window;
  assert.deepEqual([store.unreadable(), store.failure], [[], undefined]);
  const now = store.get(before.id);
  const token = now && (await credentials.read(now));
  one.check(store.get(before.id), token, before);

  if (now === undefined) {
    const added = await addConnection(window, connectionTo(HERE), SECOND);
    assert.equal(await credentials.read(added), SECOND);
  } else {
    await services.get(now).indices.listIndexSizes();
    assert.equal(sent.at(-1)?.token, token);
    // A later window signs in and out, and removes all of it.
    const again = originOf(now) === HERE ? SECOND : THEIRS;
    await signInWith(window, knownTo(window, now), again);
    await services.get(now).indices.listIndexSizes();
    assert.equal(sent.at(-1)?.token, again);
    await credentials.signOut(knownTo(window, now));
    await services.get(now).indices.listIndexSizes();
    assert.equal(sent.at(-1)?.token, undefined);
    await removeFrom(window, now.id);
    assert.deepEqual(store.all(), []);
    assert.equal(await secretOf(shared, now), undefined);
    for (const kind of ['connections', 'roles']) assert.deepEqual(await readdir(join(shared.path, kind)), []);
  }
  for (const { origin, token: given } of sent) {
    assert.ok(given === undefined || TOKENS[origin]?.includes(given), `${given} was sent to ${origin}`);
  }
}

// To be removed with src/migrate.ts. What 0.3.0 stored is taken over or deleted, wherever a start ends.
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { migrate } from '../../src/migrate.ts';
import { recordedStorage, refusing, stoppingAfter } from './connections/interceptedStorage.ts';
import { memorySecrets } from './connections/secretStorage.ts';
import { openWindow, sharedStorage, type SharedStorage } from './connections/window.ts';

const MAIN = '69425abd-8888-4225-bb14-5a656e8cd2d0';
const PLAIN = '7340da65-2c7d-4096-ac7e-6791acb4274c';
/** Its removal failed, so it was shown again. */
const KEPT = '0b5a2e91-642e-486b-ad86-48d6e0350024';
const REMOVED_BY_MARK = 'a0e58ef6-0f74-4806-b8df-cb628e1caf0d';
const REMOVED_BY_FILE = 'bb7c1df7-621a-45f4-9285-b1188d06f01c';
const REMOVED_BY_FIRST_RELEASE = 'c89fbb2a-e370-4404-ac57-00bc50f294a4';
const DAMAGED = 'f77bf6f7-334c-428a-9f79-e6dc44768c33';
const ALL = [MAIN, PLAIN, KEPT, REMOVED_BY_MARK, REMOVED_BY_FILE, REMOVED_BY_FIRST_RELEASE, DAMAGED];
const TAKEN = [KEPT, MAIN, PLAIN];

function oldConnection(id: string, more: object = {}): object {
  return {
    id,
    name: `Name of ${id.slice(0, 4)}`,
    baseUrl: 'https://datahub.example.com',
    actorUrn: 'urn:li:corpuser:jdoe',
    plainHttpConsent: false,
    createdAt: 1_795_279_997_786,
    credentialId: '3f9c00cc-df9e-486a-bad2-20e78b1ae435',
    credentialTokenId: 'own token',
    credentialLife: { since: 1, expiresAt: 2, credentialId: '3f9c00cc-df9e-486a-bad2-20e78b1ae435' },
    credentialSource: 'commandLineFile',
    role: 'development',
    ...more,
  };
}

const PLAIN_HTTP = {
  baseUrl: 'http://metadata.example.com:8080/base',
  plainHttpConsent: true,
  plainHttpOrigin: 'http://metadata.example.com:8080',
};

const GLOBAL_STATE: Readonly<Record<string, unknown>> = {
  indexOrder: 'name',
  'capabilities.of another connection': { operationsPath: '/operations' },
  [`addedIndices.${MAIN}`]: [{ entityType: 'dataset', aspect: 'operation' }],
  [`connection.${MAIN}`]: oldConnection(MAIN, { product: 'Acme-Meta' }),
  [`connection.${PLAIN}`]: oldConnection(PLAIN, PLAIN_HTTP),
  [`connection.${KEPT}`]: oldConnection(KEPT),
  [`connection.${REMOVED_BY_MARK}`]: oldConnection(REMOVED_BY_MARK),
  [`connection.${REMOVED_BY_FILE}`]: oldConnection(REMOVED_BY_FILE),
  [`connection.${REMOVED_BY_FIRST_RELEASE}`]: oldConnection(REMOVED_BY_FIRST_RELEASE),
  [`connection.${DAMAGED}`]: oldConnection(DAMAGED, { baseUrl: 'file:///etc/passwd' }),
  [`removing.${KEPT}`]: { deletedAt: 1_795_320_974_414, revision: 2 },
  [`removing.${REMOVED_BY_MARK}`]: { at: 1_795_320_974_414, isDone: true, revision: 1 },
  [`removing.${REMOVED_BY_FIRST_RELEASE}`]: true,
  [`removing.${crypto.randomUUID()}`]: { at: 1_795_320_974_414, isDone: true, revision: 1 },
  [`signedOut.${PLAIN}.063767bd-da8d-4844-8bc2-effa9e0f7eef`]: { at: 1 },
  [`truncation.${MAIN}.2bfb43dc-7666-418a-9964-82218f29f7e2`]: { connectionId: MAIN },
};
const RECORDS: Readonly<Record<string, unknown>> = {
  [`removing.${KEPT}`]: { deletedAt: 1_795_320_974_414, revision: 2 },
  [`removing.${REMOVED_BY_FILE}`]: { at: 1_795_320_974_414, isDone: false, revision: 1 },
  [`role.${MAIN}.1`]: { role: 'developmentChosen' },
};
const KEYS_THAT_STAY = ['capabilities.of another connection', 'indexOrder'];

interface Machine {
  readonly shared: SharedStorage;
  /** By key: what the keychain holds. */
  readonly secrets: Map<string, string>;
}

function oldSecret(token: string): string {
  return JSON.stringify({ token, origin: 'https://datahub.example.com', id: '3f9c00cc-df9e-486a-bad2-20e78b1ae435' });
}

async function machineOf030(context: TestContext): Promise<Machine> {
  const secrets = new Map(ALL.map((id) => [`credential.${id}`, oldSecret(`token of ${id}`)]));
  secrets.set('credential.of another profile', oldSecret('theirs'));
  const shared = { ...(await sharedStorage(context)), secrets: memorySecrets(secrets) };
  for (const [key, value] of Object.entries(GLOBAL_STATE)) await shared.memory.update(key, value);
  await mkdir(join(shared.path, 'records'));
  for (const [name, value] of Object.entries(RECORDS)) {
    await writeFile(join(shared.path, 'records', `${name}.json`), JSON.stringify(value));
  }
  for (const id of ['of another connection', ...ALL]) {
    await shared.folders('sizes').create(`${id.replaceAll(' ', '-')}.json`, '{}');
  }
  return { shared, secrets };
}

/** As startup.ts does: only where something of that version is. */
async function start({ path, folders, memory, secrets }: SharedStorage): Promise<void> {
  if (memory.keys().some((key) => key.startsWith('connection.') || key.startsWith('removing.'))) {
    await migrate({ secrets } as unknown as Parameters<typeof migrate>[0], memory, path, folders);
  }
}

/** All that is stored. Times of sign-outs are those of the start. */
async function stateOf({ shared, secrets }: Machine): Promise<object> {
  const names = (await readdir(shared.path, { recursive: true })).toSorted();
  const files = names
    .filter((name) => name.endsWith('.json'))
    .map(async (name) => [name, await readFile(join(shared.path, name), 'utf8')]);
  return {
    names,
    files: (await Promise.all(files)).map((file) => file.join(' ').replace(/"signedOutAt":\d{13}/, '"signedOutAt":0')),
    memory: shared.memory.text,
    secrets: [...secrets],
  };
}

suite('After an update from 0.3.0', () => {
  test('name, address and product of each connection are there, signed out and read-only', async (context) => {
    const { shared } = await machineOf030(context);
    const { storage, writes } = recordedStorage(shared);
    const before = Date.now();
    await start(storage);
    assert.deepEqual(
      writes.slice(0, 2),
      ['secrets.delete', 'connections.create'],
      'nothing else would find the secret',
    );
    const { store, credentials } = await openWindow(shared);
    const connections = store.all();
    assert.deepEqual(
      connections.map(({ id }) => id),
      TAKEN,
    );
    for (const connection of connections) {
      const { id, name, baseUrl, product, actorUrn: user, createdAt, signedOutAt = 0, ...others } = connection;
      assert.equal(name, `Name of ${id.slice(0, 4)}`);
      assert.equal(baseUrl, id === PLAIN ? PLAIN_HTTP.baseUrl : 'https://datahub.example.com');
      assert.deepEqual([product, user], [id === MAIN ? 'Acme-Meta' : undefined, undefined]);
      assert.ok(createdAt === 1_795_279_997_786 && signedOutAt >= before);
      // Neither a consent nor anything of a sign-in.
      assert.deepEqual(others, { role: 'readOnly', lacksRole: true });
      assert.equal(await credentials.read(connection), undefined);
    }
    assert.deepEqual([store.unreadable(), store.failure], [[], undefined]);
  });

  test('nothing else of that version is left, and nothing of others is touched', async (context) => {
    const on = await machineOf030(context);
    await start(on.shared);
    assert.deepEqual(on.shared.memory.keys().toSorted(), KEYS_THAT_STAY);
    for (const key of KEYS_THAT_STAY) assert.deepEqual(on.shared.memory.get(key), GLOBAL_STATE[key]);
    assert.deepEqual([...on.secrets.keys()], ['credential.of another profile']);
    assert.deepEqual((await readdir(on.shared.path, { recursive: true })).toSorted(), [
      'connections',
      ...TAKEN.map((id) => `connections/${id}.json`),
      'sizes',
      'sizes/of-another-connection.json',
    ]);
  });

  test('a secret that can’t be deleted leaves all of its connection to the next start', async (context) => {
    const on = await machineOf030(context);
    const before = await stateOf(on);
    await start(refusing(on.shared, 'secrets.delete'));
    assert.deepEqual(await stateOf(on), before);
    await start(on.shared);
    assert.deepEqual((await openWindow(on.shared)).store.all().length, TAKEN.length);
  });

  test('a token that a sign-in stores before an interrupted start is repeated stays', async (context) => {
    const on = await machineOf030(context);
    await start(refusing(on.shared, 'memory.update'));
    on.secrets.set(`credential.${MAIN}`, 'new');
    await start(on.shared);
    assert.equal(on.secrets.get(`credential.${MAIN}`), 'new');
  });

  test('a start that ends after any write is repeated by the next one, with the same result', async (context) => {
    const whole = await machineOf030(context);
    await start(whole.shared);
    const expected = await stateOf(whole);
    const most = Object.keys(GLOBAL_STATE).length + 3 * ALL.length + 1;
    for (let writes = 0, isDone = false; !isDone; writes++) {
      assert.ok(writes <= most);
      const on = await machineOf030(context);
      const { storage, ended } = stoppingAfter(writes, on.shared);
      isDone = await Promise.race([start(storage).then(() => true), ended.then(() => false)]);
      const [{ store }] = [await openWindow(on.shared)];
      assert.ok(store.all().every(({ id, role }) => TAKEN.includes(id) && role === 'readOnly'));
      await start(on.shared);
      await context.test(`after ${writes} writes`, async () => assert.deepEqual(await stateOf(on), expected));
    }
  });
});

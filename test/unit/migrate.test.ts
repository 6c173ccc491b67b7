// To be removed with src/migrate.ts.
import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { migrate } from '../../src/migrate.ts';
import { refusing } from './connections/interceptedStorage.ts';
import { memorySecrets } from './connections/secretStorage.ts';
import { openWindow, sharedStorage, type SharedStorage } from './connections/window.ts';

const [MAIN, REMOVED] = ['69425abd-8888-4225-bb14-5a656e8cd2d0', 'a0e58ef6-0f74-4806-b8df-cb628e1caf0d'];
const ORIGIN = 'http://metadata.example.com:8080';
const OLD = {
  name: 'Main',
  baseUrl: `${ORIGIN}/base`,
  product: 'Acme-Meta',
  actorUrn: 'urn:li:corpuser:jdoe',
  plainHttpConsent: true,
  plainHttpOrigin: ORIGIN,
  createdAt: 1_795_279_997_786,
  credentialLife: { since: 1, expiresAt: 2 },
  role: 'development',
};
const SECRETS = [MAIN, REMOVED, 'of another profile'].map((id) => `credential.${id}`);

async function storageOf030(context: TestContext, secrets: Map<string, string>): Promise<SharedStorage> {
  SECRETS.forEach((key) => secrets.set(key, JSON.stringify({ token: 'a-token', origin: ORIGIN })));
  const shared = { ...(await sharedStorage(context)), secrets: memorySecrets(secrets) };
  for (const [key, value] of Object.entries({
    indexOrder: 'name',
    [`addedIndices.${MAIN}`]: [{ entityType: 'dataset', aspect: 'operation' }],
    [`connection.${MAIN}`]: { id: MAIN, ...OLD },
    [`connection.${REMOVED}`]: { id: REMOVED, ...OLD },
    [`removing.${REMOVED}`]: { at: 1_795_320_974_414, isDone: true, revision: 1 },
  })) {
    await shared.memory.update(key, value);
  }
  await mkdir(join(shared.path, 'records'));
  await writeFile(join(shared.path, 'records', `role.${MAIN}.1.json`), '{"role":"developmentChosen"}');
  return shared;
}

async function start({ path, folders, memory, secrets }: SharedStorage): Promise<void> {
  await migrate({ secrets } as unknown as Parameters<typeof migrate>[0], memory, path, folders);
}

suite('After an update from 0.3.0', () => {
  test('name, address and product are there, signed out and read-only, and secrets and all else are gone', async (context) => {
    const secrets = new Map<string, string>();
    const shared = await storageOf030(context, secrets);
    await start(refusing(shared, 'secrets.delete'));
    assert.deepEqual(
      [[...secrets.keys()], (await openWindow(shared)).store.all()],
      [SECRETS, []],
      'left for the next start',
    );
    await start(shared);
    const { store, credentials } = await openWindow(shared);
    const [{ signedOutAt = 0, ...connection } = assert.fail(), ...others] = store.all();
    const { name, baseUrl, product, createdAt } = OLD;
    assert.deepEqual(connection, {
      id: MAIN,
      name,
      baseUrl,
      product,
      createdAt,
      actorUrn: undefined,
      role: 'readOnly',
      lacksRole: true,
    });
    assert.ok(others.length === 0 && signedOutAt > createdAt);
    assert.equal(await credentials.read(connection), undefined);
    assert.deepEqual([shared.memory.keys(), [...secrets.keys()]], [['indexOrder'], ['credential.of another profile']]);
    const files = (await readdir(shared.path, { recursive: true })).toSorted();
    assert.deepEqual(files, ['connections', `connections/${MAIN}.json`]);
  });

  test('a token that is stored before an interrupted start is repeated stays', async (context) => {
    const secrets = new Map<string, string>();
    const shared = await storageOf030(context, secrets);
    await start(refusing(shared, 'memory.update'));
    secrets.set(`credential.${MAIN}`, 'new');
    await start(shared);
    assert.equal(secrets.get(`credential.${MAIN}`), 'new');
  });
});

/** The parts of a window that need no VS Code, with real files and a storage in memory. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Connection } from '../../../src/connections/connection.ts';
import { ConnectionStore } from '../../../src/connections/connectionStore.ts';
import { CredentialStore, type SecretStorage, type TokenOrigin } from '../../../src/connections/credentialStore.ts';
import { removeConnection } from '../../../src/connections/removal.ts';
import { offeredRole, type StoredRole } from '../../../src/connections/role.ts';
import { ServicePool } from '../../../src/connections/servicePool.ts';
import { signInWith } from '../../../src/connections/signIn.ts';
import { foldersIn, type Folders } from '../../../src/platform/folder.ts';
import { systemNetwork, type NetworkAccess } from '../../../src/service/http/network.ts';
import { systemClock, type Clock } from '../../../src/time.ts';
import { JobStore } from '../../../src/truncation/jobStore.ts';
import { Memory } from '../memory.ts';
import { ME } from '../service/clients.ts';
import { memorySecrets } from './secretStorage.ts';

/** Storage shared by all windows of a user. */
export interface SharedStorage {
  /** Path of the files. */
  readonly path: string;
  /** At that path. */
  readonly folders: Folders;
  /** VS Code's global state. */
  readonly memory: Memory;
  readonly secrets: SecretStorage;
}

export interface Window {
  readonly store: ConnectionStore;
  readonly credentials: CredentialStore;
  readonly services: ServicePool;
  readonly jobs: JobStore;
}

/** Removed after the test. */
export async function sharedStorage(context: Pick<TestContext, 'after'>): Promise<SharedStorage> {
  const path = await mkdtemp(join(tmpdir(), 'metadata-service-window-'));
  context.after(() => rm(path, { recursive: true, force: true }));
  return { path, folders: foldersIn(path), memory: new Memory(), secrets: memorySecrets() };
}

/** A window that has read no file yet. */
export function windowOn(
  { folders, memory, secrets }: SharedStorage,
  network: NetworkAccess = systemNetwork,
  clock: Clock = systemClock,
): Window {
  const store = new ConnectionStore(folders, memory, new Memory());
  const credentials = new CredentialStore(secrets, store, clock);
  const log = { exchange: () => undefined, bug: () => undefined };
  return {
    store,
    credentials,
    services: new ServicePool(store, credentials, memory, {
      timeoutMillis: () => 20_000,
      network: { ...network, clock },
      log,
    }),
    jobs: new JobStore(folders('jobs')),
  };
}

/** A window that has read the connections and truncations. */
export async function openWindow(
  shared: SharedStorage,
  network: NetworkAccess = systemNetwork,
  clock: Clock = systemClock,
): Promise<Window> {
  const window = windowOn(shared, network, clock);
  await Promise.all([window.store.load(), window.jobs.load()]);
  return window;
}

/** A connection that no store has. */
export function connectionTo(baseUrl: string, more: Partial<Connection> = {}): Connection {
  return {
    id: crypto.randomUUID(),
    name: 'Somewhere',
    baseUrl,
    typedUser: more.actorUrn ?? ME,
    actorUrn: ME,
    product: 'DataHub',
    createdAt: 1,
    role: 'development',
    ...more,
  };
}

/**
 * Adds a connection to a window, and to the files.
 * @param token Signs in with it. @returns the connection as it is stored.
 */
export async function addConnection(
  { store, credentials }: Pick<Window, 'store' | 'credentials'>,
  connection: Connection,
  token?: string,
  origin?: TokenOrigin,
): Promise<Connection> {
  const { role, signIn: _signIn, actorUrn: _user, ...fields } = connection;
  await store.add(fields, storedRole(role));
  const added = (): Connection => store.get(connection.id) ?? assert.fail(`${connection.name} was not added.`);
  if (token !== undefined) {
    await signInWith({ store, credentials }, added(), token, origin);
  }
  return added();
}

/** Removes a connection for which nothing else is stored. */
export function removeFrom(window: Window, id: string): Promise<void> {
  return removeConnection({ ...window, forgetConnection: () => Promise.resolve() }, id);
}

/** The file of a role. */
export function storedRole(role: Connection['role']): StoredRole {
  return { role: offeredRole(role), chosen: role === 'developmentChosen' };
}

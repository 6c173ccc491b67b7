/** The parts of a window that need no VS Code, with real files and a storage in memory. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Connection } from '../../../src/connections/connection.ts';
import { ConnectionStore } from '../../../src/connections/connectionStore.ts';
import { CredentialStore, type SecretStorage, type TokenOrigin } from '../../../src/connections/credentialStore.ts';
import { removeConnection } from '../../../src/connections/removal.ts';
import { ServicePool } from '../../../src/connections/servicePool.ts';
import { signInWith } from '../../../src/connections/signIn.ts';
import { foldersIn, type Folders } from '../../../src/platform/folder.ts';
import { systemNetwork, type NetworkAccess } from '../../../src/service/http/network.ts';
import { systemClock, type Clock } from '../../../src/time.ts';
import { JobStore } from '../../../src/truncation/jobStore.ts';
import { Memory } from '../memory.ts';
import { temporaryFolder } from '../platform/temporaryFolder.ts';
import { ME } from '../service/clients.ts';
import { SteppedClock } from '../steppedClock.ts';
import { memorySecrets } from './secretStorage.ts';

/** Storage shared by all windows of a user. */
export interface SharedStorage {
  readonly path: string;
  /** At that path. */
  readonly folders: Folders;
  readonly memory: Memory;
  readonly secrets: SecretStorage;
}

export interface Window {
  readonly store: ConnectionStore;
  readonly credentials: CredentialStore;
  readonly services: ServicePool;
  readonly jobs: JobStore;
}

export async function sharedStorage(context: Pick<TestContext, 'after'>): Promise<SharedStorage> {
  const path = await temporaryFolder(context);
  return { path, folders: foldersIn(path), memory: new Memory(), secrets: memorySecrets() };
}

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

export interface Machine {
  readonly shared: SharedStorage;
  readonly clock: SteppedClock;
  readonly window: Window;
  readonly connection: Connection;
  /** Opens another window. @param other What of the storage is another one for it. */
  readonly open: (other?: Partial<SharedStorage>) => Promise<Window>;
}

/** A machine with a window and a connection. @param token Signed in with it. */
export async function machine(
  context: Pick<TestContext, 'after'>,
  token?: string,
  { connection = connectionTo('https://a.example.com'), network = systemNetwork } = {},
): Promise<Machine> {
  const shared = await sharedStorage(context);
  const clock = new SteppedClock();
  const open = (other: Partial<SharedStorage> = {}): Promise<Window> =>
    openWindow({ ...shared, ...other }, network, clock);
  const window = await open();
  return { shared, clock, window, connection: await addConnection(window, connection, token), open };
}

export function knownTo({ store }: Pick<Window, 'store'>, { id }: Pick<Connection, 'id'>): Connection {
  return store.get(id) ?? assert.fail('The window knows no such connection.');
}

export async function secretOf(
  { secrets }: SharedStorage,
  { id }: Pick<Connection, 'id'>,
): Promise<string | undefined> {
  return secrets.get(`credential.${id}`);
}

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
  await store.add(fields, role);
  if (token !== undefined) {
    await signInWith({ store, credentials }, knownTo({ store }, connection), token, origin);
  }
  return knownTo({ store }, connection);
}

export function removeFrom(window: Window, id: string): Promise<void> {
  return removeConnection({ ...window, forgetConnection: () => Promise.resolve() }, id);
}

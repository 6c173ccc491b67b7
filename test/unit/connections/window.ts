/** The parts of a window that need no VS Code, with real files and a storage in memory. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Connection } from '../../../src/connections/connection.ts';
import { ConnectionStore } from '../../../src/connections/connectionStore.ts';
import { ServicePool } from '../../../src/connections/servicePool.ts';
import { CredentialStore, type SecretStorage } from '../../../src/connections/credentialStore.ts';
import { durableFolder } from '../../../src/platform/durableFolder.ts';
import { Emitter } from '../../../src/platform/events.ts';
import { systemClock, type Clock } from '../../../src/time.ts';
import { systemNetwork, type NetworkAccess } from '../../../src/service/http/network.ts';
import { TruncationStore } from '../../../src/truncation/truncationStore.ts';
import { Memory } from '../memory.ts';
import { ME } from '../service/clients.ts';

/** Storage shared by all windows of a user. */
export interface SharedStorage {
  /** Path of the durable files. */
  readonly path: string;
  readonly memory: Memory;
  readonly secrets: SecretStorage;
}

export interface Window {
  readonly store: ConnectionStore;
  readonly credentials: CredentialStore;
  readonly services: ServicePool;
  readonly records: TruncationStore;
}

/** Removed after the test. */
export async function sharedStorage(context: Pick<TestContext, 'after'>): Promise<SharedStorage> {
  const path = await mkdtemp(join(tmpdir(), 'metadata-service-window-'));
  context.after(() => rm(path, { recursive: true, force: true }));
  return { path, memory: new Memory(), secrets: secretStorage() };
}

export function windowOn(
  { path, memory, secrets }: SharedStorage,
  network: NetworkAccess = systemNetwork,
  clock: Clock = systemClock,
): Window {
  const folder = durableFolder(path);
  const store = new ConnectionStore(memory, new Memory(), folder, clock);
  const credentials = new CredentialStore(secrets, memory, folder, clock);
  const log = { exchange: () => undefined, bug: () => undefined };
  return {
    store,
    credentials,
    services: new ServicePool(store, credentials, memory, {
      timeoutMillis: () => 20_000,
      network: { ...network, clock },
      log,
    }),
    records: new TruncationStore(memory, folder, clock),
  };
}

export function connectionTo(baseUrl: string, more: Partial<Connection> = {}): Connection {
  return {
    id: crypto.randomUUID(),
    name: 'Somewhere',
    baseUrl,
    actorUrn: ME,
    product: 'DataHub',
    plainHttpConsent: false,
    createdAt: 1,
    credentialId: crypto.randomUUID(),
    ...more,
  };
}

function secretStorage(): SecretStorage {
  const stored = new Map<string, string>();
  const changed = new Emitter<{ readonly key: string }>();
  return {
    get: (key) => Promise.resolve(stored.get(key)),
    store: (key, value) => {
      stored.set(key, value);
      changed.fire({ key });
      return Promise.resolve();
    },
    delete: (key) => {
      stored.delete(key);
      changed.fire({ key });
      return Promise.resolve();
    },
    onDidChange: changed.event,
  };
}

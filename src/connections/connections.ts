/** Which servers there are, the credentials for them, and the services that talk to them. */
import type { DurableFolder } from '../platform/durableFolder.ts';
import type { Memento } from '../platform/memento.ts';
import type { Clock } from '../service/clock.ts';
import { systemNetwork } from '../service/http/transport.ts';
import type { Log } from '../ui/log.ts';
import { settings } from '../ui/settings.ts';
import { ConnectionStore } from './connectionStore.ts';
import type { CredentialStore } from './credentialStore.ts';
import { ServicePool } from './servicePool.ts';

export interface Connections {
  readonly store: ConnectionStore;
  readonly credentials: CredentialStore;
  readonly services: ServicePool;
}

interface Storage {
  /** Of all windows. */
  readonly shared: Memento;
  readonly workspace: Memento;
  readonly folder: DurableFolder;
  readonly clock: Clock;
}

export function createConnections(
  credentials: CredentialStore,
  { shared, workspace, folder, clock }: Storage,
  log: Log,
): Connections {
  const store = new ConnectionStore(shared, workspace, folder, clock);
  const services = new ServicePool(store, credentials, shared, {
    timeoutMillis: settings.requestTimeoutMillis,
    network: systemNetwork,
    log,
  });
  return { store, credentials, services };
}

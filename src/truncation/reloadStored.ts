/** Learning what other windows stored. */
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { CredentialStore } from '../connections/credentialStore.ts';
import type { TruncationStore } from './truncationStore.ts';

/** What is stored, and shared with other windows. */
export interface Stored {
  readonly store: ConnectionStore;
  readonly credentials: CredentialStore;
  readonly records: TruncationStore;
}

/** Learns what other windows stored: not every platform tells, and none tells at once. Never throws. */
export async function reloadStored({ store, credentials, records }: Stored): Promise<void> {
  // The credentials first: what is loaded anew for a changed connection is not asked for with the one from before.
  await credentials.reload(store.all()).catch(() => undefined);
  await Promise.all([store.reload(), records.reload()]).catch(() => undefined);
}

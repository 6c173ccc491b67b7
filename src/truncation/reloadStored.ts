/** Learning what other windows stored. */
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { Vault } from '../connections/credentialStore.ts';
import type { TruncationRecords } from './truncationStore.ts';

/** What is stored, and shared with other windows. */
export interface Stored {
  readonly store: ConnectionStore;
  readonly vault: Vault;
  readonly records: TruncationRecords;
}

/** Learns what other windows stored: not every platform tells, and none tells at once. Never throws. */
export async function reloadStored({ store, vault, records }: Stored): Promise<void> {
  // The credentials first: what is loaded anew for a changed connection is not asked for with the one from before.
  await vault.reload(store.all()).catch(() => undefined);
  await Promise.all([store.reload(), records.reload()]).catch(() => undefined);
}

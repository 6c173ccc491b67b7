/**
 * The one place that learns of changes by other windows: when the window gets the focus, when the tree is shown or
 * refreshed, before a truncation is sent, and before its record is updated.
 *
 * Batches aren't included: the overview reads them when it is shown, and a batch reads them before it goes on. Nor are
 * tokens: those that were created or superseded are in VS Code's storage, which is always current, and one revoked in
 * another window stays listed until the list is loaded again.
 */
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { CredentialStore } from '../connections/credentialStore.ts';
import type { TruncationStore } from './truncationStore.ts';

/** Stores whose files are shared with other windows. */
export interface SharedStores {
  readonly store: ConnectionStore;
  readonly credentials: CredentialStore;
  readonly records: TruncationStore;
}

/** Reads what other windows stored. Not every platform reports changes, and none does so at once. Never throws. */
export async function reloadSharedStores({ store, credentials, records }: SharedStores): Promise<void> {
  // Credentials first, so that a changed connection isn't loaded with its former credential.
  await credentials.reload(store.all()).catch(() => undefined);
  await Promise.all([store.reload(), records.reload()]).catch(() => undefined);
}

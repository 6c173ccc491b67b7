/** Signing in and out: which credential belongs to a connection, and that no other passes for it. */
import { withNewCredential } from './connection.ts';
import type { Connection } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import type { Kept, Vault } from './credentialStore.ts';

interface Parts {
  readonly store: ConnectionStore;
  readonly vault: Vault;
}

/** @returns the connection as it was saved, and where its credential is. */
export async function saveSignedIn({ store, vault }: Parts, connection: Connection, token: string): Promise<{ readonly connection: Connection; readonly kept: Kept }> {
  const saved = withNewCredential(connection);
  // The token first: a connection that shows up signed in has its credential already.
  const kept = await vault.store(saved, token);
  await store.save(saved);
  return { connection: saved, kept };
}

/** @throws ServiceFailure `storage` when the credential could not be deleted; it is not used any more all the same. */
export async function signOut({ store, vault }: Parts, connection: Connection): Promise<void> {
  const { credentialTokenId: _gone, ...rest } = connection;
  await vault.invalidate(connection);
  await store.save(withNewCredential(rest));
  await vault.forget(connection.id);
}

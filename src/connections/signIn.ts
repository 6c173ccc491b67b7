/** Signing in and out: which credential belongs to a connection, and that no other passes for it. */
import * as l10n from '@vscode/l10n';
import { ServiceFailure } from '../service/failure/failure.ts';
import { withNewCredential } from './connection.ts';
import type { Connection } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import type { Kept, CredentialStore } from './credentialStore.ts';

interface Parts {
  readonly store: ConnectionStore;
  readonly credentials: CredentialStore;
}

/**
 * @param read The connection as it was when the sign-in began.
 * @returns the connection as it was saved, and where its credential is.
 */
export async function saveSignedIn(
  parts: Parts,
  connection: Connection,
  token: string,
  read = parts.store.get(connection.id),
): Promise<{ readonly connection: Connection; readonly kept: Kept }> {
  const saved = withNewCredential(connection);
  return { connection: saved, kept: await saveWithCredential(parts, saved, token, read) };
}

/**
 * Stores a credential and the connection that it belongs to: neither without the other.
 * @param saved With a new `credentialId`.
 * @param read The connection as it was when this began; undefined: it is new.
 * @throws ServiceFailure `storage` if the connection was removed in the meantime.
 */
export async function saveWithCredential(
  { store, credentials }: Parts,
  saved: Connection,
  token: string,
  read: Connection | undefined,
): Promise<Kept> {
  // VS Code tells nothing of a removal in another window. Of a connection that is gone nobody would delete the credential.
  await store.reload().catch(() => undefined);
  if (read !== undefined && store.get(saved.id) === undefined) {
    throw removedMeanwhile();
  }
  // The token first: a connection that shows up signed in has its credential already.
  const kept = await credentials.store(saved, token);
  try {
    await store.save(saved, read);
  } finally {
    // New and not saved, or removed while the secret storage took its time.
    if (store.get(saved.id) === undefined) {
      await credentials.forget(saved.id).catch(() => undefined);
    }
  }
  return kept;
}

/** What was to be saved belongs to a connection that is there no more. */
export function removedMeanwhile(): ServiceFailure {
  return new ServiceFailure('storage', l10n.t('The connection was removed in the meantime, so nothing was saved.'), {
    next: l10n.t('Add it again.'),
  });
}

/** @throws ServiceFailure `storage` when the credential could not be deleted; it is not used any more all the same. */
export async function signOut({ store, credentials }: Parts, connection: Connection): Promise<void> {
  await credentials.invalidate(connection);
  try {
    // At once: a crash or a full disk must not leave the credential behind.
    await credentials.forget(connection.id);
  } finally {
    // As it is now: another window may have changed it while this was asked about.
    const { credentialTokenId: _gone, ...rest } = store.get(connection.id) ?? connection;
    await store.save(withNewCredential(rest));
  }
}

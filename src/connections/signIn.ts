/** Signing in and out: which credential belongs to a connection, and that no other passes for it. */
import * as l10n from '@vscode/l10n';
import { ServiceFailure } from '../service/failure/failure.ts';
import { identityOf, withNewCredential } from './connection.ts';
import type { Connection } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import type { Kept, CredentialStore } from './credentialStore.ts';

interface Parts {
  readonly store: ConnectionStore;
  readonly credentials: CredentialStore;
}

/**
 * Stores a credential and the connection that it belongs to: neither without the other.
 * @param read The connection as it was when the sign-in began; undefined: it is new.
 * @returns the connection as it was saved, and where its credential is.
 * @throws ServiceFailure `storage` if another window moved or removed it while a keychain took its time: neither is undone.
 */
export async function saveSignedIn(
  { store, credentials }: Parts,
  connection: Connection,
  token: string,
  read = store.get(connection.id),
): Promise<{ readonly connection: Connection; readonly kept: Kept }> {
  const saved = withNewCredential(connection);
  // VS Code doesn't report removals in other windows. Nothing would ever delete the credential of a removed connection.
  await store.reload().catch(() => undefined);
  if (read !== undefined && store.get(saved.id) === undefined) {
    throw removedMeanwhile();
  }
  // The token first: a connection that shows up signed in has its credential already.
  const kept = await credentials.store(saved, token);
  try {
    const now = store.get(saved.id);
    if (read !== undefined && now !== undefined && identityOf(now) !== identityOf(read)) {
      throw new ServiceFailure(
        'storage',
        l10n.t("The connection was changed in the meantime, so the access token wasn't kept."),
        { next: l10n.t('Sign in again.') },
      );
    }
    await store.save(saved, read);
  } finally {
    // New and not saved, or removed while the secret storage took its time.
    if (store.get(saved.id) === undefined) {
      await credentials.forget(saved.id).catch(() => undefined);
    }
  }
  if (store.get(saved.id) === undefined) {
    throw removedMeanwhile();
  }
  return { connection: saved, kept };
}

/** The failure if a change can't be saved because its connection was removed. */
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

/** Signs in and out, so that only the connection's own credential is used. */
import * as l10n from '@vscode/l10n';
import { ServiceFailure } from '../service/failure/failure.ts';
import { identityOf, sessionOf, withNewCredential, type Connection } from './connection.ts';
import { credentialLifeOf } from './credentialLife.ts';
import type { CredentialPlace } from './credentialStore.ts';
import type { ConnectionParts } from './servicePool.ts';

type SignInParts = Pick<ConnectionParts, 'store' | 'credentials'>;

/**
 * Stores a credential together with its connection.
 * @param read The connection when the sign-in began. Undefined for a new one.
 * @returns the saved connection, and where its credential is.
 * @throws ServiceFailure `storage` if another window moved or removed it meanwhile, since a keychain may be slow.
 */
export async function saveSignedIn(
  { store, credentials }: SignInParts,
  connection: Connection,
  token: string,
  read = store.get(connection.id),
): Promise<{ readonly connection: Connection; readonly kept: CredentialPlace }> {
  const renewed = withNewCredential(connection);
  const credentialLife = credentialLifeOf(token, renewed.credentialId, Date.now());
  // Only a new connection comes with its token from elsewhere.
  const credentialSource = read === undefined ? connection.credentialSource : undefined;
  const saved: Connection = {
    ...renewed,
    ...(credentialLife && { credentialLife }),
    ...(credentialSource && { credentialSource }),
  };
  // VS Code reports no removal, so nothing would delete it.
  await store.reload().catch(() => undefined);
  if (read !== undefined && store.get(saved.id) === undefined) {
    throw removedMeanwhile();
  }
  // The token first: no connection looks signed in without it.
  const kept = await credentials.store(saved, token);
  try {
    const now = store.get(saved.id);
    if (read !== undefined && now !== undefined && identityOf(now) !== identityOf(read)) {
      throw changedMeanwhile();
    }
    await store.save(saved, read);
  } finally {
    // A new connection wasn't saved, or it was removed meanwhile.
    if (store.get(saved.id) === undefined) {
      await credentials.forgetCredential(saved.id).catch(() => undefined);
    }
  }
  if (store.get(saved.id) === undefined) {
    throw removedMeanwhile();
  }
  return { connection: saved, kept };
}

/**
 * Replaces the credential of a connection. Wherever it is interrupted, the connection has a token that works.
 * @param read The connection whose credential is replaced.
 * @param credentialTokenId ID of the new token, if known.
 * @returns the saved connection.
 * @throws ServiceFailure `storage`. The former token may be in use still, so it must stay valid.
 */
export async function replaceCredential(
  { store, credentials }: SignInParts,
  read: Connection,
  token: string,
  credentialTokenId: string | undefined,
): Promise<Connection> {
  await signedInConnection({ store, credentials }, read);
  const lastSignOut = credentials.lastSignOut(read.id);
  const { credentialId } = withNewCredential(read);
  const save = async (current: Connection): Promise<Connection> => {
    const credentialLife = credentialLifeOf(token, credentialId, Date.now());
    const saved = { ...withNewCredential(current), credentialId, credentialTokenId, credentialLife };
    await store.save(saved, current);
    return saved;
  };
  await credentials.replace({ ...read, credentialId, credentialTokenId }, token, read.credentialId);
  try {
    return await save(sameConnection(store, read));
  } catch (thrown) {
    const current = await overwrittenConnection({ store, credentials }, read, lastSignOut);
    const saved = current === 'usesStored' ? undefined : current && (await save(current).catch(() => undefined));
    if (saved === undefined && current !== 'usesStored') {
      // It was removed or signed out meanwhile, and nothing else would delete the token.
      await credentials.forgetCredential(read.id).catch(() => undefined);
    }
    if (saved === undefined) {
      throw thrown;
    }
    return saved;
  }
}

/**
 * Another window may have signed in or rotated first, so that a token is written over that one.
 * @returns the connection that has no token since. `usesStored` if it has one, undefined if it must have none.
 */
async function overwrittenConnection(
  { store, credentials }: SignInParts,
  read: Connection,
  lastSignOut: number,
): Promise<Connection | 'usesStored' | undefined> {
  await Promise.all([store.reload(), credentials.reloadSignOuts()]).catch(() => undefined);
  const current = store.get(read.id);
  const token = current && (await credentials.read(current).catch(() => 'unknown'));
  if (token !== undefined) {
    return 'usesStored';
  }
  const isSame = current !== undefined && identityOf(current) === identityOf(read);
  return isSame && credentials.lastSignOut(read.id) === lastSignOut ? current : undefined;
}

/** @throws ServiceFailure `storage` if another window removed it, signed it in or out, or moved it. */
async function signedInConnection({ store, credentials }: SignInParts, read: Connection): Promise<void> {
  await Promise.all([store.reload(), credentials.reloadSignOuts()]).catch(() => undefined);
  if ((await credentials.read(sameConnection(store, read))) === undefined) {
    throw changedMeanwhile();
  }
}

function sameConnection(store: ConnectionParts['store'], read: Connection): Connection {
  const current = store.get(read.id);
  if (current === undefined) {
    throw removedMeanwhile();
  }
  if (sessionOf(current) !== sessionOf(read)) {
    throw changedMeanwhile();
  }
  return current;
}

/** Failure of a change whose connection was removed meanwhile. */
export function removedMeanwhile(): ServiceFailure {
  return new ServiceFailure('storage', l10n.t('The connection was removed in the meantime, so nothing was saved.'), {
    next: l10n.t('Add it again.'),
  });
}

/** Failure of a sign-in to another server or user meanwhile. */
export function changedMeanwhile(): ServiceFailure {
  return new ServiceFailure(
    'storage',
    l10n.t("The connection was changed in the meantime, so the access token wasn't kept."),
    { next: l10n.t('Sign in again.') },
  );
}

/** @throws ServiceFailure `storage` if the credential stays, though unused. */
export async function signOutOfConnection({ store, credentials }: SignInParts, connection: Connection): Promise<void> {
  await credentials.markSignedOut(connection);
  try {
    // Right away: a crash must not leave the credential.
    await credentials.forgetCredential(connection.id);
  } finally {
    // Another window may have changed it during the question.
    const current = store.get(connection.id) ?? connection;
    await store.save(withNewCredential({ ...current, credentialTokenId: undefined }));
  }
}

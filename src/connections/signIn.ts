/** Signs in and out, so that only the connection's own credential is used. */
import * as l10n from '@vscode/l10n';
import { ServiceFailure } from '../service/failure/failure.ts';
import type { AdditionalHeaders } from '../service/http/transport.ts';
import { identityOf, sessionOf, type Connection } from './connection.ts';
import type { TokenOrigin } from './credentialStore.ts';
import type { ConnectionParts } from './servicePool.ts';

type SignInParts = Pick<ConnectionParts, 'store' | 'credentials'>;

/**
 * Stores the credential of a stored connection.
 * @param read The connection that it was typed or created for.
 * @param headers Undefined if those that are stored stay.
 * @returns the connection from then on. @throws ServiceFailure `storage` if it can't be stored, or another window moved,
 * removed or signed out the connection meanwhile, since a keychain may be slow. The former token may be in use still.
 */
export async function signInWith(
  { store, credentials }: SignInParts,
  read: Connection,
  token: string | undefined,
  origin: TokenOrigin = {},
  headers?: AdditionalHeaders,
): Promise<Connection> {
  // Nothing is stored while the files can't be read.
  await store.getFresh(read.id);
  const before = sameConnection(store, read, identityOf);
  await credentials.store(before, token, origin, headers);
  await store.reload();
  const now = store.get(read.id);
  if (now === undefined && !store.unreadable().includes(read.id)) {
    // Nothing else would delete the token.
    await credentials.delete(read.id).catch(() => undefined);
    throw changedMeanwhile();
  }
  if (now?.signIn === undefined || now.signedOutAt !== before.signedOutAt) {
    // Signed out, perhaps in again, which a reading completes, or led elsewhere, where the token is none.
    await (now && credentials.read(now).catch(() => undefined));
    throw changedMeanwhile();
  }
  return now;
}

/**
 * Replaces the token that a connection signs in with. The secret storage holds the former or the new one, wherever this
 * is interrupted.
 * @param read The connection as it was when the new token was created.
 * @throws as `signInWith` does.
 */
export async function replaceCredential(
  { store, credentials }: SignInParts,
  read: Connection,
  token: string,
  tokenId: string | undefined,
): Promise<Connection> {
  await Promise.all([store.getFresh(read.id), credentials.reload()]);
  const before = sameConnection(store, read, sessionOf);
  if ((await credentials.read(before)) === undefined) {
    throw changedMeanwhile();
  }
  return signInWith({ store, credentials }, before, token, { user: before.signIn?.user, tokenId });
}

/** @param keyOf What must not have changed. */
function sameConnection(
  store: ConnectionParts['store'],
  read: Connection,
  keyOf: (connection: Connection) => string,
): Connection {
  const current = store.get(read.id);
  if (current === undefined) {
    throw changedMeanwhile();
  }
  if (keyOf(current) !== keyOf(read)) {
    throw changedMeanwhile();
  }
  return current;
}

/** Failure of a change to a connection that was removed, or led to another server or user meanwhile. */
export function changedMeanwhile(): ServiceFailure {
  return new ServiceFailure('storage', l10n.t('The connection was changed or removed in the meantime.'), {
    next: l10n.t('Try again.'),
  });
}

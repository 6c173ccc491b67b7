/** The role as it is now, for whatever changes something on a server: another window may change it while a question stands open. */
import { ServiceFailure, readOnly } from '../service/failure/failure.ts';
import * as l10n from '@vscode/l10n';
import { identityOf } from './connection.ts';
import type { Connection } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import { isLaxer } from './role.ts';

type FreshConnections = Pick<ConnectionStore, 'getFresh'>;

/**
 * Looks whether the connection is still the one that is meant: a question about a server is none about the next, and a connection that
 * was removed changes nothing any more, even on servers that ask for no token.
 * @returns the role it has now.
 * @throws ServiceFailure `storage` if it is gone or leads elsewhere by now, or if the role can't be read.
 */
export async function currentRole(store: FreshConnections, connection: Connection): Promise<Connection['role']> {
  const current = await store.getFresh(connection.id);
  if (current === undefined || identityOf(current) !== identityOf(connection)) {
    throw connectionChanged();
  }
  return current.role;
}

/** The failure if the connection was removed, or now has another server or user. */
export function connectionChanged(): ServiceFailure {
  return new ServiceFailure(
    'storage',
    l10n.t('The connection was changed or removed in the meantime, so nothing was sent.'),
    { next: l10n.t('Try again.') },
  );
}

/**
 * Refuses before anything is asked.
 * @returns the connection as it was given, with the role it has now.
 * @throws ServiceFailure `readOnly`, or `storage` as `currentRole` does.
 */
export async function admitChange(store: FreshConnections, connection: Connection): Promise<Connection> {
  const role = await currentRole(store, connection);
  if (role === 'readOnly') {
    throw readOnly();
  }
  return { ...connection, role };
}

/**
 * Asks before something is changed, and asks again if the role got stricter meanwhile: the answer was to a laxer question.
 * @returns whether the user agreed.
 * @throws as `admitChange` does.
 */
export async function confirmInCurrentRole(
  store: FreshConnections,
  connection: Connection,
  ask: (current: Connection) => Promise<boolean>,
): Promise<boolean> {
  const asked = await admitChange(store, connection);
  if (!(await ask(asked))) {
    return false;
  }
  const now = await admitChange(store, connection);
  return !isLaxer(asked.role, now.role) || confirmInCurrentRole(store, connection, ask);
}

/** The current role, which other windows may change. */
import * as l10n from '@vscode/l10n';
import { connectionChanged, readOnlyFailure } from '../service/failure/failure.ts';
import { identityOf, type Connection } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import { isLaxerRole, localizedRoleName, type ConnectionRole } from './role.ts';

type FreshConnections = Pick<ConnectionStore, 'getFresh'>;

/**
 * Returns the current role. An answer about one server never counts for another one, and a removed connection
 * changes nothing, even on servers that need no token.
 * @throws ServiceFailure `storage` if the connection is gone, has another server or user, or its role can't be
 * read.
 */
export async function currentRole(store: FreshConnections, connection: Connection): Promise<Connection['role']> {
  const current = await store.getFresh(connection.id);
  if (current === undefined || identityOf(current) !== identityOf(connection)) {
    throw connectionChanged();
  }
  return current.role;
}

/**
 * Refuses a change on a read-only connection, before any question.
 * @returns the given connection with its current role.
 * @throws ServiceFailure `readOnlyFailure`, or `storage` as `currentRole` does.
 */
export async function admitChange(store: FreshConnections, connection: Connection): Promise<Connection> {
  const role = await currentRole(store, connection);
  if (role === 'readOnly') {
    throw readOnlyFailure();
  }
  return { ...connection, role };
}

/**
 * Asks before a change, and again if the role got stricter during the question.
 * @returns true if the user agreed.
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
  return !isLaxerRole(asked.role, now.role) || confirmInCurrentRole(store, connection, ask);
}

/**
 * Saves the role that the user chose.
 * @param read The role that the user was asked about.
 * @returns a sentence about the role that is stored now: another window may have chosen a stricter one.
 */
export async function saveChosenRole(
  store: Pick<ConnectionStore, 'save' | 'get'>,
  connection: Connection,
  chosen: ConnectionRole,
  read: Connection['role'],
): Promise<{ readonly isAsChosen: boolean; readonly text: string }> {
  await store.save({ ...connection, role: chosen }, { ...connection, role: read });
  const role = store.get(connection.id)?.role ?? chosen;
  return role === chosen
    ? { isAsChosen: true, text: l10n.t('Role of "{0}" changed', connection.name) }
    : {
        isAsChosen: false,
        text: l10n.t(
          'Another window changed the role of "{0}" meanwhile. It is now {1}.',
          connection.name,
          localizedRoleName(role),
        ),
      };
}

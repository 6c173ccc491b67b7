/** A connection and its role as any window has changed them. */
import * as l10n from '@vscode/l10n';
import { connectionChanged, readOnlyFailure } from '../service/failure/failure.ts';
import { identityOf, type Connection } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import { localizedRoleName, type ConnectionRole } from './role.ts';

type FreshConnections = Pick<ConnectionStore, 'getFresh'>;

/**
 * Returns the connection as any window has changed it. An answer about one server never counts for another one, and a
 * removed connection changes nothing, even on servers that need no token.
 * @throws ServiceFailure `notSent` if the connection is gone or has another server or user; `storage` if its role can't
 * be read.
 */
export async function currentConnection(store: FreshConnections, connection: Connection): Promise<Connection> {
  const current = await store.getFresh(connection.id);
  if (current === undefined || identityOf(current) !== identityOf(connection)) {
    throw connectionChanged();
  }
  return current;
}

/**
 * Refuses a change on a read-only connection, before any question.
 * @returns the current connection, which the user is asked about (see mayStillSend.ts).
 * @throws ServiceFailure `readOnly`, or as `currentConnection` does.
 */
export async function admitChange(store: FreshConnections, connection: Connection): Promise<Connection> {
  const current = await currentConnection(store, connection);
  if (current.role === 'readOnly') {
    throw readOnlyFailure();
  }
  return current;
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

/** A connection as any window has changed it, before something is changed on its server. */
import { connectionChanged, readOnlyFailure } from '../service/failure/localFailures.ts';
import { identityOf, type Connection } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';

type FreshConnections = Pick<ConnectionStore, 'getFresh'>;

/**
 * Returns the connection as any window has changed it. An answer about one server never counts for another one, and a
 * removed connection changes nothing, even on servers that need no token.
 * @throws ServiceFailure `notSent` if the connection is gone or has another server or user; `storage` if it can't be
 * read.
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
    // With its name: the command may have been for another one of several.
    throw readOnlyFailure().because(current.name);
  }
  return current;
}

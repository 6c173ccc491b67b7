/** The role as it is now, for whatever changes something on a server: another window may change it while a question stands open. */
import { readOnly } from '../service/failure/failure.ts';
import type { Connection } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import { isLaxer } from './role.ts';

type FreshConnections = Pick<ConnectionStore, 'getFresh'>;

/**
 * Refuses before anything is asked.
 * @returns the connection as it was given, with the role it has now.
 * @throws ServiceFailure `readOnly`, or `storage` if the role can't be read.
 */
export async function admitChange(store: FreshConnections, connection: Connection): Promise<Connection> {
  const { role } = (await store.getFresh(connection.id)) ?? connection;
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

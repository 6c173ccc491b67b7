/**
 * The gate before something is changed on a server: whether the connection is still the one that the user agreed to, as
 * any window stored it. Its role is read from disk before the question, which it decides, and again as the request is sent.
 */
import { connectionChanged, readOnlyFailure, sentTooLate } from '../service/failure/failure.ts';
import type { MayStillSend } from '../service/http/transport.ts';
import { MILLIS_PER_MINUTE } from '../time.ts';
import { accessOf, identityOf, type Connection } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import type { ConnectionParts } from './servicePool.ts';

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
 * @returns the current connection, which the user is asked about.
 * @throws ServiceFailure `readOnly`, or as `currentConnection` does.
 */
export async function admitChange(store: FreshConnections, connection: Connection): Promise<Connection> {
  const current = await currentConnection(store, connection);
  if (current.role === 'readOnly') {
    throw readOnlyFailure().naming(current.name);
  }
  return current;
}

/** From preparing a request to its last byte, in ms. The yes may be older. */
const LONGEST_WAIT_MILLIS = MILLIS_PER_MINUTE;

/**
 * Makes the gate of one request. Call it when the request is prepared.
 * @param agreed The connection as it was when the user was asked. Its address, user, product, consent, sign-in and role
 * must be the same.
 * @param readMore Reads what else may have changed by then.
 */
export function mayStillSend(
  { store, credentials, services }: ConnectionParts,
  agreed: Connection,
  readMore: () => Promise<void> = () => Promise.resolve(),
): MayStillSend {
  const { clock } = services.network;
  const preparedAt = clock.now();
  const monotonicAt = clock.monotonic();
  return async () => {
    const before = store.get(agreed.id) ?? agreed;
    // First, since a keychain may ask for its password, and the files may change meanwhile.
    const hasEnded = await credentials.hasEnded(before);
    await readMore();
    const current = await store.getFresh(agreed.id);
    if (current?.role === 'readOnly') {
      throw readOnlyFailure();
    }
    const isSame = current !== undefined && accessOf(current) === accessOf(agreed);
    if (hasEnded || !isSame || current.signedOutAt !== before.signedOutAt) {
      throw connectionChanged();
    }
    // The system's clock can be set back, and the other one stops while the machine sleeps.
    if (Math.max(clock.now() - preparedAt, clock.monotonic() - monotonicAt) > LONGEST_WAIT_MILLIS) {
      throw sentTooLate();
    }
  };
}

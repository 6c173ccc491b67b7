/**
 * The gate that every change passes as it is sent: whether the connection is still the one that the user agreed to.
 * Its role is read from disk here, and before the question, which it decides (`admitChange`).
 */
import { connectionChanged, readOnlyFailure, sentTooLate } from '../service/failure/localFailures.ts';
import type { MayStillSend } from '../service/http/transport.ts';
import { MILLIS_PER_MINUTE } from '../time.ts';
import { accessOf, type Connection } from './connection.ts';
import type { ConnectionParts } from './servicePool.ts';

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

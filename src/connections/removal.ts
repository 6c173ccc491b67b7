/** Removes connections with everything that belongs to them. */
import type { ConnectionParts } from './servicePool.ts';

interface ConnectionRemovalParts extends ConnectionParts {
  /** Deletes everything else that is stored for a connection. */
  readonly forgetConnection: (connectionId: string) => Promise<void>;
}

/**
 * Deletes only what belongs to this connection, since the secret storage is shared with other profiles. Its file goes
 * last, so that the user can repeat what was interrupted or failed.
 * @throws ServiceFailure `storage` if the credential can't be deleted. The connection stays then.
 */
export async function removeConnection(
  { store, credentials, services, forgetConnection }: ConnectionRemovalParts,
  id: string,
): Promise<void> {
  await credentials.forget(id);
  try {
    await services.forgetFacts(id);
    await forgetConnection(id);
    await store.remove(id);
  } catch (thrown) {
    // It stays, signed out.
    await credentials.delete(id).catch(() => undefined);
    throw thrown;
  }
  // Another window may have sent a truncation until then: without a row, its journal would block the index for good.
  await forgetConnection(id);
}

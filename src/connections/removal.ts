/** Removes connections with everything that belongs to them. */
import type { ConnectionParts } from './servicePool.ts';

interface ConnectionRemovalParts extends ConnectionParts {
  /** Deletes everything else that is stored for a connection. */
  readonly forgetConnection: (connectionId: string) => Promise<void>;
}

/**
 * Deletes only what belongs to this connection, since the secret storage is shared with other profiles.
 * @throws ServiceFailure `storage` if the credential can't be deleted. The connection stays then.
 */
export async function removeConnection(parts: ConnectionRemovalParts, id: string): Promise<void> {
  const { store, credentials } = parts;
  await store.beginRemoval(id);
  try {
    // The credential first: the user can retry a failure.
    await credentials.forgetConnection(id);
  } catch (thrown) {
    await store.cancelRemoval(id);
    throw thrown;
  }
  await removeRemainder(parts, id);
}

/** Ends interrupted removals. Failures are retried the next time. */
export async function finishRemovals(parts: ConnectionRemovalParts): Promise<void> {
  for (const id of parts.store.unfinishedRemovals()) {
    await parts.credentials
      .forgetConnection(id)
      .then(() => removeRemainder(parts, id))
      .catch(() => undefined);
  }
}

async function removeRemainder(
  { services, store, forgetConnection }: ConnectionRemovalParts,
  id: string,
): Promise<void> {
  await services.forgetCapabilities(id);
  await forgetConnection(id);
  await store.completeRemoval(id);
}

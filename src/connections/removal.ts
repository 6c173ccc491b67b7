/** Removing a connection with everything that belongs to it. */
import type { ConnectionStore } from './connectionStore.ts';
import type { ServicePool } from './servicePool.ts';
import type { CredentialStore } from './credentialStore.ts';

interface Parts {
  readonly store: ConnectionStore;
  readonly credentials: CredentialStore;
  readonly services: ServicePool;
  /** Forgets everything else that is remembered of a connection. */
  readonly forgetConnection: (connectionId: string) => Promise<void>;
}

/**
 * Deletes only what belongs to this connection: the secret storage is shared with other profiles, whose connections are not known
 * here.
 * @throws ServiceFailure `storage` when the credential could not be deleted: the connection is still there then.
 */
export async function removeConnection(parts: Parts, id: string): Promise<void> {
  const { store, credentials } = parts;
  await store.beginRemoval(id);
  try {
    // The credential first: should this fail, the connection is still there to try again from.
    await credentials.forgetConnection(id);
  } catch (thrown) {
    await store.cancelRemoval(id);
    throw thrown;
  }
  await removeRest(parts, id);
}

/** Ends removals that a window did not live to end. What fails is tried again the next time. */
export async function finishRemovals(parts: Parts): Promise<void> {
  for (const id of parts.store.unfinishedRemovals()) {
    // oxlint-disable-next-line no-await-in-loop -- seldom more than one
    await parts.credentials
      .forgetConnection(id)
      .then(() => removeRest(parts, id))
      .catch(() => undefined);
  }
}

async function removeRest({ services, store, forgetConnection }: Parts, id: string): Promise<void> {
  await services.forget(id);
  await forgetConnection(id);
  await store.endRemoval(id);
}

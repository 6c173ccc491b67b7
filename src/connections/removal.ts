/** Removing a connection with everything that belongs to it. */
import type { ConnectionStore } from './connectionStore.ts';
import type { Services } from './servicePool.ts';
import type { Vault } from './credentialStore.ts';

interface Parts {
  readonly store: ConnectionStore;
  readonly vault: Vault;
  readonly services: Services;
  /** Forgets everything else that is remembered of a connection. */
  readonly forgetConnection: (connectionId: string) => Promise<void>;
}

/**
 * Deletes only what belongs to this connection: the secret storage is shared with other profiles, whose connections are not known
 * here.
 * @throws ServiceFailure `storage` when the credential could not be deleted: the connection is still there then.
 */
export async function removeConnection(parts: Parts, id: string): Promise<void> {
  const { store, vault } = parts;
  await store.beginRemoval(id);
  try {
    // The credential first: should this fail, the connection is still there to try again from.
    await vault.forgetConnection(id);
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
    await parts.vault
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

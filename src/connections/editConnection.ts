/** Changes a connection that is saved, with the same steps that made it. */
import * as l10n from '@vscode/l10n';
import { ServiceFailure } from '../service/failure/failure.ts';
import { identityOf, originOf, withNewCredential } from './connection.ts';
import type { Connection } from './connection.ts';
import { draftOf } from './connectionDraft.ts';
import { runConnectionFlow } from './connectionFlow.ts';
import { mergedEdit } from './mergedEdit.ts';
import type { Role } from './role.ts';
import { confirmRole } from './roleStep.ts';
import { removedMeanwhile } from './signIn.ts';
import type { ConnectionStore } from './connectionStore.ts';
import type { ServicePool } from './servicePool.ts';
import type { CredentialStore } from './credentialStore.ts';

interface Parts {
  readonly store: ConnectionStore;
  readonly credentials: CredentialStore;
  readonly services: ServicePool;
}

/** @param save Saves the connection, and its new access token if one was typed. */
export async function editConnection(
  { store, credentials, services }: Parts,
  connection: Connection,
  save: (edited: Connection, token: string | undefined, read: Connection) => Promise<unknown>,
): Promise<void> {
  const draft = draftOf(connection);
  const names = store.all().flatMap(({ id, name }) => (id === connection.id ? [] : [name]));
  // The stored token belongs to its origin: another address asks for another token.
  const stored = async (baseUrl: string): Promise<string | undefined> =>
    originOf({ baseUrl }) === originOf(connection) ? credentials.read(connection).catch(() => undefined) : undefined;
  const title = l10n.t('Edit Connection');
  let asked = connection;
  const mayTakeRole = async (role: Role): Promise<boolean> => {
    asked = (await store.getFresh(connection.id)) ?? connection;
    return confirmRole(asked, role);
  };
  if (await runConnectionFlow(title, draft, services, stored, names, mayTakeRole)) {
    // As it is now: one may have signed in or out while this was edited, or removed it, here or in another window.
    const current = await store.getFresh(connection.id);
    if (current === undefined) {
      throw removedMeanwhile();
    }
    let edited = mergedEdit(draft, { read: connection, asked, current });
    if (edited === undefined) {
      throw new ServiceFailure('storage', l10n.t('The connection was changed in the meantime, so nothing was saved.'), {
        next: l10n.t('Edit it again.'),
      });
    }
    if (originOf(edited) !== originOf(current) && draft.token === undefined) {
      await credentials.forget(connection.id);
      const { credentialTokenId: _elsewhere, ...rest } = edited;
      edited = withNewCredential(rest);
    }
    // A new name alone stops nothing that is under way.
    if (identityOf(edited) !== identityOf(current)) {
      await services.forget(connection.id);
    }
    await save(edited, draft.token, current);
  }
}

/** Saves the role that the user chose, and says which one holds: another window may have chosen a stricter one meanwhile. */
import * as l10n from '@vscode/l10n';
import type { Connection } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import type { Role } from './role.ts';
import { roleName } from './roleTexts.ts';

/** @param read The role that the user was asked about. */
export async function saveRole(
  store: Pick<ConnectionStore, 'save' | 'get'>,
  connection: Connection,
  chosen: Role,
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
          roleName(role),
        ),
      };
}

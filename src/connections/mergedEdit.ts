/** Brings together what the user edited here and what another window changed meanwhile, so that neither undoes the other. */
import { identityOf } from './connection.ts';
import type { Connection } from './connection.ts';
import { connectionFrom, draftOf } from './connectionDraft.ts';
import type { ConnectionDraft } from './connectionDraft.ts';
import { roleToStore } from './role.ts';

interface Versions {
  /** The connection when the edit began. */
  readonly read: Connection;
  /** With the role that the user was asked about. */
  readonly asked: Pick<Connection, 'role'>;
  /** The one that is stored by now. */
  readonly current: Connection;
}

/**
 * @returns the stored connection with the fields that the draft changed. Undefined if another window moved it to another address or
 * user, and more than its name was edited: a token, a role or an address was meant for the one before.
 */
export function mergedEdit(draft: ConnectionDraft, { read, asked, current }: Versions): Connection | undefined {
  const before: Partial<Connection> = connectionFrom(draftOf(read));
  const after: Partial<Connection> = connectionFrom(draft);
  const keys = Object.keys({ ...before, ...after }) as (keyof Connection)[];
  const changed = keys.filter((key) => after[key] !== before[key]);
  const isNameAlone = draft.token === undefined && changed.every((key) => key === 'name');
  if (identityOf(current) !== identityOf(read) && !isNameAlone) {
    return undefined;
  }
  const isRoleKept = draft.role === read.role && asked.role === read.role;
  return {
    ...current,
    ...Object.fromEntries(changed.map((key) => [key, after[key]])),
    // A role that another window made stricter meanwhile stays so.
    role: isRoleKept ? current.role : roleToStore(draft.role, asked.role, current.role),
  };
}

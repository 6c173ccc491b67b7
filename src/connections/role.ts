/**
 * The role of a server, as the user chose it. It decides what is confirmed before a change there, and whether
 * any is allowed.
 */
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import { mayBeLoopbackHost } from '../service/http/baseUrl.ts';

/** The roles that the user can choose from. */
export const OFFERED_ROLES = ['development', 'production', 'readOnly'] as const;
type OfferedRole = (typeof OFFERED_ROLES)[number];

/**
 * From the laxest to the strictest. `developmentChosen`: the user picked Development, for a server elsewhere.
 * `development` was suggested and accepted, or picked for what may be a tunnel.
 */
const ROLES = ['developmentChosen', ...OFFERED_ROLES] as const;
export type ConnectionRole = (typeof ROLES)[number];

/** The file of a role. `chosen`: the user picked it, and didn't just accept it with the connection. */
export const STORED_ROLE = v.object({ role: v.picklist(OFFERED_ROLES), chosen: v.boolean() });
export type StoredRole = v.InferOutput<typeof STORED_ROLE>;

/** Undefined before there is one. Counts as development. */
type OptionalConnectionRole = ConnectionRole | undefined;

/** Returns whether `role` allows more, or asks less, than the other one. */
export function isLaxerRole(role: OptionalConnectionRole, than: OptionalConnectionRole): boolean {
  return strictnessOf(role) < strictnessOf(than);
}

export function stricterRole(one: OptionalConnectionRole, other: OptionalConnectionRole): OptionalConnectionRole {
  return isLaxerRole(one, other) ? other : one;
}

function strictnessOf(role: OptionalConnectionRole): number {
  return ROLES.indexOf(role ?? 'development');
}

/** Returns the role to record for the user's answer. A local address can be a tunnel to production. */
export function chosenRole(role: OfferedRole, { baseUrl }: Pick<LabeledConnection, 'baseUrl'>): ConnectionRole {
  return role === 'development' && !mayBeOnThisMachine(baseUrl) ? 'developmentChosen' : role;
}

/** Returns the role without whether the user chose it. */
export function offeredRole<Role extends OptionalConnectionRole>(
  role: Role,
): OfferedRole | Exclude<Role, 'developmentChosen'> {
  return role === 'developmentChosen' ? 'development' : (role as Exclude<Role, 'developmentChosen'>);
}

/** The role of a connection with this file. */
export function roleOfFile(
  { role, chosen }: StoredRole,
  connection: Pick<LabeledConnection, 'baseUrl'>,
): ConnectionRole {
  return chosen ? chosenRole(role, connection) : role;
}

/** False if deleting rows takes the dialog alone. */
export function requiresTypedText({ role, baseUrl }: Pick<LabeledConnection, 'role' | 'baseUrl'>): boolean {
  return role !== 'developmentChosen' || mayBeOnThisMachine(baseUrl);
}

function mayBeOnThisMachine(baseUrl: string): boolean {
  return mayBeLoopbackHost(new URL(baseUrl).hostname);
}

/** The parts of a connection by which the user recognizes it. */
export interface LabeledConnection {
  readonly name: string;
  readonly baseUrl: string;
  readonly role?: OptionalConnectionRole;
}

/** Returns the word shown after a name. Undefined for development. */
export function roleWord({ role }: Pick<LabeledConnection, 'role'>): string | undefined {
  switch (role) {
    case 'production':
      return l10n.t('production');
    case 'readOnly':
      return l10n.t('read-only');
    case 'developmentChosen':
    case 'development':
    case undefined:
      return undefined;
  }
}

/** Name and role, as in "Main · production". */
export function nameWithRole(connection: Pick<LabeledConnection, 'name' | 'role'>): string {
  const word = roleWord(connection);
  return word === undefined ? connection.name : `${connection.name} · ${word}`;
}

/**
 * The role of a server, as the user chose it, and sentences about it. It decides what is confirmed before a change there,
 * and whether any is allowed; changeGate.ts refuses the others.
 */
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import { parsedAs } from '../json.ts';
import { isLoopbackHost, mayBeLoopbackHost } from '../service/http/baseUrl.ts';

/** From the laxest to the strictest. */
export const ROLES = ['development', 'production', 'readOnly'] as const;
export type ConnectionRole = (typeof ROLES)[number];

/** The file of a role. */
const STORED_ROLE = v.object({ role: v.picklist(ROLES) });
export type StoredRole = v.InferOutput<typeof STORED_ROLE>;

/** Undefined if damaged. */
export function parseRole(stored: unknown): StoredRole | undefined {
  return parsedAs(STORED_ROLE, stored);
}

/** The role of a server before the user chooses one: production elsewhere, which asks too much rather than too little. */
export function defaultRole({ baseUrl }: Pick<LabeledConnection, 'baseUrl'>): ConnectionRole {
  return isLoopbackHost(new URL(baseUrl).hostname) ? 'development' : 'production';
}

/** Returns whether `role` allows more, or asks less, than the other one. */
export function isLaxerRole(role: ConnectionRole, than: ConnectionRole): boolean {
  return ROLES.indexOf(role) < ROLES.indexOf(than);
}

export function stricterRole(one: ConnectionRole, other: ConnectionRole): ConnectionRole {
  return isLaxerRole(one, other) ? other : one;
}

/** False if deleting rows takes the dialog alone: the user chose Development, and it can't be a tunnel to production. */
export function requiresTypedText({ role, baseUrl }: Pick<LabeledConnection, 'role' | 'baseUrl'>): boolean {
  return role !== 'development' || mayBeLoopbackHost(new URL(baseUrl).hostname);
}

/** The parts of a connection by which the user recognizes it. */
export interface LabeledConnection {
  readonly name: string;
  readonly baseUrl: string;
  readonly role?: ConnectionRole | undefined;
}

/** Returns the word shown after a name. Undefined for development. */
export function roleWord({ role }: Pick<LabeledConnection, 'role'>): string | undefined {
  switch (role) {
    case 'production':
      return l10n.t('production');
    case 'readOnly':
      return l10n.t('read-only');
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

/** Returns the consequences in one line of a quick pick. */
export function roleDescription(role: ConnectionRole, { baseUrl }: Pick<LabeledConnection, 'baseUrl'>): string {
  switch (role) {
    case 'development':
      return requiresTypedText({ role, baseUrl })
        ? l10n.t('Asks you to type a name before deleting rows, since this may be a tunnel.')
        : l10n.t("Asks before deleting rows, but you don't have to type a name.");
    case 'production':
      return l10n.t('Asks you to type a name before deleting rows or revoking several tokens.');
    case 'readOnly':
      return l10n.t('Refuses every change. Lists and dry runs still work.');
  }
}

/** First line about production. Has the address, since names mislead; alone if the name is its host. */
export function productionLine({ name, baseUrl, role }: LabeledConnection): string[] {
  if (role !== 'production') {
    return [];
  }
  return [
    name === new URL(baseUrl).host
      ? l10n.t('Production connection: {0}', baseUrl)
      : l10n.t('Production connection: {0} ({1})', name, baseUrl),
  ];
}

/** Explains why only dry runs are possible. */
export function readOnlyReason(): string {
  return l10n.t('This connection is read-only, so nothing can be deleted.');
}

/** Returns the name for lists and sentences. */
export function localizedRoleName(role: ConnectionRole): string {
  switch (role) {
    case 'development':
      return l10n.t('Development');
    case 'production':
      return l10n.t('Production');
    case 'readOnly':
      return l10n.t('Read-only');
  }
}

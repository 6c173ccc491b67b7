/**
 * The role of a server, as the user chose it. It decides what is confirmed before a change there, and whether
 * any is allowed.
 */
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import { isLoopbackHost, mayBeLoopbackHost } from '../service/http/baseUrl.ts';

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

/** A proposed role, and the word that suggests it. */
interface RoleSuggestion {
  readonly role: 'development' | 'production';
  readonly because: string;
}

const PRODUCTION = /^(?:prod|prd|production|live)\d*$/;
const DEVELOPMENT_WORDS =
  'dev|devel|development|test|tests|testing|tst|stage|staging|stg|qa|uat|sandbox|demo|preview|local|localhost';
const DEVELOPMENT = new RegExp(String.raw`^(?:${DEVELOPMENT_WORDS}|(?:pre|non)prod(?:uction)?)\d*$`);
/** Top-level domains whose word says nothing of the server: of private networks, and a public one. */
const UNTELLING_DOMAIN = /\.(?:local|dev)$/;

/**
 * Suggests a role by the connection's name and host. Production wins, for example where a tunnel leads there
 * from this machine.
 * @param connection `baseUrl` as `checkBaseUrl` returns it.
 */
export function suggestRole({
  name,
  baseUrl,
}: {
  readonly name: string;
  readonly baseUrl: string;
}): RoleSuggestion | undefined {
  const { hostname } = new URL(baseUrl);
  const words = [...wordsInText(name), ...wordsInText(hostname.replace(UNTELLING_DOMAIN, ''))];
  const production = words.find((word) => PRODUCTION.test(word));
  if (production !== undefined) {
    return { role: 'production', because: production };
  }
  const development = words.find((word) => DEVELOPMENT.test(word)) ?? (isLoopbackHost(hostname) ? hostname : undefined);
  return development === undefined ? undefined : { role: 'development', because: development };
}

/** Splits "myProd-EU" into my, prod and eu. "pre-prod" and "non-prod" stay whole. */
function wordsInText(text: string): string[] {
  return text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/\b(pre|non)[-_. ]+(?=prod)/g, '$1')
    .split(/[^\p{L}\p{N}]+/u);
}

/** The parts of a connection by which the user recognizes it. */
interface LabeledConnection {
  readonly name: string;
  readonly baseUrl: string;
  readonly role?: OptionalConnectionRole;
}

/** Returns the name for lists and sentences. */
export function localizedRoleName(role: ConnectionRole): string {
  switch (role) {
    case 'developmentChosen':
    case 'development':
      return l10n.t('Development');
    case 'production':
      return l10n.t('Production');
    case 'readOnly':
      return l10n.t('Read-only');
  }
}

/** Returns the consequences in one line of a quick pick. */
export function roleDescription(role: ConnectionRole): string {
  switch (role) {
    case 'developmentChosen':
      return l10n.t("Asks before deleting rows, but you don't have to type a name.");
    case 'development':
      return l10n.t('Asks you to type a name before deleting rows, since this may be a tunnel.');
    case 'production':
      return l10n.t('Asks you to type a name before deleting rows or revoking several tokens.');
    case 'readOnly':
      return l10n.t('Refuses every change. Lists and dry runs still work.');
  }
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

/** First line about production. Has the address, since names mislead. */
export function productionLine({ name, baseUrl, role }: LabeledConnection): string[] {
  return role === 'production' ? [l10n.t('Production connection: {0} ({1})', name, baseUrl)] : [];
}

/** Explains why only dry runs are possible. */
export function readOnlyReason(): string {
  return l10n.t('This connection is read-only, so nothing can be deleted.');
}

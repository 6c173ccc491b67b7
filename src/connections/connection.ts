/** A server and the user's identity there. Nothing secret, since globalState has it. */
import * as v from 'valibot';
import { checkBaseUrl } from '../service/http/baseUrl.ts';
import { storedActorUrn } from '../service/server/identifiers.ts';
import { normalizedName } from '../ui/typedName.ts';
import { ROLE, type ConnectionRole } from './role.ts';

/** In characters. */
export const LONGEST_NAME = 100;

/** When a credential ends, as its token says: known at startup without reading a secret. */
const CREDENTIAL_LIFE = v.object({
  /** Unix time in ms. At the latest the sign-in, as tokens don't say when they were created. */
  since: v.number(),
  /** Unix time in ms. */
  expiresAt: v.number(),
  /** True for the token of a web session, which can't be rotated. */
  isSession: v.optional(v.boolean()),
  /** The `credentialId` it belongs to. */
  credentialId: v.optional(v.string()),
});
export type CredentialLife = v.InferOutput<typeof CREDENTIAL_LIFE>;

const CONNECTION = v.object({
  /** Random. Part of every key that belongs to the connection. */
  id: v.pipe(v.string(), v.uuid()),
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(LONGEST_NAME)),
  /** No setting, since a workspace could redirect a credential. */
  baseUrl: v.pipe(v.string(), v.check(isStoredBaseUrl)),
  actorUrn: v.pipe(v.string(), v.check(isStoredActorUrn)),
  /** The typed product name. Undefined if it is detected. */
  product: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9-]{0,39}$/))),
  /** The user accepts plain HTTP to another machine. */
  plainHttpConsent: v.boolean(),
  /** The accepted origin. Not stored by 0.1.0, which meant that of the address. */
  plainHttpOrigin: v.optional(v.string()),
  /** Unix time in ms. */
  createdAt: v.number(),
  /** ID of the credential's token, if created here. */
  credentialTokenId: v.optional(v.string()),
  /** Random for each sign-in and sign-out, shared with the credential. */
  credentialId: v.optional(v.pipe(v.string(), v.uuid())),
  /** Undefined if typed or created here. The token of a session is renewed by the command line alone. */
  credentialSource: v.optional(
    v.fallback(v.optional(v.picklist(['commandLineFile', 'commandLineSession', 'commandLineEnvironment'])), undefined),
  ),
  /** Undefined if it never ends, and in connections of 0.1.0 until their credential is read. */
  credentialLife: v.optional(v.fallback(v.optional(CREDENTIAL_LIFE), undefined)),
  /** Counts where no choice is recorded. */
  role: ROLE,
});

/** Accepts the stored form only, unlike a typed address. */
function isStoredBaseUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && 'baseUrl' in checkBaseUrl(text) && text === url.origin + url.pathname.replace(/\/+$/, '');
}

function isStoredActorUrn(text: string): boolean {
  return storedActorUrn(text) !== undefined;
}

export interface Connection extends Omit<v.InferOutput<typeof CONNECTION>, 'role'> {
  /** The recorded choice of the user, if there is one. Undefined if not chosen, as in 0.1.0. */
  role?: ConnectionRole | undefined;
}

/** Parses a stored connection. Undefined if damaged. */
export function parseConnection(stored: unknown): Connection | undefined {
  const parsed = v.safeParse(CONNECTION, stored);
  return parsed.success ? { ...parsed.output, name: displayName(parsed.output) } : undefined;
}

/** Removes invisible characters, which earlier versions stored. */
function displayName({ name, baseUrl }: Pick<Connection, 'name' | 'baseUrl'>): string {
  return shortenedName(normalizedName(name)) || shortenedName(hostOf({ baseUrl }));
}

function shortenedName(name: string): string {
  return normalizedName(name.slice(0, LONGEST_NAME));
}

export function originOf(connection: Pick<Connection, 'baseUrl'>): string {
  return new URL(connection.baseUrl).origin;
}

/** Identifies the service. Renaming keeps lists and requests. */
export function identityOf({
  baseUrl,
  actorUrn,
  product,
}: Pick<Connection, 'baseUrl' | 'actorUrn' | 'product'>): string {
  return JSON.stringify([baseUrl, actorUrn, product]);
}

/** Identifies server, user and credential, which own lists and requests. */
export function sessionOf(connection: Connection): string {
  return JSON.stringify([identityOf(connection), connection.credentialId, consentedOrigin(connection)]);
}

/** Identifies server, user and role, which a new sign-in keeps. */
export function accountOf({ baseUrl, actorUrn, role }: Connection): string {
  return JSON.stringify([baseUrl, actorUrn, role ?? 'development']);
}

/** Identifies what the user agrees to: session and role. */
export function accessOf(connection: Connection): string {
  return JSON.stringify([sessionOf(connection), connection.role ?? 'development']);
}

/** Returns the connection with a new ID, so that no stored credential belongs to it. */
export function withNewCredential(connection: Connection): Connection {
  const { credentialSource: _source, credentialLife: _life, ...others } = connection;
  return { ...others, credentialId: crypto.randomUUID() };
}

/** Returns host and port, for short descriptions. */
export function hostOf(connection: Pick<Connection, 'baseUrl'>): string {
  return new URL(connection.baseUrl).host;
}

/** True if a credential would be exposed without consent. */
export function lacksConsent(connection: PlainHttpConsent): boolean {
  const checked = checkBaseUrl(connection.baseUrl);
  return !('needsConsent' in checked) || (checked.needsConsent && consentedOrigin(connection) !== originOf(connection));
}

type PlainHttpConsent = Pick<Connection, 'baseUrl' | 'plainHttpConsent' | 'plainHttpOrigin'>;

/** The only origin that may get a plain HTTP credential. */
export function consentedOrigin(connection: PlainHttpConsent): string | undefined {
  return connection.plainHttpConsent ? (connection.plainHttpOrigin ?? originOf(connection)) : undefined;
}

/** Adds consent to plain HTTP to this origin. */
export function withConsentTo(plainHttpOrigin: string, connection: Connection): Connection {
  return { ...connection, plainHttpConsent: true, plainHttpOrigin };
}

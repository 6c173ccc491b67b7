/** A server and the user's identity there. Holds nothing secret, since it is kept in globalState. */
import * as v from 'valibot';
import { checkBaseUrl } from '../service/http/baseUrl.ts';
import { parseActorUrn } from '../service/server/identifiers.ts';
import { normalizedName } from '../ui/typedName.ts';
import { ROLE } from './role.ts';

/** In characters. */
export const LONGEST_NAME = 100;

const CONNECTION = v.object({
  /** Random. Part of every key that belongs to the connection. */
  id: v.pipe(v.string(), v.uuid()),
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(LONGEST_NAME)),
  /** As `checkBaseUrl` returns it. Not a setting, since a workspace could send a credential elsewhere. */
  baseUrl: v.pipe(v.string(), v.check(isBaseUrl)),
  actorUrn: v.pipe(v.string(), v.check(isActorUrn)),
  /** The typed product name. Undefined if it is detected. */
  product: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9-]{0,39}$/))),
  /** The user agreed to send a credential over plain HTTP to another machine. */
  plainHttpConsent: v.boolean(),
  /** The origin that the user agreed to. 0.1.0 didn't store it and meant that of the address. */
  plainHttpOrigin: v.optional(v.string()),
  /** Unix time in ms. */
  createdAt: v.number(),
  /** ID of the access token kept as the credential, if it was created here. */
  credentialTokenId: v.optional(v.string()),
  /** Random, replaced by each sign-in and sign-out. Only the credential stored with this ID is used. */
  credentialId: v.optional(v.pipe(v.string(), v.uuid())),
  /** Undefined if not chosen, as in 0.1.0. */
  role: ROLE,
});

/** Accepts only the stored form of an address. The user may type more forms, such as a host alone. */
function isBaseUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && 'baseUrl' in checkBaseUrl(text) && text === url.origin + url.pathname.replace(/\/+$/, '');
}

function isActorUrn(text: string): boolean {
  const checked = parseActorUrn(text);
  return 'actorUrn' in checked && checked.actorUrn === text;
}

export type Connection = v.InferOutput<typeof CONNECTION>;

/** Parses a stored connection. Undefined if damaged. Such a connection is neither used nor shown. */
export function parseConnection(stored: unknown): Connection | undefined {
  const parsed = v.safeParse(CONNECTION, stored);
  return parsed.success ? { ...parsed.output, name: displayName(parsed.output) } : undefined;
}

/** Removes invisible characters, which earlier versions stored, and shortens the name. */
function displayName({ name, baseUrl }: Pick<Connection, 'name' | 'baseUrl'>): string {
  return shortened(normalizedName(name)) || shortened(hostOf({ baseUrl }));
}

function shortened(name: string): string {
  return normalizedName(name.slice(0, LONGEST_NAME));
}

export function originOf(connection: Pick<Connection, 'baseUrl'>): string {
  return new URL(connection.baseUrl).origin;
}

/** Compares what a service depends on. A new name alone keeps loaded lists and running requests. */
export function identityOf({
  baseUrl,
  actorUrn,
  product,
}: Pick<Connection, 'baseUrl' | 'actorUrn' | 'product'>): string {
  return JSON.stringify([baseUrl, actorUrn, product]);
}

/** Compares the server, the user and the credential, to which loaded lists and running requests belong. */
export function sessionOf(connection: Connection): string {
  return JSON.stringify([identityOf(connection), connection.credentialId, consentedOrigin(connection)]);
}

/** Compares what a review depends on: the session, and the role that decides about questions and refusals. */
export function accessOf(connection: Connection): string {
  return JSON.stringify([sessionOf(connection), connection.role ?? 'development']);
}

/** Returns the connection after a sign-in or sign-out. No credential stored before belongs to it. */
export function withNewCredential(connection: Connection): Connection {
  return { ...connection, credentialId: crypto.randomUUID() };
}

/** Returns host and port, for short descriptions. */
export function hostOf(connection: Pick<Connection, 'baseUrl'>): string {
  return new URL(connection.baseUrl).host;
}

/** Returns whether a credential would be sent without encryption and without the user's consent. */
export function lacksConsent(connection: PlainHttpConsent): boolean {
  const checked = checkBaseUrl(connection.baseUrl);
  return !('needsConsent' in checked) || (checked.needsConsent && consentedOrigin(connection) !== originOf(connection));
}

type PlainHttpConsent = Pick<Connection, 'baseUrl' | 'plainHttpConsent' | 'plainHttpOrigin'>;

/** Returns the only origin to which a credential may be sent over plain HTTP. */
export function consentedOrigin(connection: PlainHttpConsent): string | undefined {
  return connection.plainHttpConsent ? (connection.plainHttpOrigin ?? originOf(connection)) : undefined;
}

/** Returns the connection with the consent to send a credential to this origin over plain HTTP. */
export function withConsentTo(plainHttpOrigin: string, connection: Connection): Connection {
  return { ...connection, plainHttpConsent: true, plainHttpOrigin };
}

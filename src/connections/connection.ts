/** One server and who one is there. Holds nothing secret: it is kept in globalState. */
import * as v from 'valibot';
import { checkBaseUrl } from '../service/http/baseUrl.ts';
import { readActor } from '../service/urn.ts';
import { normalizedName } from '../ui/typedName.ts';
import { ROLE } from './role.ts';

/** In characters. */
export const LONGEST_NAME = 100;

const CONNECTION = v.object({
  /** Random, made once; part of every key that belongs to the connection. */
  id: v.pipe(v.string(), v.uuid()),
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(LONGEST_NAME)),
  /** As `checkBaseUrl` gives it. No setting: a workspace must not be able to send a credential elsewhere. */
  baseUrl: v.pipe(v.string(), v.check(isBaseUrl)),
  actorUrn: v.pipe(v.string(), v.check(isActorUrn)),
  /** The product's name as it was typed; undefined: found out. */
  product: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9-]{0,39}$/))),
  /** The person agreed to send a credential over plain HTTP to another machine. */
  plainHttpConsent: v.boolean(),
  /** The origin that they agreed to. 0.1.0 did not store it: there it is the one of the address. */
  plainHttpOrigin: v.optional(v.string()),
  /** Unix time in ms. */
  createdAt: v.number(),
  /** Id of the access token that is kept as the credential, when it was created here. */
  credentialTokenId: v.optional(v.string()),
  /** Random, made anew by each sign-in and sign-out: only the credential that was stored with it is used, whichever window holds another. */
  credentialId: v.optional(v.pipe(v.string(), v.uuid())),
  /** What the server is used for. Undefined: not chosen, as in 0.1.0. */
  role: ROLE,
});

/** What a person may paste is more than what is stored: a host alone would be no address to send to. */
function isBaseUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && 'baseUrl' in checkBaseUrl(text) && text === url.origin + url.pathname.replace(/\/+$/, '');
}

function isActorUrn(text: string): boolean {
  const checked = readActor(text);
  return 'actorUrn' in checked && checked.actorUrn === text;
}

export type Connection = v.InferOutput<typeof CONNECTION>;

/** What was stored as a connection, or undefined when it is damaged: it is then neither used nor shown. */
export function parseConnection(stored: unknown): Connection | undefined {
  const parsed = v.safeParse(CONNECTION, stored);
  return parsed.success ? { ...parsed.output, name: shownName(parsed.output) } : undefined;
}

/** Stored names may hold what can't be seen, since earlier versions took any. Whatever is left of one is a name as long as may be stored. */
function shownName({ name, baseUrl }: Pick<Connection, 'name' | 'baseUrl'>): string {
  return inLength(normalizedName(name)) || inLength(hostOf({ baseUrl }));
}

function inLength(name: string): string {
  return normalizedName(name.slice(0, LONGEST_NAME));
}

export function originOf(connection: Pick<Connection, 'baseUrl'>): string {
  return new URL(connection.baseUrl).origin;
}

/** What a service is made of: with a new name alone, what was loaded and what is under way stay. */
export function identityOf({
  baseUrl,
  actorUrn,
  product,
}: Pick<Connection, 'baseUrl' | 'actorUrn' | 'product'>): string {
  return JSON.stringify([baseUrl, actorUrn, product]);
}

/** Whom the server sees: its identity, and with which credential. What was loaded, and what is under way, belongs to it. */
export function sessionOf(connection: Connection): string {
  return JSON.stringify([identityOf(connection), connection.credentialId, consentedOrigin(connection)]);
}

/** As what a dry run is reviewed: whom the server sees, and what is asked or refused before it is executed. */
export function accessOf(connection: Connection): string {
  return JSON.stringify([sessionOf(connection), connection.role ?? 'development']);
}

/** The connection as of a sign-in or sign-out: whatever was stored for it until now is no credential of it any more. */
export function withNewCredential(connection: Connection): Connection {
  return { ...connection, credentialId: crypto.randomUUID() };
}

/** Host and port, for short descriptions. */
export function hostOf(connection: Pick<Connection, 'baseUrl'>): string {
  return new URL(connection.baseUrl).host;
}

/** Whether a credential would cross the network in clear without the person having agreed to it. */
export function lacksConsent(connection: Consenting): boolean {
  const checked = checkBaseUrl(connection.baseUrl);
  return !('needsConsent' in checked) || (checked.needsConsent && consentedOrigin(connection) !== originOf(connection));
}

type Consenting = Pick<Connection, 'baseUrl' | 'plainHttpConsent' | 'plainHttpOrigin'>;

/** The origin to which a credential may be sent over plain HTTP: the consent to one is none to another. */
export function consentedOrigin(connection: Consenting): string | undefined {
  return connection.plainHttpConsent ? (connection.plainHttpOrigin ?? originOf(connection)) : undefined;
}

/** The connection after the person agreed to send a credential to this origin over plain HTTP. */
export function withConsentTo(plainHttpOrigin: string, connection: Connection): Connection {
  return { ...connection, plainHttpConsent: true, plainHttpOrigin };
}

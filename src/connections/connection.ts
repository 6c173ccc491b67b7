/** A server and the user's identity there. Nothing secret: the parts are stored in files and in VS Code's storage. */
import * as v from 'valibot';
import { parsedAs } from '../json.ts';
import { checkBaseUrl } from '../service/http/baseUrl.ts';
import { shortActorName, storedActorUrn } from '../service/server/identifiers.ts';
import type { ConnectionRole } from './role.ts';
import { isExposed } from './extensionPlace.ts';

/** In characters. */
export const LONGEST_NAME = 100;

/** Where the command line on this machine has the same token. */
const CREDENTIAL_SOURCES = ['commandLineFile', 'commandLineEnvironment'] as const;

/**
 * What is known of the credential besides its secrets. It lives with them in the secret storage; VS Code's storage has a
 * copy, so that the tree needs no secret.
 */
export const SIGN_IN = v.object({
  /** The only one that the token is sent to. */
  origin: v.string(),
  /** Unix time in ms, later than any sign-out before. Tells sign-ins apart. */
  storedAt: v.number(),
  /** URN of the token's user, as the server said. */
  user: v.optional(v.string()),
  /** ID of the token, if it was created here. */
  tokenId: v.optional(v.string()),
  /** Unix time in ms, as the token says. Undefined if it never ends, or doesn't say. */
  endsAt: v.optional(v.number()),
  /** True for the token of a web session, which can't be rotated. */
  isSession: v.optional(v.boolean()),
  /** Undefined if typed or created here. */
  source: v.optional(v.picklist(CREDENTIAL_SOURCES)),
  /** True if there are additional headers alone. */
  isTokenless: v.optional(v.boolean()),
  /** Of the additional headers, whose values are secret. */
  headerNames: v.optional(v.array(v.string())),
});
export type SignIn = v.InferOutput<typeof SIGN_IN>;

const STORED_CONNECTION = v.object({
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(LONGEST_NAME)),
  /** No setting, since a workspace could redirect a credential. */
  baseUrl: v.pipe(v.string(), v.check(isStoredBaseUrl)),
  /** URN of the user as typed. Undefined if the server says whose token it is. */
  typedUser: v.optional(v.pipe(v.string(), v.check(isStoredActorUrn))),
  /** The typed product name. Undefined if it is detected. */
  product: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9-]{0,39}$/))),
  /** The only origin that may get a credential over plain HTTP, since the user agreed to it. */
  plainHttpOrigin: v.optional(v.string()),
  /** Unix time in ms. */
  createdAt: v.number(),
  /** Unix time in ms, later than any sign-in before. A credential that was stored before then is none. */
  signedOutAt: v.optional(v.number()),
});
export type StoredConnection = v.InferOutput<typeof STORED_CONNECTION>;

/** Accepts the stored form only, unlike a typed address. */
function isStoredBaseUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && 'baseUrl' in checkBaseUrl(text) && text === url.origin + url.pathname.replace(/\/+$/, '');
}

function isStoredActorUrn(text: string): boolean {
  return storedActorUrn(text) !== undefined;
}

/** A connection without what is stored elsewhere. */
export interface ConnectionFields extends StoredConnection {
  /** UUID. Name of its file, and part of every key that belongs to it. */
  readonly id: string;
}

export interface Connection extends ConnectionFields {
  /** Read-only if its file is missing or can't be read. */
  readonly role: ConnectionRole;
  /** True if none was ever chosen, as of a connection that was taken over from 0.3.0. */
  readonly lacksRole?: boolean | undefined;
  /** URN of the user: the token's, else the typed one. Undefined if neither is known. */
  readonly actorUrn?: string | undefined;
  /** Undefined if no credential is stored, as far as is known without reading a secret. */
  readonly signIn?: SignIn | undefined;
}

/** Undefined if damaged. */
export function parseConnection(stored: unknown): StoredConnection | undefined {
  return parsedAs(STORED_CONNECTION, stored);
}

/** Undefined if damaged or missing. */
export function parseSignIn(stored: unknown): SignIn | undefined {
  return parsedAs(SIGN_IN, stored);
}

/** False for a credential of another origin, left by an edit or planted, and one from before a sign-out. */
export function isSignInOf(
  { origin, storedAt }: Pick<SignIn, 'origin' | 'storedAt'>,
  connection: Pick<StoredConnection, 'baseUrl' | 'signedOutAt'>,
): boolean {
  return origin === originOf(connection) && storedAt > (connection.signedOutAt ?? Number.NEGATIVE_INFINITY);
}

/** False if requests have no token. */
export function isSignedIn({ signIn }: Pick<Connection, 'signIn'>): boolean {
  return signIn !== undefined && signIn.isTokenless !== true;
}

export function originOf(connection: Pick<Connection, 'baseUrl'>): string {
  return new URL(connection.baseUrl).origin;
}

/** True if a credential would be exposed without the user's consent to plain HTTP. */
export function lacksConsent(connection: Pick<Connection, 'baseUrl' | 'plainHttpOrigin'>): boolean {
  return isExposed(connection.baseUrl) && connection.plainHttpOrigin !== originOf(connection);
}

/**
 * Identifies the service, and whether a credential may go there. Renaming keeps lists and requests, and so does learning
 * whose token it is.
 */
export function identityOf({ baseUrl, typedUser, product, plainHttpOrigin }: StoredConnection): string {
  return JSON.stringify([baseUrl, typedUser, product, plainHttpOrigin]);
}

/** Identifies server, user and credential, which own lists and requests. */
export function sessionOf(connection: Omit<Connection, 'role'>): string {
  return JSON.stringify([identityOf(connection), connection.signIn?.storedAt]);
}

/** Identifies server, user and role, which a new sign-in keeps. */
export function accountOf({ baseUrl, actorUrn, role }: Connection): string {
  return JSON.stringify([baseUrl, actorUrn, role]);
}

/** Identifies what the user agrees to: session and role. */
export function accessOf(connection: Connection): string {
  return JSON.stringify([sessionOf(connection), connection.role]);
}

/** Returns the ID or URN of the user. Empty if unknown. */
export function userOf({ actorUrn }: Pick<Connection, 'actorUrn'>): string {
  return actorUrn === undefined ? '' : shortActorName(actorUrn);
}

/** Returns host and port, for short descriptions. */
export function hostOf(connection: Pick<Connection, 'baseUrl'>): string {
  return new URL(connection.baseUrl).host;
}

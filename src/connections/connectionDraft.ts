/** The fields of the connection form, and the checks of what is typed into them. */
import * as l10n from '@vscode/l10n';
import { tokenElsewhereProblem } from '../service/failure/redaction.ts';
import type { SentSecrets } from '../service/http/transport.ts';
import { expiredFailure } from '../service/failure/failure.ts';
import { pastedToken, pastedTokenProblem } from '../service/tokens/pastedToken.ts';
import { hasExpired, readTokenClaims } from '../service/tokens/tokenClaims.ts';
import { parseActorUrn } from '../service/server/identifiers.ts';
import { normalizedName } from '../ui/sameName.ts';
import { withHeader, type TypedHeader } from './additionalHeaders.ts';
import {
  LONGEST_NAME,
  hostOf,
  identityOf,
  isSignedIn,
  originOf,
  type Connection,
  type ConnectionFields,
  type SignIn,
} from './connection.ts';
import { defaultRole, isLaxerRole, type ConnectionRole } from './role.ts';

/** A connection as it is typed. `name` is empty if the host's is proposed, `baseUrl` before an address is typed. */
export interface ConnectionDraft extends ConnectionFields {
  /** The stored one, as the form began with it. Undefined for a new connection. */
  readonly saved?: Connection;
  /** What else the typed address may mean, for a service that isn't found at the first. */
  otherBaseUrls: readonly string[];
  /** Undefined if the stored one stays. */
  token?: string | undefined;
  /** Where that token was imported from. */
  source?: SignIn['source'];
  /** Changes to the stored headers, in their order. */
  headers: readonly TypedHeader[];
  /** The chosen one. Undefined if the proposed one is taken. */
  role?: ConnectionRole | undefined;
}

/** The input of an Add Connection that saved nothing, without secrets and the consent to plain HTTP. */
export interface UnfinishedConnection {
  draft: ConnectionDraft | undefined;
}

export function emptyConnectionDraft(): ConnectionDraft {
  return { id: crypto.randomUUID(), createdAt: Date.now(), name: '', baseUrl: '', otherBaseUrls: [], headers: [] };
}

export function connectionDraftOf(connection: Connection): ConnectionDraft {
  return { ...emptyConnectionDraft(), ...connectionFrom(connection), saved: connection };
}

/** What is kept of a form that was left. The next token may be that of another user than was typed for this one. */
export function withoutSecrets({ token, source: _source, ...draft }: ConnectionDraft): ConnectionDraft {
  const typedUser = token === undefined ? draft.typedUser : undefined;
  return { ...draft, headers: [], typedUser, plainHttpOrigin: undefined };
}

/** The fields of a draft with a name. */
export function connectionFrom(draft: ConnectionFields): ConnectionFields {
  const { id, name, baseUrl, typedUser, product, createdAt } = draft;
  const plainHttpOrigin = draft.plainHttpOrigin === originOf(draft) ? draft.plainHttpOrigin : undefined;
  return { id, name, baseUrl, typedUser, product, plainHttpOrigin, createdAt };
}

/** What a draft sends. @param stored The secrets of the stored connection, if there is one. */
export function secretsOf(draft: ConnectionDraft, stored: SentSecrets): SentSecrets {
  return { token: draft.token ?? stored.token, headers: draft.headers.reduce(withHeader, stored.headers ?? {}) };
}

/** URN of the user that a token names. Servers without an identity take its word. */
export function userInToken(token: string | undefined): string | undefined {
  return typedUserOf(readTokenClaims(token ?? '')?.actorId ?? '');
}

/** URN of a user by ID or URN. Undefined for any other text. */
export function typedUserOf(text: string): string | undefined {
  const actor = parseActorUrn(text);
  return 'actorUrn' in actor ? actor.actorUrn : undefined;
}

/** The name to save: the typed one or the host, with a number if another connection has it. */
export function nameOfDraft(draft: ConnectionDraft, otherNames: readonly string[]): string {
  const name = draft.name === '' ? hostOf(draft) : draft.name;
  const numbered = (number: number): string => {
    const ending = number === 1 ? '' : ` ${number}`;
    return name.slice(0, LONGEST_NAME - ending.length) + ending;
  };
  let number = 1;
  while (otherNames.includes(numbered(number))) {
    number++;
  }
  return numbered(number);
}

/**
 * The chosen role, that of a saved connection at its address, or the proposed one. Without a choice it never gets laxer
 * than it is.
 */
export function roleOfDraft(draft: ConnectionDraft): ConnectionRole {
  const { saved } = draft;
  const proposed = defaultRole(draft);
  const hasRole = saved !== undefined && saved.lacksRole !== true;
  const isKept = hasRole && (draft.baseUrl === saved.baseUrl || isLaxerRole(proposed, saved.role));
  return draft.role ?? (isKept ? saved.role : proposed);
}

/**
 * Changes the address. Drops the role, and secrets and user of another origin.
 * @param others What else the typed address may mean.
 */
export function moveDraftTo(draft: ConnectionDraft, baseUrl: string, others: readonly string[] = []): void {
  if (draft.baseUrl !== baseUrl) {
    draft.role = undefined;
  }
  if (draft.baseUrl !== '' && originOf({ baseUrl }) !== originOf(draft)) {
    takeToken(draft, undefined);
    draft.headers = [];
    draft.typedUser = savedUserAt(baseUrl, draft);
  }
  draft.baseUrl = baseUrl;
  draft.otherBaseUrls = others;
}

/** Changes the token. A user that was typed for another one isn't kept. */
export function takeToken(draft: ConnectionDraft, token: string | undefined, source?: SignIn['source']): void {
  const isSame = token === draft.token;
  if (!isSame) {
    draft.typedUser = savedUserAt(draft.baseUrl, draft);
  }
  draft.source = source ?? (isSame ? draft.source : undefined);
  draft.token = token;
}

function savedUserAt(baseUrl: string, { saved }: ConnectionDraft): string | undefined {
  return saved !== undefined && originOf({ baseUrl }) === originOf(saved) ? saved.typedUser : undefined;
}

/** Returns the problem of a typed user, if any. */
export function userProblem(text: string): string | undefined {
  const checked = parseActorUrn(text);
  return tokenElsewhereProblem(text) ?? ('problem' in checked ? checked.problem : undefined);
}

/** Returns the problem of a typed token, if any. An address as a token would be masked wherever it's shown. */
export function tokenProblem(text: string): string | undefined {
  return hasExpired(pastedToken(text), Date.now()) ? expiredFailure().message : pastedTokenProblem(text);
}

/** Returns the problem of a typed name, if any. */
export function nameProblem(text: string, otherNames: readonly string[]): string | undefined {
  const name = normalizedName(text);
  if (name === '') {
    return l10n.t('Enter a value.');
  }
  if (name.length > LONGEST_NAME) {
    return l10n.t('At most {0} characters. You entered {1}.', LONGEST_NAME, name.length);
  }
  return otherNames.includes(name) ? l10n.t('Another connection already has this name.') : tokenElsewhereProblem(text);
}

/** True if only its name or role may differ, which no server decides. */
export function leadsToSame(draft: ConnectionDraft): boolean {
  const { saved, token, headers } = draft;
  const isUnchanged = saved !== undefined && identityOf(connectionFrom(draft)) === identityOf(saved);
  return isUnchanged && token === undefined && headers.length === 0;
}

/** Those of another origin are left behind. */
export function keepsStoredSecrets({ saved, baseUrl }: ConnectionDraft): boolean {
  return saved !== undefined && originOf({ baseUrl }) === originOf(saved);
}

/** True if the stored token stays. */
export function keepsStoredToken(draft: ConnectionDraft): boolean {
  const { saved, token } = draft;
  return token === undefined && saved !== undefined && isSignedIn(saved) && keepsStoredSecrets(draft);
}

/** True if a token is sent: a typed or imported one, or the stored one. */
export function hasToken(draft: ConnectionDraft): boolean {
  return draft.token !== undefined || keepsStoredToken(draft);
}

/** Drafts of connections, and the checks of their fields. */
import * as l10n from '@vscode/l10n';
import { pastedTokenProblem } from '../service/failure/redaction.ts';
import { pastedToken } from '../service/tokens/pastedToken.ts';
import { checkTypedActor, parseActorUrn, shortActorName } from '../service/server/identifiers.ts';
import { heldTokenProblem, normalizedName } from '../ui/typedName.ts';
import {
  LONGEST_NAME,
  hostOf,
  identityOf,
  originOf,
  type Connection,
  type ConnectionFields,
  type StoredConnection,
} from './connection.ts';
import { isLaxerRole, suggestRole, type ConnectionRole } from './role.ts';
import type { ImportedCredential } from './commandLineFile.ts';
import type { TokenOrigin } from './credentialStore.ts';
import type { ConnectionTarget, TriedConnection } from './servicePool.ts';

export interface ConnectionDraft {
  id: string;
  name: string;
  baseUrl: string;
  /** ID or URN of the user as typed. Empty if none was. */
  typedUser: string;
  /** URN of the user that the server names for the token. Undefined if it doesn't, or wasn't asked. */
  owner: string | undefined;
  product: string;
  /** Undefined if the stored one stays. */
  token: string | undefined;
  /** The origin with consent to plain HTTP. */
  plainHttpOrigin: string | undefined;
  createdAt: number;
  /** Undefined unless the address came from the command line's file. */
  imported: ImportedCredential | undefined;
  /** The chosen one. Undefined after a change of the address. */
  role: ConnectionRole | undefined;
}

/** A draft with what is proposed. */
export interface FinishedDraft extends ConnectionDraft {
  readonly role: ConnectionRole;
  /** False for a role that was proposed, or that the connection had. */
  readonly isRoleChosen: boolean;
}

/** The input of an Add Connection that saved nothing, without the token and the consent to plain HTTP. */
export interface UnfinishedConnection {
  draft: ConnectionDraft | undefined;
}

export function emptyConnectionDraft(): ConnectionDraft {
  return {
    id: crypto.randomUUID(),
    name: '',
    baseUrl: '',
    typedUser: '',
    owner: undefined,
    product: '',
    token: undefined,
    plainHttpOrigin: undefined,
    createdAt: Date.now(),
    imported: undefined,
    role: undefined,
  };
}

export function connectionDraftOf(connection: Connection): ConnectionDraft {
  return {
    id: connection.id,
    name: connection.name,
    baseUrl: connection.baseUrl,
    typedUser: connection.typedUser === undefined ? '' : shortActorName(connection.typedUser),
    owner: connection.signIn?.user,
    product: connection.product ?? '',
    token: undefined,
    plainHttpOrigin: connection.plainHttpOrigin,
    createdAt: connection.createdAt,
    imported: undefined,
    role: connection.role,
  };
}

/** Converts a finished draft. */
export function connectionFrom(draft: ConnectionDraft): ConnectionFields {
  return {
    id: draft.id,
    name: draft.name,
    baseUrl: draft.baseUrl,
    typedUser: draft.typedUser === '' ? undefined : checkedActorUrn(draft.typedUser),
    product: draft.product === '' ? undefined : draft.product,
    plainHttpOrigin: consentIn(draft),
    createdAt: draft.createdAt,
  };
}

/** A draft as it acts: as the token's user, else as the typed one. */
export function triedConnection(draft: ConnectionDraft): TriedConnection {
  const fields = connectionFrom(draft);
  return { ...fields, actorUrn: draft.owner ?? fields.typedUser };
}

/** What is known of the token of a draft. */
export function tokenOriginOf({ token, owner, imported }: ConnectionDraft): TokenOrigin {
  return { user: owner, source: token !== undefined && token === imported?.token ? imported.source : undefined };
}

/** Where a draft without a user leads. */
export function targetOf(draft: ConnectionDraft): ConnectionTarget {
  return { name: hostOf(draft), baseUrl: draft.baseUrl, plainHttpOrigin: consentIn(draft) };
}

function consentIn(draft: ConnectionDraft): string | undefined {
  return agreesToPlainHttp(draft) ? originOf(draft) : undefined;
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

type SavedRole = Pick<Connection, 'baseUrl' | 'role'>;

/**
 * The role to save: the chosen one, that of a saved connection at its address, or the suggestion. Without a
 * suggestion production, which asks too much rather than too little.
 * @param saved Its role never gets laxer without a question. Undefined for a new connection.
 */
export function roleOfDraft(draft: ConnectionDraft, saved: SavedRole | undefined): ConnectionRole {
  if (draft.role !== undefined) {
    return draft.role;
  }
  const proposed = suggestRole(draft)?.role ?? 'production';
  return saved !== undefined && (draft.baseUrl === saved.baseUrl || isLaxerRole(proposed, saved.role))
    ? saved.role
    : proposed;
}

/** Changes the address. Drops role, and another origin's token. */
export function moveDraftTo(draft: ConnectionDraft, baseUrl: string): void {
  if (draft.baseUrl !== baseUrl) {
    draft.role = undefined;
  }
  if (draft.baseUrl !== '' && originOf({ baseUrl }) !== originOf(draft)) {
    takeToken(draft, undefined);
    draft.typedUser = '';
  }
  draft.baseUrl = baseUrl;
}

/** Changes the token. Keeps an imported one no longer than a typed one. A user typed for another one isn't kept. */
export function takeToken(draft: ConnectionDraft, token: string | undefined, owner?: string): void {
  if (token !== draft.token) {
    draft.typedUser = '';
  }
  draft.owner = owner;
  draft.token = token;
  draft.imported = token === draft.imported?.token ? draft.imported : undefined;
}

/** Returns whether the user accepted plain HTTP to this origin. */
export function agreesToPlainHttp(draft: ConnectionDraft): boolean {
  return draft.plainHttpOrigin === originOf(draft);
}

/** Explains why a text can't be an access token, which becomes a header value. Undefined if it can, or is empty. */
export function tokenProblem(text: string): string | undefined {
  const token = pastedToken(text);
  if (/^Bearer\s/i.test(token)) {
    return l10n.t('Paste only the token, without "Bearer".');
  }
  if (!/^[\x21-\x7E]*$/.test(token)) {
    return l10n.t("Access tokens can't contain spaces, line breaks or accented characters.");
  }
  return token.length > 8_192 ? l10n.t('Too long to be an access token.') : undefined;
}

/** @throws TypeError for unchecked text, since it would become a header. */
export function checkedActorUrn(text: string): string {
  const checked = parseActorUrn(text);
  if ('problem' in checked) {
    throw new TypeError('an unchecked actor');
  }
  return checked.actorUrn;
}

/** Returns the problem of a typed user, if any. */
export function userProblem(text: string): string | undefined {
  const checked = pastedTokenProblem(text) ?? checkTypedActor(text);
  return 'problem' in checked ? checked.problem : undefined;
}

/** Returns the problem of a typed name, if any. */
export function nameProblem(text: string, otherNames: readonly string[]): string | undefined {
  const name = normalizedName(text);
  if (name === '') {
    return l10n.t('Enter a name.');
  }
  if (name.length > LONGEST_NAME) {
    return l10n.t('Names can have at most 100 characters.');
  }
  return otherNames.includes(name) ? l10n.t('Another connection already has this name.') : heldTokenProblem(text);
}

/**
 * What an edit changes, so that it undoes nothing that another window changed meanwhile.
 * @param read The connection when the edit began. @param current As any window stored it last.
 * @returns undefined if another window changed its address or user and the draft more than its name, since a token,
 * role or address was meant for the former server.
 */
export function editedFields(
  draft: ConnectionDraft,
  read: Connection,
  current: Connection,
): Partial<StoredConnection> | undefined {
  const before: Partial<ConnectionFields> = connectionFrom(connectionDraftOf(read));
  const after: Partial<ConnectionFields> = connectionFrom(draft);
  const keys = Object.keys(after) as (keyof ConnectionFields)[];
  const changed = keys.filter((key) => after[key] !== before[key]);
  const isNameAlone = draft.token === undefined && draft.role === read.role && changed.every((key) => key === 'name');
  return identityOf(current) === identityOf(read) || isNameAlone
    ? Object.fromEntries(changed.map((key) => [key, after[key]]))
    : undefined;
}

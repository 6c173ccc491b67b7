/** A connection as it is being typed, and what may be typed. */
import * as vscode from 'vscode';
import { checkActor, shortActor } from '../service/urn.ts';
import type { Connection } from './connection.ts';

export interface ConnectionDraft {
  id: string;
  name: string;
  baseUrl: string;
  actor: string;
  product: string;
  /** Undefined: the stored one stays. */
  token: string | undefined;
  plainHttpConsent: boolean;
  createdAt: number;
  credentialTokenId: string | undefined;
}

export function emptyConnectionDraft(): ConnectionDraft {
  return {
    id: crypto.randomUUID(),
    name: '',
    baseUrl: '',
    actor: '',
    product: '',
    token: undefined,
    plainHttpConsent: false,
    createdAt: Date.now(),
    credentialTokenId: undefined,
  };
}

export function draftOf(connection: Connection): ConnectionDraft {
  return {
    id: connection.id,
    name: connection.name,
    baseUrl: connection.baseUrl,
    actor: shortActor(connection.actorUrn),
    product: connection.product ?? '',
    token: undefined,
    plainHttpConsent: connection.plainHttpConsent,
    createdAt: connection.createdAt,
    credentialTokenId: connection.credentialTokenId,
  };
}

/** The connection that a finished draft describes. Which stored credential belongs to it, the draft does not know. */
export function connectionFrom(draft: ConnectionDraft): Connection {
  return {
    id: draft.id,
    name: draft.name,
    baseUrl: draft.baseUrl,
    actorUrn: actorUrnOf(draft.actor),
    ...(draft.product === '' ? {} : { product: draft.product }),
    plainHttpConsent: draft.plainHttpConsent,
    createdAt: draft.createdAt,
    ...(draft.credentialTokenId === undefined || draft.token !== undefined ? {} : { credentialTokenId: draft.credentialTokenId }),
  };
}

/** Why a text cannot be an access token, or undefined when it can, or when it is empty. It becomes a header's value. */
export function tokenProblem(text: string): string | undefined {
  const token = text.trim();
  if (/^Bearer\s/i.test(token)) {
    return vscode.l10n.t('Leave out the word Bearer: enter the token alone.');
  }
  if (!/^[\x21-\x7E]*$/.test(token)) {
    return vscode.l10n.t('An access token holds no spaces, line breaks or accented letters.');
  }
  return token.length > 8_192 ? vscode.l10n.t('This is too long to be an access token.') : undefined;
}

/** @throws TypeError for a text that was not checked: it would become a header. */
export function actorUrnOf(text: string): string {
  const checked = checkActor(text);
  if ('problem' in checked) {
    throw new TypeError('an unchecked actor');
  }
  return checked.actorUrn;
}

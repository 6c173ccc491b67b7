/** A connection as it is being typed, and what may be typed. */
import { readActor, shortActor } from '../service/urn.ts';
import * as l10n from '@vscode/l10n';
import { consentedOrigin, originOf } from './connection.ts';
import type { Connection } from './connection.ts';
import type { Role } from './role.ts';

export interface ConnectionDraft {
  id: string;
  name: string;
  baseUrl: string;
  actor: string;
  product: string;
  /** Undefined: the stored one stays. */
  token: string | undefined;
  /** To which the person agreed to send a token over plain HTTP. */
  plainHttpOrigin: string | undefined;
  createdAt: number;
  credentialTokenId: string | undefined;
  /** Undefined: not chosen yet for this address. */
  role: Role | undefined;
}

export function emptyConnectionDraft(): ConnectionDraft {
  return {
    id: crypto.randomUUID(),
    name: '',
    baseUrl: '',
    actor: '',
    product: '',
    token: undefined,
    plainHttpOrigin: undefined,
    createdAt: Date.now(),
    credentialTokenId: undefined,
    role: undefined,
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
    plainHttpOrigin: consentedOrigin(connection),
    createdAt: connection.createdAt,
    credentialTokenId: connection.credentialTokenId,
    role: connection.role,
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
    ...(agreesToPlainHttp(draft)
      ? { plainHttpConsent: true, plainHttpOrigin: originOf(draft) }
      : { plainHttpConsent: false }),
    createdAt: draft.createdAt,
    ...(draft.credentialTokenId === undefined || draft.token !== undefined
      ? {}
      : { credentialTokenId: draft.credentialTokenId }),
    ...(draft.role === undefined ? {} : { role: draft.role }),
  };
}

/**
 * Another origin is another server: what was typed as the token of the one before does not go there. What another address is used
 * for is asked anew.
 */
export function moveTo(draft: ConnectionDraft, baseUrl: string): void {
  if (draft.baseUrl !== baseUrl) {
    draft.role = undefined;
  }
  if (draft.baseUrl !== '' && originOf({ baseUrl }) !== originOf(draft)) {
    draft.token = undefined;
  }
  draft.baseUrl = baseUrl;
}

/** Whether the person agreed to send a token to this very origin without encryption. */
export function agreesToPlainHttp(draft: ConnectionDraft): boolean {
  return draft.plainHttpOrigin === originOf(draft);
}

/** Why a text cannot be an access token, or undefined when it can, or when it is empty. It becomes a header's value. */
export function tokenProblem(text: string): string | undefined {
  const token = text.trim();
  if (/^Bearer\s/i.test(token)) {
    return l10n.t('Paste only the token, without "Bearer".');
  }
  if (!/^[\x21-\x7E]*$/.test(token)) {
    return l10n.t("Access tokens can't contain spaces, line breaks or accented characters.");
  }
  return token.length > 8_192 ? l10n.t('Too long to be an access token.') : undefined;
}

/** @throws TypeError for a text that was not checked: it would become a header. */
export function actorUrnOf(text: string): string {
  const checked = readActor(text);
  if ('problem' in checked) {
    throw new TypeError('an unchecked actor');
  }
  return checked.actorUrn;
}

/** The steps that make or change a connection. Nothing is saved here: the last step says whether it shall be. */
import * as vscode from 'vscode';
import { checkBaseUrl } from '../service/baseUrl.ts';
import { checkActor, shortActor } from '../service/urn.ts';
import { confirmPlainHttp } from '../ui/confirm.ts';
import { askText, runSteps } from '../ui/inputSteps.ts';
import type { Answer, Step } from '../ui/inputSteps.ts';
import { askAddress } from './addressStep.ts';
import type { Connection } from './connection.ts';
import { askVerdict } from './verdictStep.ts';
import type { Services } from './services.ts';

/** A connection as it is being typed. */
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

/**
 * @param storedToken The credential the connection has already, as long as the address stays the same.
 * @returns false when the person left; the draft keeps what was typed.
 */
export function runConnectionFlow(
  title: string,
  draft: ConnectionDraft,
  services: Services,
  storedToken: (baseUrl: string) => Promise<string | undefined>,
  otherNames: readonly string[],
): Promise<boolean> {
  const steps: Step[] = [
    { ask: (place) => askAddress(place, draft) },
    {
      applies: () => needsConsent(draft.baseUrl) && !draft.plainHttpConsent,
      ask: async () => {
        draft.plainHttpConsent = await confirmPlainHttp(new URL(draft.baseUrl).host);
        return draft.plainHttpConsent ? { kind: 'value', value: undefined } : { kind: 'back' };
      },
    },
    {
      ask: async (place) =>
        keep(
          await askText(place, {
            value: draft.actor,
            prompt: vscode.l10n.t('Who are you? A user id, or urn:li:corpuser:<user id>.'),
            placeholder: vscode.l10n.t('for example jdoe'),
            problem: (text) => problemOf(checkActor(text)),
          }),
          (text) => (draft.actor = shortActor(actorUrnOf(text))),
        ),
    },
    {
      ask: async (place) => {
        const hasStored = (await storedToken(draft.baseUrl)) !== undefined;
        return keep(
          await askText(place, {
            value: draft.token ?? '',
            password: true,
            prompt: hasStored
              ? vscode.l10n.t('Access token. Leave it empty to keep the one that is stored.')
              : vscode.l10n.t('Access token (optional). It is kept in the secret storage of VS Code.'),
            placeholder: hasStored ? vscode.l10n.t('unchanged') : vscode.l10n.t('none'),
            problem: tokenProblem,
          }),
          (text) => (draft.token = text.trim() === '' ? undefined : text.trim()),
        );
      },
    },
    {
      ask: async (place) =>
        keep(
          await askText(place, {
            value: draft.name === '' ? new URL(draft.baseUrl).host : draft.name,
            prompt: vscode.l10n.t('A name for this connection.'),
            problem: (text) => nameProblem(text, otherNames),
          }),
          (text) => (draft.name = text.trim()),
        ),
    },
    {
      ask: async (place) => askVerdict(place, draft, services, draft.token ?? (await storedToken(draft.baseUrl))),
    },
  ];
  return runSteps(title, steps);
}

/** The connection that a finished draft describes. */
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

function needsConsent(baseUrl: string): boolean {
  const checked = checkBaseUrl(baseUrl);
  return 'needsConsent' in checked && checked.needsConsent;
}

function nameProblem(text: string, otherNames: readonly string[]): string | undefined {
  const name = text.trim();
  if (name === '') {
    return vscode.l10n.t('Enter a name.');
  }
  if (name.length > 100) {
    return vscode.l10n.t('A name has at most 100 characters.');
  }
  return otherNames.includes(name) ? vscode.l10n.t('Another connection has this name.') : undefined;
}

function actorUrnOf(text: string): string {
  const checked = checkActor(text);
  if ('problem' in checked) {
    throw new TypeError('an unchecked actor');
  }
  return checked.actorUrn;
}

function problemOf(checked: { readonly problem: string } | object): string | undefined {
  return 'problem' in checked ? checked.problem : undefined;
}

function keep(answer: Answer<string>, into: (text: string) => void): Answer<void> {
  if (answer.kind !== 'value') {
    return answer;
  }
  into(answer.value);
  return { kind: 'value', value: undefined };
}


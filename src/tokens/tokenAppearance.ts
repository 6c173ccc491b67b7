/** How one access token looks in the tree and in pick lists, and what commands get of it. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { language } from '../language.ts';
import { type ConnectionRef, isConnectionRef } from '../connections/pickConnection.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import { bothEnds, inPlainText } from '../ui/foreignText.ts';
import { Tooltip } from '../ui/tooltip.ts';
import { expiryState, expiryText, relativeTime, shortExpiry } from './expiry.ts';
import { formatsOf } from '../ui/formats.ts';
import { inOneLine } from '../ui/textLines.ts';

/** What commands get from the tree. */
export interface TokenRef extends ConnectionRef {
  readonly token: AccessToken;
}

export function isTokenRef(clicked: unknown): clicked is TokenRef {
  return isConnectionRef(clicked) && 'token' in clicked;
}

/** What is known of a token here, besides what the server lists. */
export interface TokenMarks {
  /** The connection signs in with it. */
  readonly isCredential: boolean;
  /** Its string can still be copied in this window. */
  readonly isHeld: boolean;
  /** When a rotation replaced it: Unix time in ms. */
  readonly supersededAt: number | undefined;
}

/** The name, or, where the server does not list names, the beginning of the id. */
export function tokenLabel(token: AccessToken): string {
  return token.name === undefined || token.name === '' ? `${token.id.slice(0, 12)}…` : token.name;
}

/** The same where there is little room: a long name keeps its beginning and its end. */
export function shortTokenLabel(token: AccessToken): string {
  return bothEnds(tokenLabel(token));
}

/** What is said of a token besides when it ends. */
interface Said {
  readonly showOwner: boolean;
  readonly isSuperseded: boolean;
}

/** The quiet part behind the label: when it ends comes first, for a narrow side bar cuts off what comes last. */
export function tokenDescription(token: AccessToken, said: Said, now = Date.now()): string {
  return withRest(shortExpiry(token.expiresAt, now, language()), token, said);
}

/** What a screen reader says behind the label: whole words. */
export function tokenSpoken(token: AccessToken, said: Said, now = Date.now()): string {
  return withRest(expiryText(token.expiresAt, now, language()), token, said);
}

/** Where there is little room. Real ones have about 50 characters, and are seen whole. */
export function shortId(id: string): string {
  return l10n.t('ID {0}', bothEnds(id));
}

/** What tells a token from others of its name: "created Oct 3, 2026", else its ID, which is as long as the server likes. */
export function distinction({ id, createdAt }: AccessToken): string {
  return createdAt === undefined ? shortId(id) : l10n.t('created {0}', formatsOf(language()).date(createdAt));
}

function withRest(expiry: string, token: AccessToken, { showOwner, isSuperseded }: Said): string {
  const superseded = isSuperseded ? l10n.t('superseded') : '';
  const owner = showOwner ? shortActorName(token.ownerUrn ?? token.actorUrn) : '';
  return inOneLine([expiry, superseded, owner]);
}

export function tokenIcon(token: AccessToken, isCredential: boolean, now = Date.now()): vscode.ThemeIcon {
  switch (expiryState(token.expiresAt, now)) {
    case 'expired':
      return new vscode.ThemeIcon('circle-slash', new vscode.ThemeColor('disabledForeground'));
    case 'soon':
      return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
    case 'valid':
    case 'never':
    case 'unknown':
      return new vscode.ThemeIcon(isCredential ? 'lock' : 'key');
  }
}

/** What the row has no room for. */
export function tokenTooltip(
  token: AccessToken,
  { isCredential, supersededAt }: TokenMarks,
  now = Date.now(),
): Tooltip {
  const { exactTime } = formatsOf(language());
  return new Tooltip()
    .longName(tokenLabel(token))
    .text(inPlainText(token.description ?? ''))
    .fact(
      expiryState(token.expiresAt, now) === 'expired' ? l10n.t('Expired') : l10n.t('Expires'),
      expiryFact(token, now),
    )
    .fact(l10n.t('Created'), token.createdAt === undefined ? undefined : exactTime(token.createdAt))
    .fact(l10n.t('Superseded'), supersededAt === undefined ? undefined : exactTime(supersededAt))
    .fact(l10n.t('Acts as'), token.actorUrn)
    .fact(l10n.t('Owner'), token.ownerUrn)
    .fact(l10n.t('ID'), token.id)
    .text(isCredential ? l10n.t('This connection signs in with it.') : undefined);
}

function expiryFact({ expiresAt }: AccessToken, now: number): string | undefined {
  if (typeof expiresAt !== 'number') {
    return expiresAt === null ? l10n.t('Never') : undefined;
  }
  return `${formatsOf(language()).exactTime(expiresAt)} (${relativeTime(expiresAt - now, language())})`;
}

/** How one access token looks in the tree and in pick lists, and what commands get of it. */
import * as vscode from 'vscode';
import { isConnectionRef } from '../connections/pickConnection.ts';
import type { ConnectionRef } from '../connections/pickConnection.ts';
import type { AccessToken } from '../service/tokens/tokens.ts';
import { shortActor } from '../service/urn.ts';
import { inPlainText } from '../ui/foreignText.ts';
import { Tooltip } from '../ui/tooltip.ts';
import { expiryState, expiryText, shortExpiry } from './expiry.ts';
import { language } from '../language.ts';
import { formatsOf } from '../ui/formats.ts';

/** What commands get from the tree. */
export interface TokenRef extends ConnectionRef {
  readonly token: AccessToken;
}

export function isTokenRef(clicked: unknown): clicked is TokenRef {
  return isConnectionRef(clicked) && 'token' in clicked;
}

/** The name, or, where the server does not list names, the beginning of the id. */
export function tokenLabel(token: AccessToken): string {
  return token.name === undefined || token.name === '' ? `${token.id.slice(0, 12)}…` : token.name;
}

/** The quiet part behind the label: when it ends comes first, for a narrow side bar cuts off what comes last. */
export function tokenDescription(token: AccessToken, showOwner: boolean, now = Date.now()): string {
  return withOwner(shortExpiry(token.expiresAt, now, language()), token, showOwner);
}

/** What a screen reader says behind the label: whole words. */
export function tokenSpoken(token: AccessToken, showOwner: boolean, now = Date.now()): string {
  return withOwner(expiryText(token.expiresAt, now, language()), token, showOwner);
}

function withOwner(expiry: string, token: AccessToken, showOwner: boolean): string {
  const owner = showOwner ? shortActor(token.ownerUrn ?? token.actorUrn) : '';
  return [expiry, owner].filter((part) => part !== '').join(' · ');
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

/** Everything that is known. */
export function tokenTooltip(token: AccessToken, isCredential: boolean, now = Date.now()): Tooltip {
  const { exactTime } = formatsOf(language());
  const expiry = expiryText(token.expiresAt, now, language());
  return new Tooltip()
    .heading(tokenLabel(token))
    .text(inPlainText(token.description ?? ''))
    .fact(
      vscode.l10n.t('Expires'),
      typeof token.expiresAt === 'number' ? `${exactTime(token.expiresAt)} (${expiry})` : expiry,
    )
    .fact(vscode.l10n.t('Created'), token.createdAt === undefined ? undefined : exactTime(token.createdAt))
    .fact(vscode.l10n.t('Acts as'), token.actorUrn)
    .fact(vscode.l10n.t('Owner'), token.ownerUrn)
    .fact(vscode.l10n.t('ID'), token.id)
    .text(isCredential ? vscode.l10n.t('This connection signs in with it.') : undefined);
}

/** Shows a token in the tree and in pick lists. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { language } from '../language.ts';
import { type ConnectionRef, isConnectionRef } from '../connections/pickConnection.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import { inPlainText } from '../ui/foreignText.ts';
import { RowTooltip } from '../ui/tooltip.ts';
import { expiryState, tokenExpiryText, shortExpiry } from './expiry.ts';
import { formatsOf } from '../ui/formats.ts';
import { inOneLine } from '../ui/textLines.ts';

/** Passed from the tree to commands. */
export interface TokenReference extends ConnectionRef {
  readonly token: AccessToken;
}

export function isTokenReference(clicked: unknown): clicked is TokenReference {
  return isConnectionRef(clicked) && 'token' in clicked;
}

/** Local facts about a token, beyond the server's listing. */
export interface LocalTokenMarks {
  /** The connection signs in with it. */
  readonly isCredential: boolean;
  /** A rotation replaced it. */
  readonly isSuperseded: boolean;
}

/** Names a row, by the beginning of the ID if names aren't listed: nothing else tells such rows apart. */
export function tokenLabel({ name, id }: AccessToken): string {
  return name || `${id.slice(0, 12)}…`;
}

/** Names a token in a sentence, where an ID means nothing to a person. */
export function tokenName({ name, actorUrn }: AccessToken): string {
  const unnamed = actorUrn === '' ? l10n.t('unnamed token') : l10n.t('unnamed token of {0}', shortActorName(actorUrn));
  return name || unnamed;
}

/**
 * The dimmed text behind the label, which is one thing: narrow side bars cut off the rest.
 * @param said What the filter says isn't repeated: who uses the token instead of when it ends.
 */
export function tokenDescription(
  token: AccessToken,
  isSuperseded: boolean,
  said: { readonly expiry: boolean; readonly user: boolean },
  now = Date.now(),
): string {
  if (isSuperseded) {
    return l10n.t('superseded');
  }
  if (!said.expiry) {
    return shortExpiry(token.expiresAt, now, language());
  }
  return said.user ? '' : shortActorName(token.actorUrn);
}

/** For screen readers and pick lists: whole words. */
export function tokenSpoken(
  token: AccessToken,
  { showUser, isSuperseded }: { readonly showUser: boolean; readonly isSuperseded: boolean },
  now = Date.now(),
): string {
  return inOneLine([
    isSuperseded ? l10n.t('superseded') : '',
    tokenExpiryText(token.expiresAt, now, language()),
    showUser ? shortActorName(token.actorUrn) : '',
  ]);
}

/** The state that needs something first: a token that ends, then one that was replaced. */
export function tokenThemeIcon(
  token: AccessToken,
  { isCredential, isSuperseded }: LocalTokenMarks,
  now = Date.now(),
): vscode.ThemeIcon {
  switch (expiryState(token.expiresAt, now, token.createdAt)) {
    case 'expired':
      return new vscode.ThemeIcon('circle-slash', new vscode.ThemeColor('disabledForeground'));
    case 'soon':
      return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
    case 'valid':
    case 'never':
    case 'unknown':
      return new vscode.ThemeIcon(isCredential ? 'lock' : isSuperseded ? 'history' : 'key');
  }
}

/** Facts that don't fit in the row. */
export function tokenTooltip(
  token: AccessToken,
  { isCredential, isSuperseded }: LocalTokenMarks,
  now = Date.now(),
): RowTooltip {
  const { exactTime } = formatsOf(language());
  return new RowTooltip()
    .heading(tokenLabel(token))
    .text(inPlainText(token.description ?? ''))
    .fact(
      expiryState(token.expiresAt, now) === 'expired' ? l10n.t('Expired') : l10n.t('Expires'),
      expiryFactText(token, now),
    )
    .fact(l10n.t('Created'), token.createdAt === undefined ? undefined : exactTime(token.createdAt))
    .fact(l10n.t('Acts as'), token.actorUrn)
    .fact(l10n.t('Created by'), token.ownerUrn)
    .fact(l10n.t('ID'), token.id)
    .text(isSuperseded ? l10n.t('A rotation replaced this token, which is still valid.') : undefined)
    .text(isCredential ? l10n.t('This connection signs in with this token.') : undefined);
}

function expiryFactText({ expiresAt }: AccessToken, now: number): string | undefined {
  if (typeof expiresAt !== 'number') {
    return expiresAt === null ? l10n.t('Never') : undefined;
  }
  const { exactTime, distance } = formatsOf(language());
  return `${exactTime(expiresAt)} (${distance(expiresAt, now)})`;
}

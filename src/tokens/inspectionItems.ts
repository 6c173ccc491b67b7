/** The lines of an inspected token: its claims, what a server says, why a server answers 401, and the next steps. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { hostOf, type Connection } from '../connections/connection.ts';
import { language } from '../language.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import type { TokenClaims } from '../service/tokens/tokenClaims.ts';
import type { TokenLookup } from '../service/tokens/tokenLookup.ts';
import type { ServiceFailure } from '../service/failure/failure.ts';
import { formatsOf } from '../ui/formats.ts';
import { failureItems, wrappedLineItems, type PickItem } from '../ui/inputSteps.ts';
import { expiryState, relativeTime, type TokenExpiry } from './expiry.ts';
import { shortTokenLabel } from './tokenAppearance.ts';

/** A server's answer about the token. */
export interface LookupAnswer {
  readonly connection: Connection;
  readonly outcome: TokenLookup | { readonly kind: 'failed'; readonly failure: ServiceFailure };
}

export interface Inspection {
  readonly claims: TokenClaims;
  /** Connections that sign in with it. */
  readonly signingIn: readonly Connection[];
  /** Of the server that was asked last. */
  readonly answer: LookupAnswer | undefined;
}

export type InspectionAction = 'ask' | 'revoke';

export interface InspectionItem extends PickItem {
  readonly action?: InspectionAction;
}

export function inspectionItems(inspection: Inspection, now = Date.now()): readonly InspectionItem[] {
  const { claims, signingIn, answer } = inspection;
  return [
    ...claimItems(claims, now),
    ...signingIn.map(({ name }) => line('lock', l10n.t('This is the credential of "{0}".', name))),
    ...wrappedLineItems(
      'info',
      l10n.t("The signature isn't checked. When and by which server it was issued can't be read from a token."),
    ),
    ...(answer === undefined ? [] : answerItems(answer, now)),
    separator(l10n.t('If a server answers 401')),
    ...wrappedLineItems('lightbulb', unauthorizedReason(inspection, now)),
    separator(l10n.t('Next steps')),
    ...nextSteps(inspection, now),
  ];
}

function claimItems({ type, actorId, expiresAtMillis }: TokenClaims, now: number): InspectionItem[] {
  return [
    line(isExpired(expiresAtMillis, now) ? 'circle-slash' : 'clock', expiryLine(expiresAtMillis, now)),
    line('person', actorId === undefined ? l10n.t('Names no user') : l10n.t('Acts as {0}', actorId)),
    line('key', kindText(type)),
  ];
}

function kindText(type: string | undefined): string {
  switch (type) {
    case 'PERSONAL':
      return l10n.t('Personal access token');
    case 'SERVICE_ACCOUNT':
      return l10n.t('Service account token');
    case 'SESSION':
      return l10n.t('Session token, made by signing in to the web page');
    case undefined:
      return l10n.t('Names no type');
    default:
      return l10n.t('Type: {0}', type);
  }
}

function expiryLine(expiresAt: number | null, now: number): string {
  if (expiresAt === null) {
    return l10n.t('Never expires');
  }
  const [relative, exact] = [relativeTime(expiresAt - now, language()), formatsOf(language()).exactTime(expiresAt)];
  return expiresAt <= now ? l10n.t('Expired {0} ({1})', relative, exact) : l10n.t('Expires {0} ({1})', relative, exact);
}

function answerItems({ connection, outcome }: LookupAnswer, now: number): InspectionItem[] {
  const host = hostOf(connection);
  const heading = separator(host);
  switch (outcome.kind) {
    case 'known':
      return [heading, ...recordItems(outcome.token, now)];
    case 'unknown':
      return [
        heading,
        ...wrappedLineItems(
          'question',
          l10n.t("{0} doesn't seem to know this token: it answered with an error, as servers do then.", host),
        ),
      ];
    case 'unsupported':
      return [
        heading,
        ...wrappedLineItems('error', l10n.t("{0} can't look up tokens by their text, so it wasn't sent.", host)),
      ];
    case 'failed':
      return [
        heading,
        ...failureItems(outcome.failure),
        ...(outcome.failure.kind === 'refused'
          ? wrappedLineItems('info', l10n.t('Newer servers answer the owner of a token as well.'))
          : []),
      ];
  }
}

function recordItems(token: AccessToken, now: number): InspectionItem[] {
  const { createdAt, expiresAt, ownerUrn, actorUrn, id } = token;
  return [
    line('check', l10n.t('On record as "{0}"', shortTokenLabel(token))),
    ...(actorUrn === '' ? [] : [line('person', l10n.t('Acts as {0}', shortActorName(actorUrn)))]),
    ...(ownerUrn === undefined ? [] : [line('account', l10n.t('Owner: {0}', shortActorName(ownerUrn)))]),
    ...(createdAt === undefined
      ? []
      : [line('calendar', l10n.t('Created {0}', formatsOf(language()).exactTime(createdAt)))]),
    ...(expiresAt === undefined ? [] : [line('clock', expiryLine(expiresAt, now))]),
    line('symbol-key', l10n.t('ID: {0}', id)),
  ];
}

/** One sentence, from the claims first. */
function unauthorizedReason({ claims, answer }: Inspection, now: number): string {
  if (isExpired(claims.expiresAtMillis, now)) {
    return l10n.t('The token has expired, so no server accepts it any more.');
  }
  if (claims.actorId === undefined) {
    return l10n.t("The token names no user, so it isn't one that a metadata service accepts.");
  }
  if (answer?.outcome.kind === 'known') {
    return l10n.t(
      '{0} knows the token, so its user may be suspended or deleted, or the signing key of the server was changed.',
      hostOf(answer.connection),
    );
  }
  if (answer?.outcome.kind === 'unknown') {
    return l10n.t('The token was revoked on {0}, or another server issued it.', hostOf(answer.connection));
  }
  return claims.type === 'SESSION'
    ? l10n.t('Another server issued it, the signing key was changed, or its user was suspended or deleted.')
    : l10n.t(
        'It was revoked, another server issued it, the signing key was changed, or its user was suspended or deleted.',
      );
}

function nextSteps({ claims, answer }: Inspection, now: number): InspectionItem[] {
  const canRevoke = answer?.outcome.kind === 'known' && answer.connection.role !== 'readOnly';
  return [
    ...(isExpired(claims.expiresAtMillis, now)
      ? wrappedLineItems('info', l10n.t("An expired token isn't sent to a server: using it deletes its record there."))
      : claims.type === 'SESSION'
        ? wrappedLineItems(
            'info',
            l10n.t("Servers keep no record of session tokens, so they can't be asked about one."),
          )
        : [
            {
              icon: 'cloud-upload',
              label: l10n.t('Ask a Server…'),
              description: l10n.t('sends the token to a server of yours, after asking'),
              alwaysShow: true,
              action: 'ask' as const,
            },
          ]),
    ...(canRevoke ? [{ icon: 'trash', label: l10n.t('Revoke…'), alwaysShow: true, action: 'revoke' as const }] : []),
  ];
}

function isExpired(expiresAt: TokenExpiry, now: number): boolean {
  return expiryState(expiresAt, now) === 'expired';
}

function line(icon: string, label: string): InspectionItem {
  return { icon, label, alwaysShow: true };
}

function separator(label: string): InspectionItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

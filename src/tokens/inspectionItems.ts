/** The lines of an inspected token: its claims, what a server says, why a server answers 401, and the next steps. */
import * as l10n from '@vscode/l10n';
import { hostOf, type Connection } from '../connections/connection.ts';
import { language } from '../language.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import type { TokenClaims } from '../service/tokens/tokenClaims.ts';
import type { TokenLookup } from '../service/tokens/tokenLookup.ts';
import type { ServiceFailure } from '../service/failure/failure.ts';
import { formatsOf } from '../ui/formats.ts';
import { failureItems, separator, wrappedLineItems, type PickItem } from '../ui/inputSteps.ts';
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
    ...signingIn.map(({ name }) => line('lock', l10n.t('The connection "{0}" signs in with this token.', name))),
    ...wrappedLineItems(
      'info',
      l10n.t("The signature isn't checked. When and by which server it was issued can't be read from a token."),
    ),
    ...(answer === undefined ? [] : answerItems(answer, now)),
    separator(),
    ...wrappedLineItems('lightbulb', unauthorizedReason(inspection, now)),
    ...nextSteps(inspection, now),
  ];
}

function claimItems({ type, actorId, expiresAtMillis }: TokenClaims, now: number): InspectionItem[] {
  return [
    line(isExpired(expiresAtMillis, now) ? 'circle-slash' : 'clock', expiryLine(expiresAtMillis, now)),
    line('person', actorId === undefined ? l10n.t('No user in the token') : l10n.t('Acts as {0}', actorId)),
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
      return l10n.t('No type in the token');
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
  switch (outcome.kind) {
    case 'known':
      return [separator(host), ...recordItems(outcome.token, now)];
    case 'unknown':
      return [
        separator(),
        ...wrappedLineItems(
          'question',
          l10n.t(
            "{0} doesn't seem to know this token: the server answered with an error, as is usual for unknown tokens.",
            host,
          ),
        ),
      ];
    case 'unsupported':
      return [
        separator(),
        ...wrappedLineItems(
          'error',
          l10n.t("{0} can't look up tokens by their value, so the token wasn't sent.", host),
        ),
      ];
    case 'failed':
      return [separator(host), ...failureItems(outcome.failure)];
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
    return l10n.t('It has expired, so servers answer 401.');
  }
  if (claims.actorId === undefined) {
    return l10n.t('It names no user, so a metadata service answers 401.');
  }
  if (answer?.outcome.kind === 'known') {
    return l10n.t(
      "A 401 from {0} means that the token's user was suspended or deleted, or that the signing key was changed.",
      hostOf(answer.connection),
    );
  }
  if (answer?.outcome.kind === 'unknown') {
    return l10n.t(
      'A 401 from {0} means that the token was revoked there, or that another server issued it.',
      hostOf(answer.connection),
    );
  }
  return claims.type === 'SESSION'
    ? l10n.t(
        "A 401 means that another server issued the token, that the signing key was changed, or that the token's user was suspended or deleted.",
      )
    : l10n.t(
        "A 401 means that the token was revoked, that another server issued it, that the signing key was changed, or that the token's user was suspended or deleted.",
      );
}

function nextSteps({ claims, answer }: Inspection, now: number): InspectionItem[] {
  const unasked = unaskedReason(claims, now);
  const steps: InspectionItem[] = [];
  if (unasked === undefined) {
    const description = l10n.t('sends it to a server, after you confirm');
    steps.push({ ...line('cloud-upload', l10n.t('Ask a Server…')), description, action: 'ask' });
  }
  if (answer?.outcome.kind === 'known' && answer.connection.role !== 'readOnly') {
    steps.push({ ...line('trash', l10n.t('Revoke…')), action: 'revoke' });
  }
  return [
    ...(unasked === undefined ? [] : wrappedLineItems('info', unasked)),
    ...(steps.length === 0 ? [] : [separator(l10n.t('Next steps')), ...steps]),
  ];
}

/** Why no server is asked about it; undefined if one can be. */
function unaskedReason({ type, expiresAtMillis }: TokenClaims, now: number): string | undefined {
  if (isExpired(expiresAtMillis, now)) {
    return l10n.t("An expired token isn't sent to a server: using it deletes its record there.");
  }
  return type === 'SESSION'
    ? l10n.t("Servers keep no record of session tokens, so they can't be asked about one.")
    : undefined;
}

function isExpired(expiresAt: TokenExpiry, now: number): boolean {
  return expiryState(expiresAt, now) === 'expired';
}

function line(icon: string, label: string): InspectionItem {
  return { icon, label, alwaysShow: true };
}

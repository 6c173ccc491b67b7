/**
 * Rotates a token of the list: creates a replacement, and keeps the old one until the user confirms that nothing uses
 * it. The one that a connection signs in with: rotateCredential.ts.
 */
import * as l10n from '@vscode/l10n';
import type { Connection } from '../connections/connection.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import { askAndIssue } from './issueToken.ts';
import { offerIssuedToken } from './offerToken.ts';
import { oldTokenStays, revokeTokens } from './revokeTokens.ts';
import type { TokenCreationFacts, TokenDraft } from './tokenDraft.ts';
import type { TokenFlowParts } from './tokenLists.ts';
import { shortTokenLabel } from './tokenAppearance.ts';
import { confirmRevokeOld } from './tokenQuestions.ts';
import { language } from '../language.ts';
import { formatsOf } from '../ui/formats.ts';
import { closestDuration } from './expiry.ts';

/**
 * Asks, creates, offers the value, then asks about the old token.
 * @returns once the replacement was created, or the user cancelled, or creation failed and was reported.
 */
export async function rotateToken(
  parts: TokenFlowParts,
  connection: Connection,
  title: string,
  old: AccessToken,
): Promise<void> {
  const texts = {
    placeholder: replacementText(old),
    connection: connection.name,
    accept: l10n.t('Create Replacement'),
  };
  const issued = await askAndIssue(parts, connection, title, texts, (facts) => proposedReplacement(old, facts));
  if (issued === undefined) {
    return;
  }
  // Started before the next question, so closing the window over it loses nothing.
  const marked = parts.memory.remember(connection.id, old, 'superseded').catch(() => undefined);
  await offerIssuedToken(parts, connection, issued);
  if (parts.store.get(connection.id) !== undefined) {
    await marked;
    const isUncopied = issued.id !== undefined && parts.held.isUncopied(connection.id, issued.id);
    const revocation = revokeTokens(parts, connection, [old], undefined, (agreed, matches) =>
      confirmRevokeOld(old, agreed, matches, isUncopied),
    );
    await revocation.catch((thrown: unknown) => parts.notices.failure(oldTokenStays(thrown, old), connection));
  }
}

/** Servers name service accounts this way (PROTOCOL.md §5.9). The type of a token is not listed. */
const SERVICE_ACCOUNT = /^urn:li:corpuser:service_/;

/** Proposes all properties of the old token. */
function proposedReplacement(old: AccessToken, { serviceAccounts, durations, caller }: TokenCreationFacts): TokenDraft {
  const actorUrn = old.actorUrn === '' ? caller : old.actorUrn;
  return {
    type: serviceAccounts !== undefined && SERVICE_ACCOUNT.test(actorUrn) ? 'SERVICE_ACCOUNT' : 'PERSONAL',
    name: old.name ?? '',
    actorUrn,
    duration: closestDuration(old.createdAt, old.expiresAt, durations),
    description: old.description ?? '',
  };
}

function replacementText(old: AccessToken): string {
  const { createdAt } = old;
  return createdAt === undefined
    ? l10n.t('Create a replacement for "{0}"', shortTokenLabel(old))
    : l10n.t(
        'Create a replacement for "{0}", created {1}',
        shortTokenLabel(old),
        formatsOf(language()).date(createdAt),
      );
}

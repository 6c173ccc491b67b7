/**
 * Rotates a token: creates a replacement, and asks about the old one only once the new one has its place. Wherever the
 * rotation of a connection's own token is interrupted, the connection has a token that works.
 */
import * as l10n from '@vscode/l10n';
import { isSignedIn, userOf, type Connection } from '../connections/connection.ts';
import { commandLineTokenPlace } from '../connections/credentialLife.ts';
import { admitChange } from '../connections/changeGate.ts';
import { replaceCredential } from '../connections/signIn.ts';
import { ServiceFailure, toServiceFailure } from '../service/failure/failure.ts';
import { askTokenOwner } from '../service/server/callerRights.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import { withBothEnds } from '../ui/foreignText.ts';
import { showInformation } from '../ui/messages.ts';
import { showProgress } from '../ui/progress.ts';
import { closestDuration } from '../service/tokens/durations.ts';
import { askAndIssue, type IssuedAccessToken } from './issueToken.ts';
import { offerIssuedToken } from './offerToken.ts';
import { revokeTokens } from './revokeTokens.ts';
import { tokenName } from './tokenAppearance.ts';
import type { TokenCreationFacts, TokenDraft } from './tokenDraft.ts';
import type { TokenFlowParts } from './tokenLists.ts';
import { confirmRevokeOld } from './tokenQuestions.ts';

/** Returns once the user answered about the old token or cancelled, or creation failed and was reported. */
export async function rotateToken(
  parts: TokenFlowParts,
  connection: Connection,
  title: string,
  old: AccessToken,
): Promise<void> {
  const issued = await askAndIssue(parts, connection, {
    title,
    ...replacementTexts(connection, old),
    creates: 'any',
    draftFor: (facts) => proposedReplacement(old, facts),
  });
  if (issued === undefined) {
    return;
  }
  // Started before the next question, so closing the window over it loses nothing.
  const marked = parts.memory.remember(connection.id, old, 'superseded').catch(() => undefined);
  await offerIssuedToken(parts, connection, issued);
  if (parts.store.get(connection.id) !== undefined) {
    await marked;
    const isUncopied = issued.listed !== undefined && parts.held.isUncopied(connection.id, issued.listed.id);
    await askAboutOld(parts, connection, old, isUncopied);
  }
}

/**
 * Rotates the token that a connection signs in with. The new one is tested and stored before the user is asked about the
 * old one.
 * @throws ServiceFailure as `admitChange` does.
 */
export async function rotateCredential(parts: TokenFlowParts, connection: Connection, title: string): Promise<void> {
  const agreed = await admitChange(parts.store, connection);
  const old = await formerToken(parts, agreed);
  const issued = await askAndIssue(parts, agreed, {
    title,
    ...replacementTexts(agreed, old),
    creates: 'own',
    draftFor: (facts) => ownReplacement(agreed, old, facts),
  });
  const saved = issued && (await testAndStore(parts, agreed, issued));
  if (saved === undefined) {
    return;
  }
  parts.notices.done(l10n.t('"{0}" now signs in with a new access token', saved.name));
  if (old === undefined) {
    void showInformation(formerTokenFate(agreed));
    return;
  }
  await parts.memory.remember(saved.id, old, 'superseded').catch(() => undefined);
  // Signing in dropped the list, which tells what became of the old token if the answer is lost.
  await parts.tokenLists.get(saved.id).ensureTried();
  await askAboutOld(parts, saved, old, false);
}

/** @param old Undefined if unknown. */
function replacementTexts({ name }: Connection, old: AccessToken | undefined) {
  return {
    placeholder:
      old === undefined
        ? l10n.t('Press Enter to create the access token on "{0}"', name)
        : l10n.t('Create a replacement for "{0}"', withBothEnds(tokenName(old))),
    accept: l10n.t('Create Replacement'),
  };
}

/** Servers name service accounts this way (PROTOCOL.md §5.9). The type of a token is not listed. */
const SERVICE_ACCOUNT = /^urn:li:corpuser:service_/;

/** Proposes all properties of the old token. */
function proposedReplacement(
  old: Partial<AccessToken>,
  { serviceAccounts, durations, caller }: TokenCreationFacts,
): TokenDraft {
  const actorUrn = old.actorUrn || caller;
  // A service account creates its own as a personal one, for which it needn't manage service accounts.
  const isForAccount = serviceAccounts !== undefined && actorUrn !== caller && SERVICE_ACCOUNT.test(actorUrn);
  return {
    type: isForAccount ? 'SERVICE_ACCOUNT' : 'PERSONAL',
    name: old.name ?? '',
    actorUrn,
    duration: closestDuration(old.createdAt, old.expiresAt, durations),
    description: old.description ?? '',
  };
}

/** @throws ServiceFailure if it can't become the connection's own. */
function ownReplacement(connection: Connection, old: AccessToken | undefined, facts: TokenCreationFacts): TokenDraft {
  if (!isSignedIn(connection)) {
    throw new ServiceFailure('signedOut', l10n.t('This connection was signed out.'), {
      next: l10n.t('Sign in again.'),
    });
  }
  if (connection.signIn?.isSession === true) {
    throw new ServiceFailure(
      'signedOut',
      l10n.t('This connection signs in with the token of a web session, which only the web front end can renew.'),
      { next: l10n.t('Create an access token and sign in with that.') },
    );
  }
  const name = old?.name || `VS Code: ${connection.name}`.slice(0, 50).trim();
  return { ...proposedReplacement({ ...old, name, actorUrn: facts.caller }, facts), keepsUser: true };
}

/** Returns the token that a connection signs in with, as listed. Undefined if its ID is unknown: then it isn't revoked. */
async function formerToken(
  { tokenLists, memory }: TokenFlowParts,
  { id, signIn }: Connection,
): Promise<AccessToken | undefined> {
  const tokenId = signIn?.tokenId;
  if (tokenId === undefined) {
    return undefined;
  }
  const list = tokenLists.get(id);
  await Promise.all([memory.load(), list.ensureShown()]);
  return list.tokens.find((one) => one.id === tokenId) ?? memory.tokenOf(id, tokenId);
}

/** Says that an old token lives on whose ID is unknown. */
function formerTokenFate({ name, signIn }: Connection): string {
  const { source } = signIn ?? {};
  if (source !== undefined) {
    return l10n.t(
      'The old token of "{0}" isn\'t revoked: it came from {1}, and the datahub command on this machine uses it.',
      name,
      commandLineTokenPlace(source),
    );
  }
  return l10n.t(
    'The old token of "{0}" stays valid: its ID isn\'t known here. To revoke it, select it under Access tokens.',
    name,
  );
}

/** @returns the connection with the new token. Undefined if it doesn't sign in with that: then the token was offered. */
async function testAndStore(
  parts: TokenFlowParts,
  connection: Connection,
  issued: IssuedAccessToken,
): Promise<Connection | undefined> {
  let isTested = false;
  try {
    await testToken(parts, connection, issued);
    isTested = true;
    const saved = await replaceCredential(parts, connection, issued.secret.reveal(), issued.listed?.id);
    if (issued.listed !== undefined) {
      // Signing in dropped the loaded list.
      parts.tokenLists.get(connection.id).addCreatedToken(issued.listed);
    }
    return saved;
  } catch (thrown) {
    parts.notices.failure(unfinishedRotation(toServiceFailure(thrown), connection, issued), connection);
    await offerIssuedToken(parts, connection, { ...issued, isSelf: isTested && issued.isSelf });
    return undefined;
  }
}

/** @throws ServiceFailure if the server doesn't take the token, or takes it for another user's. */
async function testToken(
  { services, credentials }: TokenFlowParts,
  connection: Connection,
  { secret }: IssuedAccessToken,
): Promise<void> {
  const { headers } = await credentials.readSecrets(connection);
  const transport = services.createTransport(connection, { token: secret.reveal(), headers });
  try {
    const testing = l10n.t('Testing the new access token of "{0}"…', connection.name);
    const owner = await showProgress(testing, false, () => askTokenOwner(transport));
    if (owner !== undefined && connection.actorUrn !== undefined && owner !== connection.actorUrn) {
      throw new ServiceFailure(
        'badRequest',
        l10n.t(
          "The token belongs to {0}, not to {1}, so it wasn't rotated.",
          shortActorName(owner),
          userOf(connection),
        ),
        { next: l10n.t("Change the connection's user, or sign in with a token of that user.") },
      );
    }
  } finally {
    transport.close();
  }
}

function unfinishedRotation(
  reason: ServiceFailure,
  connection: Connection,
  { name }: IssuedAccessToken,
): ServiceFailure {
  // Signing in again would not help: the connection has a token.
  const kind = reason.kind === 'signedOut' ? 'refused' : reason.kind;
  const what = l10n.t('The access token of "{0}" wasn\'t fully rotated: {1}', connection.name, reason.message);
  return new ServiceFailure(kind, what, {
    next: l10n.t('The new token "{0}" isn\'t used by the connection. Revoke it if you don\'t need it.', name),
  });
}

/** Revokes the old token if the user wants that. Reports a failure. @param isUncopied As for `confirmRevokeOld`. */
async function askAboutOld(
  parts: TokenFlowParts,
  connection: Connection,
  old: AccessToken,
  isUncopied: boolean,
): Promise<void> {
  const revocation = revokeTokens(parts, connection, [old], (agreed, matches) =>
    confirmRevokeOld(old, agreed, matches, isUncopied),
  );
  await revocation.catch((thrown: unknown) => {
    const next = l10n.t(
      'The old token "{0}" wasn\'t revoked. To revoke it, select it under Access tokens.',
      tokenName(old),
    );
    parts.notices.failure(toServiceFailure(thrown).with({ next }), connection);
  });
}

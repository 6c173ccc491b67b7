/** Revokes tokens: asks, sends each revocation once, tells the outcome, and refreshes the list. */
import * as l10n from '@vscode/l10n';
import { sessionOf, type Connection } from '../connections/connection.ts';
import { admitChange } from '../connections/gate.ts';
import { askingAgain } from '../connections/askingAgain.ts';
import { plural } from '../language.ts';
import { toServiceFailure } from '../service/failure/failure.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import { showProgress } from '../ui/progress.ts';
import { credentialMatch, type CredentialMatches } from './credentialToken.ts';
import { isUnclear, revokeAll } from './revocation.ts';
import type { TokenFlowParts } from './tokenLists.ts';
import { confirmRevoke } from './tokenQuestions.ts';
import { revocationFailure } from './tokenTexts.ts';

/**
 * Asks, then revokes.
 * @param signingIn Connections known to sign in with the only token, if the user inspected it.
 * @param isAgreed Asks.
 * @throws ServiceFailure if the connection became read-only, changed its server, or was removed.
 */
export async function revokeTokens(
  parts: TokenFlowParts,
  connection: Connection,
  tokens: readonly AccessToken[],
  signingIn?: readonly Connection[],
  isAgreed = (agreed: Connection, matches: CredentialMatches) => confirmRevoke(tokens, agreed, matches, signingIn),
): Promise<void> {
  await askingAgain(
    () => admitChange(parts.store, connection),
    async (agreed) => {
      const matches = await credentialMatches(parts, agreed, tokens, signingIn);
      if (await isAgreed(agreed, matches)) {
        await sendRevocations(parts, agreed, tokens, matches);
      }
    },
  );
}

/**
 * Sends what the user agreed to, and tells the outcome. Signs out if the connection's own token is gone.
 * @param connection As the user was asked about it.
 * @throws ServiceFailure `notSent` if the connection has changed since, and nothing was sent.
 */
async function sendRevocations(
  parts: TokenFlowParts,
  connection: Connection,
  tokens: readonly AccessToken[],
  matches: CredentialMatches,
): Promise<void> {
  const { tokenLists, notices } = parts;
  const { revoked, failed, isSignedOut } = await showProgress(
    l10n.t('Revoking access tokens on "{0}"…', connection.name),
    true,
    (signal, progress) =>
      revokeAll(parts, connection, tokens, matches, signal, () => progress.report({ increment: 100 / tokens.length })),
  );
  const [first, ...others] = failed;
  if (first !== undefined) {
    notices.failure(revocationFailure([first, ...others], failed.length + revoked.length, connection.name), connection);
  } else if (!isSignedOut && revoked.length > 0) {
    notices.done(revokedText(revoked.length, connection.name));
  }
  if (isSignedOut) {
    await endSession(parts, connection);
  } else if (failed.some(({ failure }) => isUnclear(failure))) {
    // The tree may be out of date.
    void tokenLists.get(connection.id).refresh();
  }
  await forgetNotes(parts, connection.id, revoked);
}

/** Tokens that the connection signs in with, or may. @param signingIn As for `revokeTokens`. */
async function credentialMatches(
  { credentials }: Pick<TokenFlowParts, 'credentials'>,
  connection: Connection,
  tokens: readonly AccessToken[],
  signingIn?: readonly Connection[],
): Promise<CredentialMatches> {
  if (signingIn !== undefined) {
    const isOwn = signingIn.some(({ id }) => id === connection.id);
    return new Map(isOwn ? tokens.map(({ id }) => [id, 'yes']) : []);
  }
  const credential = await credentials.read(connection).catch(() => undefined);
  return new Map(
    tokens.flatMap((token) => {
      const match = credentialMatch(token, connection, credential);
      return match === undefined ? [] : [[token.id, match]];
    }),
  );
}

/** Signs out of a connection whose token is revoked, unless that would drop the only copy of a new one. */
async function endSession(parts: TokenFlowParts, connection: Connection): Promise<void> {
  const { store, credentials, held, notices } = parts;
  const current = store.get(connection.id);
  if (current === undefined || sessionOf(current) !== sessionOf(connection)) {
    return;
  }
  if (held.uncopiedCount(current.id) === 0) {
    await credentials
      .signOut(current)
      .catch((thrown: unknown) => notices.failure(toServiceFailure(thrown), connection));
  }
  notices.offerSignIn(
    l10n.t('The access token that "{0}" signed in with was revoked. Sign in with another one.', current.name),
    current,
  );
}

/** Last, since a disk may hang. What can't be deleted goes with its date. */
async function forgetNotes(
  { memory }: Pick<TokenFlowParts, 'memory'>,
  connectionId: string,
  revoked: readonly AccessToken[],
): Promise<void> {
  await Promise.allSettled(revoked.map(({ id }) => memory.forgetToken(connectionId, id)));
}

function revokedText(count: number, server: string): string {
  return plural(
    count,
    l10n.t('Access token revoked on "{0}"', server),
    l10n.t('{0} access tokens revoked on "{1}"', count, server),
  );
}

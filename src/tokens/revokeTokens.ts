/** Revokes tokens: asks, sends each revocation once, tells the outcome, and refreshes the list. */
import * as l10n from '@vscode/l10n';
import { sessionOf, type Connection } from '../connections/connection.ts';
import { admitChange } from '../connections/changeGate.ts';
import { askingAgain } from '../connections/askingAgain.ts';
import { plural } from '../language.ts';
import { toServiceFailure } from '../service/failure/failure.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import { showProgress } from '../ui/progress.ts';
import { credentialMatches, type CredentialMatches } from './credentialToken.ts';
import { isUnclear, revokeAll } from './revocation.ts';
import type { TokenFlowParts } from './tokenLists.ts';
import { confirmRevoke } from './tokenQuestions.ts';
import { revocationFailure } from './tokenTexts.ts';

/**
 * Asks, then sends each revocation once, tells the outcome, and refreshes the list where that is unknown. Signs out if the
 * connection's own token is gone.
 * @param isAgreed Asks.
 * @throws ServiceFailure if the connection became read-only, changed its server, or was removed.
 */
export async function revokeTokens(
  parts: TokenFlowParts,
  connection: Connection,
  tokens: readonly AccessToken[],
  isAgreed = (agreed: Connection, matches: CredentialMatches) => confirmRevoke(tokens, agreed, matches),
): Promise<void> {
  const { tokenLists, memory, notices } = parts;
  await askingAgain(
    () => admitChange(parts.store, connection),
    async (agreed) => {
      const { id, name } = agreed;
      const credential = await parts.credentials.read(agreed).catch(() => undefined);
      const matches = credentialMatches(tokens, agreed, credential);
      if (!(await isAgreed(agreed, matches))) {
        return;
      }
      const { revoked, failed, isSignedOut } = await showProgress(
        l10n.t('Revoking access tokens on "{0}"…', name),
        true,
        (signal, progress) =>
          revokeAll(parts, agreed, tokens, matches, signal, () => progress.report({ increment: 100 / tokens.length })),
      );
      const [first, ...others] = failed;
      if (first !== undefined) {
        notices.failure(revocationFailure([first, ...others], failed.length + revoked.length, name), agreed);
      } else if (!isSignedOut && revoked.length > 0) {
        notices.done(revokedText(revoked.length, name));
      }
      if (isSignedOut) {
        await endSession(parts, agreed);
      } else if (failed.some(({ failure }) => isUnclear(failure))) {
        // The tree may be out of date.
        void tokenLists.get(id).refresh();
      }
      // Last, since a disk may hang. What can't be deleted goes with its date.
      await Promise.allSettled(revoked.map((token) => memory.forgetToken(id, token.id)));
    },
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

function revokedText(count: number, server: string): string {
  return plural(
    count,
    l10n.t('Access token revoked on "{0}"', server),
    l10n.t('{0} access tokens revoked on "{1}"', count, server),
  );
}

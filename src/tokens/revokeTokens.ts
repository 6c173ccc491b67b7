/** Revokes tokens: asks, sends each revocation once, tells the outcome, and refreshes the list. */
import * as l10n from '@vscode/l10n';
import { accountOf, sessionOf, type Connection } from '../connections/connection.ts';
import { admitChange } from '../connections/admitChange.ts';
import { askingAgain } from '../connections/askingAgain.ts';
import { mayStillSend } from '../connections/mayStillSend.ts';
import type { ConnectionParts } from '../connections/servicePool.ts';
import { plural } from '../language.ts';
import { connectionChanged, toServiceFailure } from '../service/failure/failure.ts';
import type { TokenSecret } from '../service/failure/secret.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import { showCancellableProgress, showProgress } from '../ui/messages.ts';
import { credentialMatch, type CredentialMatches } from './credentialToken.ts';
import { isUnclear, revokeEach, type RevocationOutcome } from './revocation.ts';
import { tokenLabel } from './tokenAppearance.ts';
import type { TokenFlowParts } from './tokenLists.ts';
import { confirmRevoke } from './tokenQuestions.ts';
import { revocationFailure } from './tokenTexts.ts';

export interface InspectedToken {
  readonly secret: TokenSecret;
  /** Connections known to sign in with it. */
  readonly signingIn: readonly Connection[];
}

/** Asks, then revokes. @param inspected The only token, if the user inspected it. */
export async function revokeTokens(
  parts: TokenFlowParts,
  connection: Connection,
  tokens: readonly AccessToken[],
  inspected?: InspectedToken,
): Promise<void> {
  await askingAgain(
    () => admitChange(parts.store, connection),
    async (agreed) => {
      const matches = await credentialMatches(parts, agreed, tokens, inspected);
      if (await confirmRevoke(tokens, agreed, matches, inspected?.signingIn)) {
        await sendRevocations(parts, agreed, tokens, matches, inspected?.secret);
      }
    },
  );
}

/**
 * Sends what the user agreed to, and tells the outcome. Signs out if the connection's own token is gone.
 * @param connection As the user was asked about it.
 * @param inspected The value of the only token, if the user inspected it.
 * @throws ServiceFailure `notSent` if the connection has changed since, and nothing was sent.
 */
export async function sendRevocations(
  parts: TokenFlowParts,
  connection: Connection,
  tokens: readonly AccessToken[],
  matches: CredentialMatches,
  inspected?: TokenSecret,
): Promise<void> {
  const { services, tokenLists, held, notices } = parts;
  const service = services.get(connection);
  const list = tokenLists.get(connection.id);
  const outcome = await revokeEach(
    {
      service,
      list,
      caller: service.knownCaller ?? connection.actorUrn ?? '',
      matches,
      inspected,
      gate: () => mayStillSend(parts, connection),
      sending: (work) =>
        showProgress(revokingText(tokens, connection), tokens.length > 1, (token, progress) => {
          const stop = new AbortController();
          token.onCancellationRequested(() => stop.abort());
          return work(stop.signal, () => progress.report({ increment: 100 / tokens.length }));
        }),
      search: (unclear, work) => showCancellableProgress(searchingText(unclear, connection), work),
    },
    tokens,
  );
  const { revoked, failed, isSignedOut } = outcome;
  revoked.forEach(({ id }) => held.release(connection.id, id));
  tellOutcome(parts, connection, outcome);
  if (isSignedOut) {
    await endSession(parts, connection);
  } else if (failed.some(({ failure }) => isUnclear(failure))) {
    // The tree may be out of date.
    void list.refresh();
  }
  await notices.unlessStored(forgetRevoked(parts, connection.id, revoked), notForgottenText(revoked.length));
}

function tellOutcome(
  { notices }: TokenFlowParts,
  connection: Connection,
  { revoked, alreadyGone, failed, isSignedOut }: RevocationOutcome,
): void {
  const [first, ...others] = failed.map(({ token, ...rest }) => ({ label: tokenLabel(token), ...rest }));
  if (first !== undefined) {
    notices.failure(revocationFailure([first, ...others], failed.length + revoked.length, connection.name), connection);
  } else if (!isSignedOut && revoked.length > 0) {
    notices.done(revokedText(revoked.length, alreadyGone, connection.name));
  }
}

/**
 * Revokes a token without a question: the user agreed when it was created. Sent once, unless it was revoked in the
 * tree, which reports the outcome.
 * @param connection As it was when the token was created.
 * @throws ServiceFailure with the reason.
 */
export async function revokeAsAgreed(
  parts: ConnectionParts & Pick<TokenFlowParts, 'tokenLists' | 'held' | 'memory'>,
  connection: Connection,
  token: AccessToken,
): Promise<void> {
  const { store, services, tokenLists } = parts;
  const list = tokenLists.get(connection.id);
  if (list.wasRevoked(token.id)) {
    return;
  }
  const current = await store.getFresh(connection.id);
  if (current === undefined || accountOf(current) !== accountOf(connection)) {
    throw connectionChanged();
  }
  const { failed } = await revokeEach(
    {
      service: services.get(current),
      list,
      caller: token.ownerUrn ?? '',
      matches: new Map(),
      gate: () => mayStillSend(parts, connection, accountOf),
      sending: (work) => work(),
      search: (_, work) => work(),
    },
    [token],
  );
  if (failed[0] !== undefined) {
    throw failed[0].failure;
  }
  // If it can't be deleted, it is with the next token.
  parts.held.release(connection.id, token.id);
  await forgetRevoked(parts, connection.id, [token]).catch(() => undefined);
}

/** Tokens that the connection signs in with, or may. @param inspected As for `revokeTokens`. */
export async function credentialMatches(
  { credentials }: Pick<TokenFlowParts, 'credentials'>,
  connection: Connection,
  tokens: readonly AccessToken[],
  inspected?: InspectedToken,
): Promise<CredentialMatches> {
  if (inspected !== undefined) {
    const isOwn = inspected.signingIn.some(({ id }) => id === connection.id);
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

/** Tries each token even if another fails. @throws the first storage error, at the end. */
async function forgetRevoked(
  { memory }: Pick<TokenFlowParts, 'memory'>,
  connectionId: string,
  revoked: readonly AccessToken[],
): Promise<void> {
  const forgotten = await Promise.allSettled(revoked.map(({ id }) => memory.forgetToken(connectionId, id)));
  const failed = forgotten.find(({ status }) => status === 'rejected');
  if (failed !== undefined) {
    throw (failed as PromiseRejectedResult).reason;
  }
}

function revokingText(tokens: readonly AccessToken[], { name }: Connection): string {
  const [first, ...others] = tokens;
  return first !== undefined && others.length === 0
    ? l10n.t('Revoking "{0}" on "{1}"…', tokenLabel(first), name)
    : l10n.t('Revoking {0} access tokens on "{1}"…', tokens.length, name);
}

function searchingText(tokens: readonly AccessToken[], { name }: Connection): string {
  const [first, ...others] = tokens;
  return first !== undefined && others.length === 0
    ? l10n.t('Checking whether "{0}" was revoked on "{1}"…', tokenLabel(first), name)
    : l10n.t('Checking whether the access tokens were revoked on "{0}"…', name);
}

function notForgottenText(count: number): string {
  return plural(
    count,
    l10n.t("{0} access token revoked, but VS Code couldn't delete what it stored about it.", count),
    l10n.t("{0} access tokens revoked, but VS Code couldn't delete what it stored about them.", count),
  );
}

function revokedText(count: number, alreadyGone: number, server: string): string {
  if (count === 1) {
    return alreadyGone === 1
      ? l10n.t('The access token was already revoked on "{0}"', server)
      : l10n.t('Access token revoked on "{0}"', server);
  }
  return plural(
    count,
    l10n.t('{0} access token revoked on "{1}"', count, server),
    l10n.t('{0} access tokens revoked on "{1}"', count, server),
  );
}

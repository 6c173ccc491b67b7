/** Revokes tokens: asks, sends each revocation once, and reports each failure. */
import * as l10n from '@vscode/l10n';
import type { Connection } from '../connections/connection.ts';
import { admitChange, confirmInCurrentRole } from '../connections/currentRole.ts';
import type { ServiceFailure } from '../service/failure/failure.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import type { MetadataService } from '../service/service.ts';
import { confirmRevoke } from './tokenQuestions.ts';
import { plural } from '../language.ts';
import { showCancellableProgress, showProgress } from '../ui/messages.ts';
import { mutationFailure, revocationFailure } from './tokenTexts.ts';
import { tokenLabel } from './tokenAppearance.ts';
import type { TokenList } from './tokenList.ts';
import type { TokenFlowParts } from './tokenLists.ts';

/** Asks, then revokes. @param signingIn Connections known to sign in with the token. */
export async function revokeTokens(
  parts: TokenFlowParts,
  connection: Connection,
  tokens: readonly AccessToken[],
  signingIn: readonly Connection[] = [],
): Promise<void> {
  if (await confirmInCurrentRole(parts.store, connection, (current) => confirmRevoke(tokens, current, signingIn))) {
    await sendRevocations(parts, connection, tokens);
  }
}

/**
 * Revokes a token without a question: the user agreed when it was created. Sent once, unless it was revoked in the
 * tree, which reports the outcome.
 * @throws ServiceFailure with the reason.
 */
export async function revokeAsAgreed(
  { store, services, tokenLists, created }: Pick<TokenFlowParts, 'store' | 'services' | 'tokenLists' | 'created'>,
  connection: Connection,
  tokenId: string,
): Promise<void> {
  const pages = tokenLists.get(connection.id);
  if (pages.wasRevoked(tokenId)) {
    return;
  }
  await admitChange(store, connection);
  const service = services.get(connection);
  pages.hideRevoked(tokenId);
  try {
    await service.tokens.revoke(tokenId);
  } catch (thrown) {
    const failure = mutationFailure(thrown);
    if (!(await isGone(service, tokenId, failure, pages))) {
      pages.showUnrevoked(tokenId);
      throw failure;
    }
  }
  // If it can't be deleted, it is with the next token.
  await created.forgetToken(connection.id, tokenId).catch(() => undefined);
}

/** Looks up a token of the caller's own, as `findRevoked` does, but without showing it. */
async function isGone(
  service: MetadataService,
  tokenId: string,
  failure: ServiceFailure,
  pages: TokenList,
): Promise<boolean> {
  if (!isUnclear(failure) && failure.kind !== 'refused') {
    return false;
  }
  try {
    const where = { kind: 'owned', ownerUrn: await service.callerActorUrn() } as const;
    return (await service.tokens.findGoneTokens([tokenId], where, pages.wasEverListed(tokenId))).length > 0;
  } catch {
    return false;
  }
}

/** True if the token may be gone. */
function isUnclear({ kind, mayHaveActed }: ServiceFailure): boolean {
  return mayHaveActed || kind === 'server' || kind === 'notFound';
}

/** Sends the revocations in turn. Lost answers are looked up; failures are reported with the server's reason. */
export async function sendRevocations(
  parts: TokenFlowParts,
  connection: Connection,
  tokens: readonly AccessToken[],
): Promise<void> {
  const { services, tokenLists, notices } = parts;
  const service = services.get(connection);
  const pages = tokenLists.get(connection.id);
  const { scope } = pages.query;
  const title =
    tokens.length === 1
      ? l10n.t('Revoking "{0}"…', tokenLabel(tokens[0] as AccessToken))
      : l10n.t('Revoking {0} access tokens…', tokens.length);
  const failed: UnrevokedToken[] = [];
  const revoked: AccessToken[] = [];
  let wereGone = 0;
  await showProgress(title, tokens.length > 1, async (stop, progress) => {
    // The connection's own credential goes last, since it may revoke the others.
    const ordered = tokens.toSorted(
      (a, b) => Number(a.id === connection.credentialTokenId) - Number(b.id === connection.credentialTokenId),
    );
    for (const token of ordered) {
      if (stop.isCancellationRequested) {
        break;
      }
      pages.hideRevoked(token.id);
      try {
        wereGone += Number((await service.tokens.revoke(token.id)) === 'alreadyGone');
        revoked.push(token);
      } catch (thrown) {
        pages.showUnrevoked(token.id);
        failed.push({ token, failure: mutationFailure(thrown) });
      }
      progress.report({ increment: 100 / tokens.length });
    }
  });
  const gone = await findRevoked(service, scope, failed, pages);
  for (const { id } of gone) {
    pages.hideRevoked(id);
  }
  revoked.push(...gone);
  if (failed.some(({ failure }) => isUnclear(failure))) {
    // The tree may be out of date.
    await pages.refresh();
  }
  const [first, ...others] = failed.flatMap(({ token, failure }) =>
    gone.includes(token) ? [] : [{ label: tokenLabel(token), failure }],
  );
  if (first === undefined) {
    notices.done(revokedText(revoked.length, wereGone));
  } else {
    notices.failure(revocationFailure([first, ...others], others.length + 1 + revoked.length), connection);
  }
  await notices.unlessStored(forgetRevoked(parts, connection.id, revoked), notForgottenText(revoked.length));
}

/** Tries each token even if another fails. @throws the first storage error, at the end. */
async function forgetRevoked(
  { created, superseded }: TokenFlowParts,
  connectionId: string,
  revoked: readonly AccessToken[],
): Promise<void> {
  let failure: unknown;
  for (const { id } of revoked) {
    const forgotten = await Promise.allSettled([
      created.forgetToken(connectionId, id),
      superseded.forgetToken(connectionId, id),
    ]);
    failure ??= forgotten.find(({ status }) => status === 'rejected');
  }
  if (failure !== undefined) {
    throw (failure as PromiseRejectedResult).reason;
  }
}

function notForgottenText(count: number): string {
  return plural(
    count,
    l10n.t("{0} access token revoked, but VS Code couldn't delete what it stored about it.", count),
    l10n.t("{0} access tokens revoked, but VS Code couldn't delete what it stored about them.", count),
  );
}

function revokedText(count: number, wereGone: number): string {
  if (count === 1) {
    return wereGone === 1 ? l10n.t('The access token had already been revoked') : l10n.t('Access token revoked');
  }
  return plural(count, l10n.t('{0} access token revoked', count), l10n.t('{0} access tokens revoked', count));
}

interface UnrevokedToken {
  readonly token: AccessToken;
  readonly failure: ServiceFailure;
}

/**
 * Checks which tokens are gone, by reading every page. Never repeats a revocation. Covers lost answers, and
 * refusals for the caller's own tokens: without the privilege to manage tokens, servers call a missing token
 * another user's.
 * @returns the tokens known to be gone.
 */
async function findRevoked(
  service: MetadataService,
  scope: 'own' | 'all',
  failed: readonly UnrevokedToken[],
  pages: TokenList,
): Promise<readonly AccessToken[]> {
  const caller = await service.callerActorUrn().catch(() => undefined);
  const mayBeGone = ({ token, failure }: UnrevokedToken): boolean =>
    failure.mayHaveActed || (failure.kind === 'refused' && caller !== undefined && token.ownerUrn === caller);
  const lost = failed.filter(mayBeGone).map(({ token }) => token);
  const [first] = lost;
  if (first === undefined || caller === undefined) {
    return [];
  }
  const gone = new Set<string>();
  const title =
    lost.length === 1
      ? l10n.t('Checking whether "{0}" was revoked…', tokenLabel(first))
      : l10n.t('Checking whether the access tokens were revoked…');
  try {
    await showCancellableProgress(title, async (signal) => {
      const where = scope === 'all' ? ({ kind: 'all' } as const) : ({ kind: 'owned', ownerUrn: caller } as const);
      for (const wasListed of [true, false]) {
        const ids = lost.flatMap(({ id }) => (pages.wasEverListed(id) === wasListed ? [id] : []));
        for (const id of await service.tokens.findGoneTokens(ids, where, wasListed, signal)) {
          gone.add(id);
        }
      }
    });
  } catch {
    // Not reported separately: tokens that couldn't be looked up count as unknown.
  }
  return lost.filter(({ id }) => gone.has(id));
}

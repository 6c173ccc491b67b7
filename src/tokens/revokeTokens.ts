/** Revokes tokens: asks, sends each revocation once, and reports each failure. */
import * as l10n from '@vscode/l10n';
import { accountOf, sessionOf, type Connection } from '../connections/connection.ts';
import { admitChange } from '../connections/admitChange.ts';
import { askingAgain } from '../connections/askingAgain.ts';
import { mayStillSend } from '../connections/mayStillSend.ts';
import type { ConnectionParts } from '../connections/servicePool.ts';
import { connectionChanged, toServiceFailure, type ServiceFailure } from '../service/failure/failure.ts';
import type { TokenSecret } from '../service/failure/secret.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import type { MetadataService } from '../service/service.ts';
import { credentialMatch, type CredentialMatches } from './credentialToken.ts';
import { confirmRevoke } from './tokenQuestions.ts';
import { plural } from '../language.ts';
import { showCancellableProgress, showProgress } from '../ui/messages.ts';
import { mutationFailure, revocationFailure } from './tokenTexts.ts';
import { tokenLabel } from './tokenAppearance.ts';
import type { TokenList } from './tokenList.ts';
import type { TokenFlowParts } from './tokenLists.ts';

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
        await sendRevocations(parts, agreed, tokens, matches, inspected);
      }
    },
  );
}

export interface InspectedToken {
  readonly secret: TokenSecret;
  /** Connections known to sign in with it. */
  readonly signingIn: readonly Connection[];
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
  tokenId: string,
): Promise<void> {
  const { store, services, tokenLists, held, memory } = parts;
  const pages = tokenLists.get(connection.id);
  if (pages.wasRevoked(tokenId)) {
    return;
  }
  const current = await store.getFresh(connection.id);
  if (current === undefined || accountOf(current) !== accountOf(connection)) {
    throw connectionChanged();
  }
  const service = services.get(current);
  pages.hideRevoked(tokenId);
  try {
    await service.tokens.revoke(tokenId, { mayStillSend: mayStillSend(parts, connection, accountOf) });
  } catch (thrown) {
    const failure = mutationFailure(thrown);
    if (!(await isGone(service, tokenId, failure, pages))) {
      pages.showUnrevoked(tokenId);
      throw failure;
    }
  }
  // If it can't be deleted, it is with the next token.
  held.release(connection.id, tokenId);
  await memory.forgetToken(connection.id, tokenId).catch(() => undefined);
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

/**
 * Sends the revocations in turn. Lost answers are looked up; failures are reported with the server's reason. Signs out
 * if the connection's own token is gone.
 * @param connection As the user was asked about it.
 * @param inspected As for `revokeTokens`.
 * @throws ServiceFailure `notSent` if the connection has changed since, and nothing was sent.
 */
export async function sendRevocations(
  parts: TokenFlowParts,
  connection: Connection,
  tokens: readonly AccessToken[],
  matches: CredentialMatches,
  inspected?: InspectedToken,
): Promise<void> {
  const { services, tokenLists, notices } = parts;
  const service = services.get(connection);
  const caller = service.knownCaller ?? connection.actorUrn ?? '';
  const pages = tokenLists.get(connection.id);
  const title =
    tokens.length === 1
      ? l10n.t('Revoking "{0}"…', tokenLabel(tokens[0] as AccessToken))
      : l10n.t('Revoking {0} access tokens…', tokens.length);
  const failed: UnrevokedToken[] = [];
  const revoked: AccessToken[] = [];
  let wereGone = 0;
  let isSignedOut = false;
  const revokedMatch = (): boolean => revoked.some(({ id }) => matches.has(id));
  await showProgress(title, tokens.length > 1, async (stop, progress) => {
    // The connection's own credential goes last, since it may revoke the others.
    for (const token of tokens.toSorted((a, b) => Number(matches.has(a.id)) - Number(matches.has(b.id)))) {
      if (stop.isCancellationRequested) {
        break;
      }
      pages.hideRevoked(token.id);
      try {
        const mayHaveEnded = revokedMatch();
        const isMatch = matches.has(token.id) && !isSignedOut;
        const state = isMatch ? await credentialState(service, caller) : undefined;
        isSignedOut ||= state === 'ended' && mayHaveEnded;
        // A 401 says that it was the credential only right after a request that was accepted.
        const proven = state === 'accepted' && !mayHaveEnded ? 'accepted' : 'unclear';
        const credential = isMatch && state !== 'ended' ? proven : undefined;
        const result = await service.tokens.revoke(token.id, {
          mayStillSend: mayStillSend(parts, connection),
          credential,
        });
        wereGone += Number(result === 'alreadyGone');
        isSignedOut ||= result === 'signedOut';
        revoked.push(token);
      } catch (thrown) {
        pages.showUnrevoked(token.id);
        const failure = mutationFailure(thrown);
        if (failure.kind === 'notSent' && revoked.length + failed.length === 0) {
          throw failure;
        }
        failed.push({ token, failure });
      }
      progress.report({ increment: 100 / tokens.length });
    }
  });
  const mayHaveEnded = isSignedOut || revokedMatch();
  const gone = await findRevoked(service, failed, pages, caller, mayHaveEnded ? new Map() : matches, inspected);
  for (const { id } of gone) {
    pages.hideRevoked(id);
  }
  revoked.push(...gone);
  isSignedOut ||= revoked.some(({ id }) => matches.get(id) === 'yes');
  isSignedOut ||= revokedMatch() && (await credentialState(service, caller)) === 'ended';
  if (!isSignedOut && failed.some(({ failure }) => isUnclear(failure))) {
    // The tree may be out of date.
    await pages.refresh();
  }
  const [first, ...others] = failed.flatMap(({ token, failure }) =>
    gone.includes(token) ? [] : [{ label: tokenLabel(token), failure, isListed: isInListing(token, pages, caller) }],
  );
  if (first !== undefined) {
    notices.failure(revocationFailure([first, ...others], others.length + 1 + revoked.length), connection);
  }
  if (isSignedOut) {
    await endSession(parts, connection);
  } else if (first === undefined) {
    notices.done(revokedText(revoked.length, wereGone));
  }
  await notices.unlessStored(forgetRevoked(parts, connection.id, revoked), notForgottenText(revoked.length));
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

/** Asks for one token. @returns `ended` if the service refuses what it took before; undefined if unclear. */
async function credentialState(service: MetadataService, ownerUrn: string): Promise<'accepted' | 'ended' | undefined> {
  try {
    await service.tokens.list({ scope: { kind: 'owned', ownerUrn }, filters: [], start: 0, count: 1 });
    return 'accepted';
  } catch (thrown) {
    const { kind, status, credentialEnded } = toServiceFailure(thrown);
    // A gateway refuses with 403.
    return credentialEnded ? 'ended' : kind === 'refused' && status === 200 ? 'accepted' : undefined;
  }
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
  { held, memory }: TokenFlowParts,
  connectionId: string,
  revoked: readonly AccessToken[],
): Promise<void> {
  revoked.forEach(({ id }) => held.release(connectionId, id));
  const forgotten = await Promise.allSettled(revoked.map(({ id }) => memory.forgetToken(connectionId, id)));
  const failed = forgotten.find(({ status }) => status === 'rejected');
  if (failed !== undefined) {
    throw (failed as PromiseRejectedResult).reason;
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
 * Checks which tokens are gone. Never repeats a revocation. Covers lost answers, and refusals for the caller's own
 * tokens: without the privilege to manage tokens, servers call a missing token another user's.
 * @returns the tokens known to be gone.
 */
async function findRevoked(
  service: MetadataService,
  failed: readonly UnrevokedToken[],
  pages: TokenList,
  caller: string,
  matches: CredentialMatches,
  inspected: InspectedToken | undefined,
): Promise<readonly AccessToken[]> {
  const lost = failed.flatMap(({ token, failure }) =>
    failure.mayHaveActed || (failure.kind === 'refused' && token.ownerUrn === caller) ? [token] : [],
  );
  const [first] = lost;
  if (first === undefined) {
    return [];
  }
  const title =
    lost.length === 1
      ? l10n.t('Checking whether "{0}" was revoked…', tokenLabel(first))
      : l10n.t('Checking whether the access tokens were revoked…');
  try {
    return await showCancellableProgress(title, async (signal) =>
      inspected === undefined
        ? findUnlisted(service, lost, pages, caller, signal)
        : (await service.tokens.lookUp(inspected.secret, signal)).kind === 'unknown'
          ? lost
          : [],
    );
  } catch (thrown) {
    // Not reported separately: tokens that couldn't be looked up count as unknown.
    const own = lost.filter(({ id }) => matches.has(id));
    return toServiceFailure(thrown).credentialEnded && own.length === 1 ? own : [];
  }
}

/** Reads every page of the listing. @throws ServiceFailure */
async function findUnlisted(
  service: MetadataService,
  tokens: readonly AccessToken[],
  pages: TokenList,
  ownerUrn: string,
  signal: AbortSignal,
): Promise<readonly AccessToken[]> {
  const where = pages.query.scope === 'all' ? ({ kind: 'all' } as const) : ({ kind: 'owned', ownerUrn } as const);
  const gone = new Set<string>();
  for (const wasListed of [true, false]) {
    const ids = tokens.flatMap((token) =>
      isInListing(token, pages, ownerUrn) && pages.wasEverListed(token.id) === wasListed ? [token.id] : [],
    );
    for (const id of await service.tokens.findGoneTokens(ids, where, wasListed, signal)) {
      gone.add(id);
    }
  }
  return tokens.filter(({ id }) => gone.has(id));
}

/** True if the listing of the tree would have the token. Its absence from another one proves nothing. */
function isInListing({ id, ownerUrn }: AccessToken, pages: TokenList, caller: string): boolean {
  const isOwn = ownerUrn === undefined ? pages.wasEverListed(id) : ownerUrn === caller;
  return isOwn || pages.query.scope === 'all';
}

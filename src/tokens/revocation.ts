/** Sends revocations, each once, and looks up what became of those without a clear answer. Shows nothing but rows. */
import { toServiceFailure, type ServiceFailure } from '../service/failure/failure.ts';
import type { TokenSecret } from '../service/failure/secret.ts';
import type { MayStillSend } from '../service/http/transport.ts';
import type { MetadataService } from '../service/service.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import type { CredentialMatches } from './credentialToken.ts';
import type { TokenList } from './tokenList.ts';
import { mutationFailure } from './tokenTexts.ts';

export interface Revocation {
  readonly service: MetadataService;
  /** Its rows are hidden at once, and shown again for tokens that weren't revoked. */
  readonly list: TokenList;
  /** URN of the user who revokes. */
  readonly caller: string;
  /** Tokens that the connection signs in with, or may. */
  readonly matches: CredentialMatches;
  /** The value of the only token, if the user inspected it. */
  readonly inspected?: TokenSecret | undefined;
  /** Called before each request. */
  readonly gate: () => MayStillSend;
  /** Shows progress while the requests are sent. */
  readonly sending: (work: SendingWork) => PromiseLike<void>;
  /** Shows progress while tokens without a clear answer are looked up. */
  readonly search: <T>(unclear: readonly AccessToken[], work: (signal?: AbortSignal) => Promise<T>) => Promise<T>;
}

/**
 * @param stop Tokens that weren't sent are left out once it is aborted.
 * @param onSent Called after each request.
 */
type SendingWork = (stop?: AbortSignal, onSent?: () => void) => Promise<void>;

export interface UnrevokedToken {
  readonly token: AccessToken;
  readonly failure: ServiceFailure;
  /** False if the listing wouldn't show whether it is gone. */
  readonly isListed: boolean;
}

export interface RevocationOutcome {
  readonly revoked: readonly AccessToken[];
  /** How many of them the server no longer knew. */
  readonly alreadyGone: number;
  readonly failed: readonly UnrevokedToken[];
  /** True if the connection's own token is gone. */
  readonly isSignedOut: boolean;
}

/** What was sent, and what came back. */
interface SentRevocations {
  readonly revoked: AccessToken[];
  readonly failed: UnrevokedToken[];
  alreadyGone: number;
  isSignedOut: boolean;
}

/** @throws ServiceFailure `notSent` if the gate refused the first one. */
export async function revokeEach(revocation: Revocation, tokens: readonly AccessToken[]): Promise<RevocationOutcome> {
  const { service, list, caller, matches } = revocation;
  const ids = tokens.map(({ id }) => id);
  list.hideRevoking(ids);
  const sent: SentRevocations = { revoked: [], failed: [], alreadyGone: 0, isSignedOut: false };
  try {
    await revocation.sending((stop, onSent) => sendInTurn(revocation, tokens, sent, stop, onSent));
    const mayHaveEnded = sent.isSignedOut || includesMatch(sent.revoked, matches);
    const gone = await findGone(revocation, sent.failed, mayHaveEnded);
    sent.revoked.push(...gone);
    const isOwnGone = sent.revoked.some(({ id }) => matches.get(id) === 'yes');
    const isSignedOut =
      sent.isSignedOut ||
      isOwnGone ||
      (includesMatch(sent.revoked, matches) && (await credentialState(service, caller)) === 'ended');
    return { ...sent, failed: sent.failed.filter(({ token }) => !gone.includes(token)), isSignedOut };
  } finally {
    list.settleRevocations(ids, new Set(sent.revoked.map(({ id }) => id)));
  }
}

/** The connection's own token goes last, since its end refuses the others. */
async function sendInTurn(
  { service, list, caller, matches, gate }: Revocation,
  tokens: readonly AccessToken[],
  sent: SentRevocations,
  stop: AbortSignal | undefined,
  onSent: (() => void) | undefined,
): Promise<void> {
  for (const token of tokens.toSorted((a, b) => Number(matches.has(a.id)) - Number(matches.has(b.id)))) {
    if (stop?.aborted === true) {
      return;
    }
    try {
      const mayHaveEnded = includesMatch(sent.revoked, matches);
      const state = matches.has(token.id) && !sent.isSignedOut ? await credentialState(service, caller) : 'unasked';
      sent.isSignedOut ||= state === 'ended' && mayHaveEnded;
      const credential = provenCredential(state, mayHaveEnded);
      const result = await service.tokens.revoke(token.id, { mayStillSend: gate(), credential });
      sent.alreadyGone += Number(result === 'alreadyGone');
      sent.isSignedOut ||= result === 'signedOut';
      sent.revoked.push(token);
    } catch (thrown) {
      const failure = mutationFailure(thrown);
      if (failure.kind === 'notSent' && sent.revoked.length + sent.failed.length === 0) {
        throw failure;
      }
      sent.failed.push({ token, failure, isListed: isInListing(token, list, caller) });
    }
    onSent?.();
  }
}

/** A 401 says that the revoked token was the credential only right after a request that was accepted. */
function provenCredential(
  state: CredentialState | 'unasked',
  mayHaveEnded: boolean,
): 'accepted' | 'unclear' | undefined {
  if (state === 'unasked' || state === 'ended') {
    return undefined;
  }
  return state === 'accepted' && !mayHaveEnded ? 'accepted' : 'unclear';
}

function includesMatch(tokens: readonly AccessToken[], matches: CredentialMatches): boolean {
  return tokens.some(({ id }) => matches.has(id));
}

/** `ended`: the service refuses what it took before. Undefined if unclear. */
type CredentialState = 'accepted' | 'ended' | undefined;

/** Asks for one token. */
async function credentialState(service: MetadataService, ownerUrn: string): Promise<CredentialState> {
  try {
    await service.tokens.list({ scope: { kind: 'owned', ownerUrn }, filters: [], start: 0, count: 1 });
    return 'accepted';
  } catch (thrown) {
    const { kind, status, credentialEnded } = toServiceFailure(thrown);
    // A gateway refuses with 403.
    return credentialEnded ? 'ended' : kind === 'refused' && status === 200 ? 'accepted' : undefined;
  }
}

/** True if the token may be gone. */
export function isUnclear({ kind, mayHaveActed }: ServiceFailure): boolean {
  return mayHaveActed || kind === 'server' || kind === 'notFound';
}

/**
 * Looks up which tokens are gone. Covers lost answers, tokens that the server doesn't know, and refusals for the caller's
 * own: without the privilege to manage tokens, servers call a missing token another user's.
 * @param mayHaveEnded True if a revocation before may have ended the credential.
 */
async function findGone(
  { service, list, caller, matches, inspected, search }: Revocation,
  failed: readonly UnrevokedToken[],
  mayHaveEnded: boolean,
): Promise<readonly AccessToken[]> {
  const unclear = failed
    .filter(({ failure, token }) => isUnclear(failure) || (failure.kind === 'refused' && token.ownerUrn === caller))
    .flatMap(({ token }) => (inspected !== undefined || list.wasEverListed(token.id) ? [token] : []));
  if (unclear.length === 0) {
    return [];
  }
  try {
    return await search(unclear, async (signal) => {
      if (inspected === undefined) {
        return findUnlisted(service, unclear, list, caller, signal);
      }
      const { kind } = await service.tokens.lookUp(inspected, signal);
      return kind === 'unknown' ? unclear : [];
    });
  } catch (thrown) {
    // Not reported separately: tokens that couldn't be looked up count as unknown.
    const own = mayHaveEnded ? [] : unclear.filter(({ id }) => matches.has(id));
    return toServiceFailure(thrown).credentialEnded && own.length === 1 ? own : [];
  }
}

/** Reads every page of the listing. @throws ServiceFailure */
async function findUnlisted(
  service: MetadataService,
  tokens: readonly AccessToken[],
  list: TokenList,
  ownerUrn: string,
  signal: AbortSignal | undefined,
): Promise<readonly AccessToken[]> {
  const where = list.query.scope === 'all' ? ({ kind: 'all' } as const) : ({ kind: 'owned', ownerUrn } as const);
  const ids = tokens.filter((token) => isInListing(token, list, ownerUrn)).map(({ id }) => id);
  const gone = await service.tokens.findGoneTokens(ids, where, signal);
  return tokens.filter(({ id }) => gone.includes(id));
}

/** True if the listing of the tree would have the token. Its absence from another one proves nothing. */
function isInListing({ id, ownerUrn }: AccessToken, list: TokenList, caller: string): boolean {
  const isOwn = ownerUrn === undefined ? list.wasEverListed(id) : ownerUrn === caller;
  return isOwn || list.query.scope === 'all';
}

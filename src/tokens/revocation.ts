/** Sends revocations, each once, and looks up what became of those without a clear answer. Shows nothing. */
import type { Connection } from '../connections/connection.ts';
import { mayStillSend } from '../connections/changeGate.ts';
import type { ConnectionParts } from '../connections/servicePool.ts';
import { toServiceFailure, type ServiceFailure } from '../service/failure/failure.ts';
import type { MayStillSend } from '../service/http/transport.ts';
import type { MetadataService } from '../service/service.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import type { CredentialMatches } from './credentialToken.ts';
import type { HeldTokens } from './heldTokens.ts';
import { tokenName } from './tokenAppearance.ts';
import type { TokenList } from './tokenList.ts';
import type { TokenLists } from './tokenLists.ts';
import { mutationFailure, type FailedRevocation } from './tokenTexts.ts';

interface UnrevokedToken extends FailedRevocation {
  readonly token: AccessToken;
}

interface RevocationOutcome {
  readonly revoked: readonly AccessToken[];
  readonly failed: readonly UnrevokedToken[];
  /** True if the connection's own token is gone. */
  readonly isSignedOut: boolean;
}

export type RevocationParts = ConnectionParts & { readonly tokenLists: TokenLists; readonly held: HeldTokens };

/**
 * Hides the tokens in the list meanwhile.
 * @param connection As the user was asked about it.
 * @param matches Tokens that it signs in with, or may.
 * @param stop Once it is aborted, the rest isn't sent, and nothing is looked up.
 * @throws ServiceFailure `notSent` if the gate refused the first one.
 */
export async function revokeAll(
  parts: RevocationParts,
  connection: Connection,
  tokens: readonly AccessToken[],
  matches: CredentialMatches,
  stop?: AbortSignal,
  onSent?: () => void,
): Promise<RevocationOutcome> {
  const list = parts.tokenLists.get(connection.id);
  const ids = tokens.map(({ id }) => id);
  const revocations = new Revocations(parts, connection, matches);
  list.hideRevoking(ids);
  try {
    await revocations.send(tokens, stop, onSent);
    await revocations.findGone(stop);
  } finally {
    const revoked = new Set(revocations.revoked.map(({ id }) => id));
    list.showUnrevoked(ids.filter((id) => !revoked.has(id)));
  }
  const { revoked, failed } = revocations;
  revoked.forEach(({ id }) => parts.held.release(connection.id, id));
  return { revoked, failed, isSignedOut: await revocations.isSignedOut() };
}

/** Revocations on one connection, and what came of them. */
class Revocations {
  readonly revoked: AccessToken[] = [];
  failed: UnrevokedToken[] = [];
  readonly #service: MetadataService;
  readonly #list: TokenList;
  readonly #caller: string;
  readonly #matches: CredentialMatches;
  readonly #gate: () => MayStillSend;
  #isSignedOut = false;

  constructor(parts: RevocationParts, connection: Connection, matches: CredentialMatches) {
    this.#service = parts.services.get(connection);
    this.#list = parts.tokenLists.get(connection.id);
    this.#caller = this.#service.server.callerUrn ?? connection.actorUrn ?? '';
    this.#matches = matches;
    this.#gate = () => mayStillSend(parts, connection);
  }

  /** The connection's own token goes last, since its end refuses the others. The rest is as for `revokeAll`. */
  async send(tokens: readonly AccessToken[], stop?: AbortSignal, onSent?: () => void): Promise<void> {
    for (const token of tokens.toSorted((a, b) => Number(this.#matches.has(a.id)) - Number(this.#matches.has(b.id)))) {
      if (stop?.aborted === true) {
        return;
      }
      try {
        await this.#sendOne(token);
        this.revoked.push(token);
      } catch (thrown) {
        const failure = mutationFailure(thrown);
        if (failure.kind === 'notSent' && this.revoked.length + this.failed.length === 0) {
          throw failure;
        }
        this.failed.push({ token, label: tokenName(token), failure, isListed: this.#isInListing(token) });
      }
      onSent?.();
    }
  }

  /**
   * Counts those as revoked that a listing lacks: of lost answers, tokens that the server doesn't know, and refusals for the
   * caller's own, since without the privilege to manage tokens, servers call a missing token another user's. Never throws:
   * the others stay unclear.
   */
  async findGone(signal?: AbortSignal): Promise<void> {
    const unclear = this.failed
      .filter(
        ({ token, failure, isListed }) =>
          isListed &&
          this.#list.wasEverListed(token.id) &&
          (isUnclear(failure) || (failure.kind === 'refused' && token.ownerUrn === this.#caller)),
      )
      .map(({ token }) => token);
    if (unclear.length > 0) {
      const gone = await this.#findGone(unclear, signal);
      this.revoked.push(...gone);
      this.failed = this.failed.filter(({ token }) => !gone.includes(token));
    }
  }

  /** True if the connection's own token is gone. May ask the server. */
  async isSignedOut(): Promise<boolean> {
    return (
      this.#isSignedOut ||
      this.revoked.some(({ id }) => this.#matches.get(id) === 'yes') ||
      (this.#mayHaveEnded && (await this.#credentialState()) === 'ended')
    );
  }

  async #sendOne({ id }: AccessToken): Promise<void> {
    let credential: 'accepted' | 'unclear' | undefined;
    if (this.#matches.has(id) && !this.#isSignedOut) {
      const state = await this.#credentialState();
      this.#isSignedOut = state === 'ended' && this.#mayHaveEnded;
      if (state !== 'ended') {
        // A 401 says that the revoked token was the credential only right after a request that was accepted.
        credential = state === 'accepted' && !this.#mayHaveEnded ? 'accepted' : 'unclear';
      }
    }
    const result = await this.#service.tokens.revoke(id, { mayStillSend: this.#gate(), credential });
    this.#isSignedOut ||= result === 'signedOut';
  }

  async #findGone(tokens: readonly AccessToken[], signal?: AbortSignal): Promise<readonly AccessToken[]> {
    const ids = tokens.map(({ id }) => id);
    const where =
      this.#list.query.scope === 'all'
        ? ({ kind: 'all' } as const)
        : ({ kind: 'owned', ownerUrn: this.#caller } as const);
    try {
      const gone = await this.#service.tokens.findGoneTokens(ids, where, signal);
      return tokens.filter(({ id }) => gone.includes(id));
    } catch (thrown) {
      const own = this.#mayHaveEnded ? [] : tokens.filter(({ id }) => this.#matches.has(id));
      return toServiceFailure(thrown).credentialEnded && own.length === 1 ? own : [];
    }
  }

  /** True if a revocation may have ended the credential. */
  get #mayHaveEnded(): boolean {
    return this.revoked.some(({ id }) => this.#matches.has(id));
  }

  /** Asks for one token. `ended`: the service refuses what it took before. Undefined if unclear. */
  async #credentialState(): Promise<'accepted' | 'ended' | undefined> {
    const scope = { kind: 'owned', ownerUrn: this.#caller } as const;
    try {
      await this.#service.tokens.list({ scope, filters: [], start: 0, count: 1 });
      return 'accepted';
    } catch (thrown) {
      const { kind, status, credentialEnded } = toServiceFailure(thrown);
      // A gateway refuses with 403.
      return credentialEnded ? 'ended' : kind === 'refused' && status === 200 ? 'accepted' : undefined;
    }
  }

  /** True if the listing of the tree would have the token. Its absence from another one proves nothing. */
  #isInListing({ id, ownerUrn }: AccessToken): boolean {
    const isOwn = ownerUrn === undefined ? this.#list.wasEverListed(id) : ownerUrn === this.#caller;
    return isOwn || this.#list.query.scope === 'all';
  }
}

/** True if the token may be gone. */
export function isUnclear({ kind, mayHaveActed }: ServiceFailure): boolean {
  return mayHaveActed || kind === 'server' || kind === 'notFound';
}

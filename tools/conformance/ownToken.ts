import { ServiceFailure } from '../../src/service/failure/failure.ts';
import type { PauseFunction } from '../../src/service/http/retry.ts';
import { sleep } from '../../src/service/http/waiting.ts';
import type { MetadataService } from '../../src/service/service.ts';
import type { AccessToken } from '../../src/service/tokens/accessToken.ts';
import type { CreatedAccessToken } from '../../src/service/tokens/tokenCreation.ts';
import { listAllTokens, type TokenListingRequest } from '../../src/service/tokens/tokenListing.ts';
import type { RequestGuard } from './guard.ts';

/** The guard below the client decides what is sent (guard.ts). */
const LEFT_TO_THE_GUARD = (): Promise<void> => Promise.resolve();

/** Lag of the listing's index, in ms. */
const LAG_MILLIS = 3_000;

/** Limit of the search for the token at the end, before and after it's revoked, in ms. */
const CLEANUP_LIMIT = 60_000;

/** The only token that a run creates, and the only one that it revokes. */
export class OwnToken {
  readonly name: string;
  readonly #service: MetadataService;
  readonly #ownerUrn: string;
  readonly #guard: RequestGuard;
  readonly #pause: PauseFunction;
  /** IDs of other tokens. */
  readonly #others = new Set<string>();
  #created: CreatedAccessToken | undefined;
  #id: string | undefined;
  /** When the creation was sent, as Unix time in ms. Undefined if it wasn't. */
  #sentAt: number | undefined;
  #isRefused = false;
  #isGone = false;
  #wasListed = false;

  /** @param service signed in as `ownerUrn` */
  constructor(
    service: MetadataService,
    ownerUrn: string,
    name: string,
    guard: RequestGuard,
    pause: PauseFunction = sleep,
  ) {
    this.#service = service;
    this.#ownerUrn = ownerUrn;
    this.name = name;
    this.#guard = guard;
    this.#pause = pause;
  }

  /** Undefined until it's created. */
  get secret(): CreatedAccessToken['secret'] | undefined {
    return this.#created?.secret;
  }

  get wasListed(): boolean {
    return this.#wasListed;
  }

  /** True if it may be on the server now. */
  get mayExist(): boolean {
    return this.#sentAt !== undefined && !this.#isRefused && !this.#isGone;
  }

  get isRevoked(): boolean {
    return this.#isGone;
  }

  /** Records the tokens listed before the creation. */
  othersListed(tokens: readonly AccessToken[]): void {
    for (const { id } of tokens) this.#others.add(id);
  }

  /**
   * Sent once, and without a signal: aborting it could leave an unknown token behind.
   * @returns whether the response has its ID
   * @throws ServiceFailure
   */
  async create(): Promise<boolean> {
    this.#sentAt = Date.now();
    try {
      this.#created = await this.#service.tokens.create(
        { type: 'PERSONAL', actorUrn: this.#ownerUrn, duration: 'ONE_HOUR', name: this.name, description: undefined },
        true,
        { mayStillSend: LEFT_TO_THE_GUARD },
      );
    } catch (thrown) {
      this.#isRefused = thrown instanceof ServiceFailure && !thrown.mayHaveActed;
      throw thrown;
    }
    const { id } = this.#created;
    this.#id = id === '' || this.#others.has(id) ? undefined : id;
    return this.#id !== undefined;
  }

  /**
   * The token in the current listing; undefined if it isn't there. A row with its ID and another name is another
   * token.
   * @throws ServiceFailure
   */
  async find(signal?: AbortSignal): Promise<AccessToken | undefined> {
    const scope = { kind: 'owned', ownerUrn: this.#ownerUrn } as const;
    const id = this.#id;
    if (id !== undefined) return this.#judge(await this.#listed((token) => token.id === id, scope, signal));
    // No other token has its name, which is random. A server that lists no names can't be searched.
    const isNamed = ({ name }: AccessToken): boolean => name === this.name;
    const found = await this.#listed(isNamed, scope, signal);
    if (found !== undefined) return this.#judge(found);
    await this.#pause(LAG_MILLIS, signal);
    return this.#judge(await this.#listed(isNamed, scope, signal));
  }

  /**
   * First checks that its ID belongs to its name, if the server lists names.
   * @throws ServiceFailure
   */
  async revoke(signal?: AbortSignal): ReturnType<MetadataService['tokens']['revoke']> {
    if (!this.#wasListed) await this.#verify(signal);
    if (this.#id === undefined) throw new ServiceFailure('notFound', "The token that was created isn't listed.");
    this.#guard.own(this.#id);
    const outcome = await this.#service.tokens.revoke(this.#id, { mayStillSend: LEFT_TO_THE_GUARD });
    this.#isGone = true;
    return outcome;
  }

  /**
   * Revokes it a second time.
   * @throws ServiceFailure unless the server reports success
   */
  async revokeAgain(): Promise<void> {
    const outcome = await this.#service.tokens.revoke(this.#id ?? '', { mayStillSend: LEFT_TO_THE_GUARD });
    if (outcome === 'alreadyGone') {
      throw new ServiceFailure('server', 'Access token no longer exists.', { status: 200 });
    }
  }

  /**
   * Revokes it unless that was done.
   * @returns true if gone
   */
  async cleanUp(): Promise<boolean> {
    const signal = AbortSignal.timeout(CLEANUP_LIMIT);
    if (this.#isRefused) {
      // A gateway can withhold a response because of the token in it. After a refusal, an empty search is proof
      // enough.
      this.#isRefused = (await this.find(signal).catch(() => undefined)) === undefined;
    }
    if (!this.mayExist) return true;
    try {
      await this.revoke(signal);
    } catch {
      // Without a response, the listing shows what happened.
      this.#isGone = await this.#isUnlisted(AbortSignal.timeout(CLEANUP_LIMIT));
    }
    return this.#isGone;
  }

  /** The server may have returned the ID of another token. A user who may revoke that one may also list it. */
  async #verify(signal: AbortSignal | undefined): Promise<void> {
    const id = this.#id;
    await this.find(signal).catch(() => undefined);
    if (id !== undefined && this.#id === id && !this.#wasListed) {
      this.#judge(await this.#listed((token) => token.id === id, { kind: 'all' }, signal).catch(() => undefined));
    }
    if (this.#id === undefined) await this.find(signal).catch(() => undefined);
  }

  async #listed(
    isWanted: (token: AccessToken) => boolean,
    scope: TokenListingRequest['scope'],
    signal: AbortSignal | undefined,
  ): Promise<AccessToken | undefined> {
    const { tokens } = await listAllTokens((request) => this.#service.tokens.list(request, signal), scope);
    return tokens.find(isWanted);
  }

  #judge(found: AccessToken | undefined): AccessToken | undefined {
    if (found === undefined) return undefined;
    if (this.#others.has(found.id) || (found.name !== undefined && found.name !== this.name)) {
      this.#others.add(found.id);
      this.#id = undefined;
      return undefined;
    }
    this.#id = found.id;
    this.#wasListed = true;
    return found;
  }

  async #isUnlisted(signal: AbortSignal): Promise<boolean> {
    // One that was never listed may be too new to be listed.
    if (this.#id === undefined || !this.#wasListed) return false;
    const id = this.#id;
    const scope = { kind: 'owned', ownerUrn: this.#ownerUrn } as const;
    return this.#service.tokens.findGoneTokens([id], scope, signal).then(
      (gone) => gone.includes(id),
      () => false,
    );
  }
}

/**
 * Tokens of a connection. Up to 1,000 are read at once and arranged here; more are read page by page. The server's
 * listing lags behind changes (PROTOCOL.md §5.7), so created tokens are shown and revoked ones hidden at once, until the
 * listing agrees.
 */
import { LoadableList } from '../connections/loadableList.ts';
import { type Clock, systemClock } from '../time.ts';
import { ServiceFailure } from '../service/failure/failure.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import {
  type AccessTokenPage,
  LAG_MILLIS,
  type TokenListFilter,
  type TokenListingRequest,
} from '../service/tokens/tokenListing.ts';
import { PendingTokens } from './pendingTokens.ts';
import { inOrder, splitExpired, type TokenListOrder } from './tokenOrder.ts';
import {
  conditionsOf,
  endsSoon,
  filtersSoon,
  isNeverFilter,
  listsAllUsers,
  mayEndSoon,
  OWN_TOKENS,
  soonUntil,
  type TokenListQuery,
} from './tokenFilters.ts';

/** Read at once. */
const PAGE_SIZE = 1_000;
/** Rows that a search cluster lists by offset (PROTOCOL.md §5.6). */
export const MOST_LISTED = 10_000;

/** Source of pages: a `Service` that adds remembered facts. */
interface TokenPageSource {
  listTokenPage(
    request: Pick<TokenListingRequest, 'filters' | 'start' | 'count'> & { readonly scope: 'own' | 'all' },
    signal: AbortSignal,
  ): Promise<AccessTokenPage>;
  /** True if the server can compare values. Called after a page was listed. */
  canCompare(): Promise<boolean>;
}

/** The server's answers so far. */
interface TokenListing {
  /** In the server's order. */
  readonly tokens: readonly AccessToken[];
  /** Number of server rows read so far. */
  readonly received: number;
  readonly total: number;
  /** Changes since then aren't counted in the total: on the monotonic clock in ms. */
  readonly countedAt: number;
  /** All tokens were read. */
  readonly isWhole: boolean;
  /** Of a listing that isn't whole: all that end soon. Undefined if unknown. */
  readonly soon?: readonly AccessToken[] | undefined;
  /** Both, each token once: those that end soon may be far back in the server's order. */
  readonly all: readonly AccessToken[];
  /** When the first page was requested, on the monotonic clock in ms. */
  readonly begun: number;
}

export class TokenList extends LoadableList<TokenListing> {
  readonly #source: TokenPageSource;
  readonly #order: () => TokenListOrder;
  readonly #clock: Pick<Clock, 'monotonic' | 'now'>;
  readonly #pageSize: number;
  #query: TokenListQuery = OWN_TOKENS;
  /** The server was seen not to filter by "never expires", so the loaded tokens are filtered. */
  #filtersLocally = false;
  /** Created here and not yet listed. */
  readonly #created = new PendingTokens();
  /** IDs that the server has ever listed. */
  readonly #everListed = new Set<string>();
  /** Hidden by ID, since IDs are never reused; since then, on the monotonic clock in ms. Also while they are being revoked. */
  readonly #revoked = new Map<string, number>();
  /** Until something changes: sorting thousands of tokens takes a while, and rows are read several times. */
  #arranged: readonly AccessToken[] | undefined;

  /** @param changed Called after each visible change. */
  constructor(
    source: TokenPageSource,
    order: () => TokenListOrder,
    changed: () => void,
    clock: Pick<Clock, 'monotonic' | 'now'> = systemClock,
    pageSize = PAGE_SIZE,
  ) {
    super(() => {
      this.#arranged = undefined;
      changed();
    });
    this.#source = source;
    this.#order = order;
    this.#clock = clock;
    this.#pageSize = pageSize;
  }

  get query(): TokenListQuery {
    return this.#query;
  }

  /** True if the server has more tokens than were read. Such a list proves nothing about a token that it lacks. */
  get isPartial(): boolean {
    return this.listing?.isWhole === false;
  }

  get hasMoreTokens(): boolean {
    return this.isPartial && !this.#isAtLimit;
  }

  /** True if there are more tokens than the server lists. */
  get exceedsLimit(): boolean {
    return this.isPartial && (this.#isAtLimit || (this.listing?.total ?? 0) > MOST_LISTED);
  }

  /** Number of tokens read, if a filter applies only to these and there are more. */
  get readSoFar(): number | undefined {
    return this.isPartial && this.#filtersLocally ? this.#listed.length : undefined;
  }

  /** The server's count, with changes made here since, if that is more than the loaded ones: a hint for "50 of 120". */
  get total(): number {
    const { length } = this.#unordered;
    if (this.listing === undefined || !this.isPartial) {
      return length;
    }
    const { total, countedAt } = this.listing;
    const unlisted = new Set(this.#unlisted.map(({ id }) => id));
    const created = this.#created.addedSince(countedAt).filter(({ id }) => unlisted.has(id));
    const hidden = this.#listed.filter(({ id }) => (this.#revoked.get(id) ?? -Infinity) >= countedAt);
    return Math.max(total + created.length - hidden.length, length);
  }

  /** Rows of the next page, and rows left, if the server reports more. Only a hint. */
  get remainingRows(): { readonly next: number; readonly left: number } | undefined {
    const left = this.hasMoreTokens ? Math.min(this.listing?.total ?? 0, MOST_LISTED) - this.#listed.length : 0;
    return left > 0 ? { next: Math.min(this.#pageSize, left), left } : undefined;
  }

  /** How tokens are arranged that were asked for by expiry. `server`: as the server lists them. */
  get arrangement(): 'whole' | 'soonFirst' | 'server' {
    if (!this.isPartial) {
      return 'whole';
    }
    return this.listing?.soon === undefined ? 'server' : 'soonFirst';
  }

  /** In the chosen order; those that had expired at the latest change come last. */
  get tokens(): readonly AccessToken[] {
    return (this.#arranged ??= this.#arrange(this.#order(), this.#clock.now()));
  }

  /** IDs of tokens that were listed or created here. Includes revoked tokens, which stay listed for a while. */
  get knownIds(): ReadonlySet<string> {
    return new Set([...this.#everListed, ...this.#created.tokens.map(({ id }) => id)]);
  }

  /** True if the server ever listed it. Only then does a missing row mean anything. */
  wasEverListed(tokenId: string): boolean {
    return this.#everListed.has(tokenId);
  }

  async loadMoreTokens(): Promise<void> {
    const { listing } = this;
    if (listing !== undefined && this.hasMoreTokens) {
      await this.loadListing(async (signal) => this.#reconciled(await this.#readNextPage(listing, signal), signal));
    }
  }

  async changeQuery(query: TokenListQuery): Promise<void> {
    this.#query = query;
    this.#filtersLocally = false;
    this.clearListing();
    await this.refresh();
  }

  addCreatedToken(token: AccessToken): void {
    this.#created.add(token, this.#clock.monotonic());
    this.changed();
  }

  orderChanged(): void {
    this.changed();
  }

  hideRevoking(tokenIds: readonly string[]): void {
    const since = this.#clock.monotonic();
    tokenIds.forEach((id) => this.#revoked.set(id, since));
    this.changed();
  }

  /** Shows those again that weren't revoked. */
  showUnrevoked(tokenIds: readonly string[]): void {
    tokenIds.forEach((id) => this.#revoked.delete(id));
    this.changed();
  }

  /** True for one that was revoked here, or is being revoked. */
  isHidden(tokenId: string): boolean {
    return this.#revoked.has(tokenId);
  }

  /** Reloads as many pages as before. Reads all that end soon if the user asked for these, to show the soonest first. */
  protected async readListing(signal: AbortSignal): Promise<TokenListing> {
    const least = filtersSoon(this.#query) ? MOST_LISTED : (this.listing?.received ?? 0);
    const begun = this.#clock.monotonic();
    let listing: TokenListing = { tokens: [], all: [], received: 0, total: 0, countedAt: begun, isWhole: false, begun };
    do {
      listing = await this.#readNextPage(listing, signal);
    } while (!listing.isWhole && listing.received < least);
    return this.#reconciled(listing.isWhole ? listing : { ...listing, soon: await this.#readSoon(signal) }, signal);
  }

  async #readNextPage(before: TokenListing, signal: AbortSignal): Promise<TokenListing> {
    // Revocations move later rows up, so read some rows twice rather than skip one.
    const revoked = before.tokens.filter(({ id }) => this.#revoked.has(id)).length;
    const start = Math.max(0, before.received - revoked);
    const filteredLocally = this.#filtersLocally;
    // A change shows in the total once the listing has heard of it.
    const countedAt = this.#clock.monotonic() - LAG_MILLIS;
    const known = new Set(before.tokens.map(({ id }) => id));
    const rows = await this.#readTokenRows(start, this.#pageSize + before.received - start, known, signal);
    if (start > 0 && this.#filtersLocally !== filteredLocally) {
      // These rows belong to another listing.
      return this.readListing(signal);
    }
    return {
      ...before,
      tokens: [...before.tokens, ...rows.fresh],
      received: Math.max(before.received, rows.reached),
      total: rows.total,
      countedAt,
      isWhole: rows.isEnd,
    };
  }

  /**
   * Reads what ends soon, however much that is. The server lists it before what has expired.
   * @returns undefined if the server can't tell.
   */
  async #readSoon(signal: AbortSignal): Promise<readonly AccessToken[] | undefined> {
    if (!mayEndSoon(this.#query) || !(await this.#source.canCompare())) {
      return undefined;
    }
    const now = this.#clock.now();
    const read: AccessToken[] = [];
    try {
      for (let start = 0, isEnd = false; !isEnd && start < MOST_LISTED;) {
        const known = new Set(read.map(({ id }) => id));
        const rows = await this.#readTokenRows(start, this.#pageSize, known, signal, [endsSoon(now)]);
        const [soon, expired] = splitExpired(rows.fresh, now);
        if (!soon.every((token) => endsBefore(token, soonUntil(now)))) {
          return undefined;
        }
        read.push(...soon);
        start = rows.reached;
        isEnd = rows.isEnd || expired.length > 0;
      }
      return read;
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  }

  #arrange(order: TokenListOrder, now: number): readonly AccessToken[] {
    if (order !== 'expiry' || this.arrangement === 'whole') {
      return inOrder(this.#unordered, order, now);
    }
    const [working, expired] = splitExpired(this.#unordered, now);
    const isFirst = (token: AccessToken): boolean =>
      this.arrangement === 'soonFirst' && endsBefore(token, soonUntil(now));
    return [...inOrder(working.filter(isFirst), order, now), ...working.filter((token) => !isFirst(token)), ...expired];
  }

  /**
   * Reads a page, and the next one if this page and the total disagree, or it brought nothing new: a total
   * proves nothing (PROTOCOL.md §5.6). Errors of that second request are ignored.
   */
  async #readTokenRows(
    start: number,
    most: number,
    known: ReadonlySet<string>,
    signal: AbortSignal,
    added: readonly TokenListFilter[] = [],
  ): Promise<TokenPageRows> {
    const count = Math.min(most, MOST_LISTED - start);
    const page = await this.#requestPage(start, count, signal, added);
    const rows = tokenRowsOf(page, start, count, known);
    const isFull = page.received >= count;
    const claimsMore = rows.reached < page.total;
    if (rows.isEnd || rows.reached >= MOST_LISTED || (rows.isNew && isFull && claimsMore)) {
      return rows;
    }
    try {
      const rest = Math.min(this.#pageSize, MOST_LISTED - rows.reached);
      const next = await this.#requestPage(rows.reached, rest, signal, added);
      const more = tokenRowsOf(next, rows.reached, rest, new Set([...known, ...rows.fresh.map(({ id }) => id)]));
      // A server that ignores the start lists the same again. At the limit, there may be more.
      const isEnd = more.isEnd || (!more.isNew && more.reached < MOST_LISTED);
      return { ...more, fresh: [...rows.fresh, ...more.fresh], isEnd };
    } catch {
      return rows;
    }
  }

  /** @param added Conditions beside the query's. */
  async #requestPage(
    start: number,
    count: number,
    signal: AbortSignal,
    added: readonly TokenListFilter[] = [],
  ): Promise<AccessTokenPage> {
    const { filters } = this.#query;
    const scope = listsAllUsers(this.#query) ? 'all' : 'own';
    const asksNever = filters.some(isNeverFilter);
    const list = (): Promise<AccessTokenPage> => {
      const asked = this.#filtersLocally ? filters.filter((filter) => !isNeverFilter(filter)) : filters;
      const conditions = [...conditionsOf(asked, this.#clock.now()), ...added];
      return this.#source.listTokenPage({ scope, filters: conditions, start, count }, signal);
    };
    if (!asksNever || this.#filtersLocally) {
      return list();
    }
    const page = await list().catch((thrown: unknown) => {
      // Only the first page shows whether the server can be asked.
      if (start === 0 && isUnsupported(thrown)) {
        return undefined;
      }
      throw thrown;
    });
    // A token with an expiry proves that the server ignores the filter. No token at all proves nothing.
    const isHonored = page?.tokens.every(({ expiresAt }) => expiresAt === null) === true;
    if (page !== undefined && isHonored && (page.received > 0 || start > 0)) {
      return page;
    }
    signal.throwIfAborted();
    this.#filtersLocally = true;
    return list();
  }

  /** Drops pending tokens that are now listed, or gone. */
  #reconciled(listing: TokenListing, signal: AbortSignal): TokenListing {
    signal.throwIfAborted();
    const byId = new Map([...listing.tokens, ...(listing.soon ?? [])].map((token) => [token.id, token]));
    const ids = new Set(byId.keys());
    for (const id of ids) {
      this.#everListed.add(id);
    }
    // A token that isn't in it doesn't exist.
    const isComplete = listing.isWhole && this.#query.filters.length === 0;
    this.#created.reconcileWith(ids, this.#everListed, isComplete ? listing.begun : undefined);
    return { ...listing, all: [...byId.values()] };
  }

  get #isAtLimit(): boolean {
    return (this.listing?.received ?? 0) >= MOST_LISTED;
  }

  get #listed(): readonly AccessToken[] {
    return this.listing?.all ?? [];
  }

  /** Created here, and to be shown although the server doesn't list them. A filter hides them from its next listing on. */
  get #unlisted(): readonly AccessToken[] {
    const ids = new Set(this.#listed.map(({ id }) => id));
    const created =
      this.#query.filters.length > 0 ? this.#created.addedSince(this.listing?.begun ?? Infinity) : this.#created.tokens;
    return created.filter(({ id }) => !ids.has(id) && !this.#revoked.has(id));
  }

  get #unordered(): readonly AccessToken[] {
    const neverOnly = this.#filtersLocally;
    const listed = this.#listed.filter(
      ({ id, expiresAt }) => !this.#revoked.has(id) && (expiresAt === null || !neverOnly),
    );
    return [...this.#unlisted, ...listed];
  }
}

function endsBefore({ expiresAt }: AccessToken, time: number): boolean {
  return typeof expiresAt === 'number' && expiresAt < time;
}

/** A page's contribution to the list. */
interface TokenPageRows {
  readonly fresh: readonly AccessToken[];
  /** True if any row may be new; unusable rows count, since their ID is unknown. */
  readonly isNew: boolean;
  /** Number of listing rows up to the end of this page. */
  readonly reached: number;
  readonly total: number;
  readonly isEnd: boolean;
}

function tokenRowsOf(
  { tokens, received, total }: AccessTokenPage,
  start: number,
  count: number,
  known: ReadonlySet<string>,
): TokenPageRows {
  const fresh = tokens.filter(({ id }) => !known.has(id));
  const reached = start + received;
  return {
    fresh,
    isNew: fresh.length > 0 || tokens.length < received,
    reached,
    total,
    // Empty, or short with a matching total: a total proves nothing.
    isEnd: received === 0 || (received < count && reached >= total),
  };
}

/** The server can't answer this question, whatever the rows. */
function isUnsupported(thrown: unknown): boolean {
  return thrown instanceof ServiceFailure && ['unsupported', 'badRequest', 'server'].includes(thrown.kind);
}

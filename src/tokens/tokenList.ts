/**
 * Loaded tokens of a connection. The server's listing lags behind changes (PROTOCOL.md §5.7), so created tokens
 * are shown and revoked ones hidden at once, until the listing agrees.
 */
import { LoadableList } from '../connections/loadableList.ts';
import { type Clock, systemClock } from '../time.ts';
import { type EarlierListing, USUAL_LAG_MILLIS } from '../service/tokens/tokenSearch.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import type { TokenListingRequest, AccessTokenPage } from '../service/tokens/tokenListing.ts';
import { conditionsOf, OWN_TOKENS, type TokenListQuery } from './tokenQuery.ts';

/** Source of pages: a `Service` that adds remembered facts. */
export interface TokenPageSource {
  listTokenPage(
    request: Pick<TokenListingRequest, 'filters' | 'start' | 'count'> & { readonly scope: 'own' | 'all' },
    signal: AbortSignal,
  ): Promise<AccessTokenPage>;
  /** Receives the IDs of each listing. @param isComplete True if it has all tokens, without filters. */
  readonly listed?: ((ids: ReadonlySet<string>, isComplete: boolean) => void) | undefined;
}

/** The server's answers so far. */
interface TokenListing {
  readonly tokens: readonly AccessToken[];
  /** Number of server rows read so far. */
  readonly received: number;
  readonly total: number;
  /** There is nothing more to load. */
  readonly isWhole: boolean;
  /** When the first page was requested, on the monotonic clock in ms. */
  readonly begun: number;
}

export class TokenList extends LoadableList<TokenListing> {
  readonly #source: TokenPageSource;
  readonly #pageSize: () => number;
  readonly #clock: Pick<Clock, 'monotonic' | 'now'>;
  #query: TokenListQuery = OWN_TOKENS;
  /** Created here and not yet listed. */
  readonly #created = new PendingTokens();
  /** IDs that the server has ever listed. */
  readonly #everListed = new Set<string>();
  /** Revoked here. IDs are never reused, so these stay hidden. */
  readonly #revoked = new Set<string>();

  /** @param changed Called after each visible change. */
  constructor(
    source: TokenPageSource,
    pageSize: () => number,
    changed: () => void,
    clock: Pick<Clock, 'monotonic' | 'now'> = systemClock,
  ) {
    super(changed);
    this.#source = source;
    this.#pageSize = pageSize;
    this.#clock = clock;
  }

  get query(): TokenListQuery {
    return this.#query;
  }

  get hasMoreTokens(): boolean {
    return this.listing?.isWhole === false;
  }

  /** The server's count if larger than the loaded one: a hint for "50 of 120". */
  get total(): number {
    return this.listing?.isWhole === true ? this.tokens.length : Math.max(this.listing?.total ?? 0, this.tokens.length);
  }

  /** Rows of the next page, and rows left, if the server reports more. Only a hint. */
  get remainingRows(): { readonly next: number; readonly left: number } | undefined {
    const left = this.hasMoreTokens ? (this.listing?.total ?? 0) - (this.listing?.received ?? 0) : 0;
    return left > 0 ? { next: Math.min(this.#pageSize(), left), left } : undefined;
  }

  get tokens(): readonly AccessToken[] {
    const listed = this.#listed.filter(({ id }) => !this.#revoked.has(id));
    const ids = new Set(listed.map(({ id }) => id));
    const pending =
      this.#query.filters.length > 0
        ? []
        : this.#created.tokens.filter(({ id }) => !ids.has(id) && !this.#revoked.has(id));
    return [...pending, ...listed];
  }

  /** Excludes IDs when looking for a created token. Includes revoked tokens, which stay listed for a while. */
  get earlierListing(): EarlierListing {
    const isWhole = this.listing?.isWhole === true && this.#query.filters.length === 0;
    return { ids: new Set([...this.#everListed, ...this.#created.tokens.map(({ id }) => id)]), isWhole };
  }

  /** True if the server ever listed it. Only then does a missing row mean anything. */
  wasEverListed(tokenId: string): boolean {
    return this.#everListed.has(tokenId);
  }

  async loadMoreTokens(): Promise<void> {
    const { listing } = this;
    if (listing?.isWhole === false) {
      await this.loadListing((signal) => this.#readNextRows(listing, signal));
    }
  }

  async changeQuery(query: TokenListQuery): Promise<void> {
    this.#query = query;
    this.clearListing();
    await this.refresh();
  }

  addCreatedToken(token: AccessToken): void {
    this.#created.addPendingToken(token, this.#clock.monotonic());
    this.changed();
  }

  /** Hides a token that was revoked here. */
  hideRevoked(tokenId: string): void {
    this.#revoked.add(tokenId);
    this.changed();
  }

  /** The server refused to revoke it. */
  showUnrevoked(tokenId: string): void {
    this.#revoked.delete(tokenId);
    this.changed();
  }

  /** Reloads as many rows as before, in one request. */
  protected async readListing(signal: AbortSignal): Promise<TokenListing> {
    const begun = this.#clock.monotonic();
    const rows = await this.#readTokenRows(
      0,
      Math.max(this.#pageSize(), this.listing?.received ?? 0),
      new Set(),
      signal,
    );
    return this.#withReconciledPending(
      { tokens: rows.fresh, received: rows.reached, total: rows.total, isWhole: rows.isEnd, begun },
      signal,
    );
  }

  async #readNextRows(before: TokenListing, signal: AbortSignal): Promise<TokenListing> {
    // Revocations move later rows up, so read some rows twice rather than skip one.
    const moved = before.tokens.filter(({ id }) => this.#revoked.has(id)).length;
    const start = Math.max(0, before.received - moved);
    const rows = await this.#readTokenRows(
      start,
      this.#pageSize() + before.received - start,
      new Set(before.tokens.map(({ id }) => id)),
      signal,
    );
    const received = Math.max(before.received, rows.reached);
    return this.#withReconciledPending(
      {
        tokens: [...before.tokens, ...rows.fresh],
        received,
        total: rows.total,
        isWhole: rows.isEnd,
        begun: before.begun,
      },
      signal,
    );
  }

  /**
   * Reads a page, and the next one if this page and the total disagree, or it brought nothing new: a total
   * proves nothing (PROTOCOL.md §5.6). Errors of that second request are ignored.
   */
  async #readTokenRows(
    start: number,
    count: number,
    known: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<TokenPageRows> {
    const page = await this.#requestPage(start, count, signal);
    const rows = tokenRowsOf(page, start, count, known);
    const isFull = page.received >= count;
    const claimsMore = rows.reached < page.total;
    if (rows.isEnd || (rows.isNew && isFull && claimsMore)) {
      return rows;
    }
    try {
      const next = await this.#requestPage(rows.reached, this.#pageSize(), signal);
      const more = tokenRowsOf(
        next,
        rows.reached,
        this.#pageSize(),
        new Set([...known, ...rows.fresh.map(({ id }) => id)]),
      );
      return { ...more, fresh: [...rows.fresh, ...more.fresh], isEnd: more.isEnd || !more.isNew };
    } catch {
      return rows;
    }
  }

  #requestPage(start: number, count: number, signal: AbortSignal): Promise<AccessTokenPage> {
    const { scope, filters } = this.#query;
    return this.#source.listTokenPage(
      { scope, filters: conditionsOf(filters, this.#clock.now()), start, count },
      signal,
    );
  }

  /** Drops pending tokens that are now listed, or gone. */
  #withReconciledPending(listing: TokenListing, signal: AbortSignal): TokenListing {
    signal.throwIfAborted();
    const ids = new Set(listing.tokens.map(({ id }) => id));
    for (const id of ids) {
      this.#everListed.add(id);
    }
    const isComplete = listing.isWhole && this.#query.filters.length === 0;
    this.#created.reconcileWith(ids, this.#everListed, isComplete ? listing.begun : undefined);
    this.#source.listed?.(ids, isComplete);
    return listing;
  }

  get #listed(): readonly AccessToken[] {
    return this.listing?.tokens ?? [];
  }
}

/** A page's contribution to the list. */
interface TokenPageRows {
  readonly fresh: readonly AccessToken[];
  /** True if any row may be new; unusable rows count, since their ID is unknown. */
  readonly isNew: boolean;
  /** Number of listing rows up to the end of this page. */
  readonly reached: number;
  readonly total: number;
  /** The last page: empty, or not full with a matching total. */
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
    isEnd: received === 0 || (received < count && reached >= total),
  };
}

interface PendingCreatedToken {
  readonly token: AccessToken;
  /** When a listing without it starts to count, on the monotonic clock in ms. */
  readonly from: number;
  /** Number of complete listings without it since. */
  readonly missed: number;
}

/** One listing may come from a node that lags more than others. */
const MOST_MISSED = 2;

class PendingTokens {
  #pending: readonly PendingCreatedToken[] = [];

  /** The newest first. */
  get tokens(): readonly AccessToken[] {
    return this.#pending.map(({ token }) => token);
  }

  /** @param now Monotonic clock, in ms. */
  addPendingToken(token: AccessToken, now: number): void {
    const others = this.#pending.filter(({ token: { id } }) => id !== token.id);
    this.#pending = [{ token, from: now + USUAL_LAG_MILLIS, missed: 0 }, ...others];
  }

  /**
   * Compares with a listing.
   * @param listed IDs in it.
   * @param everListed IDs in any listing. Such a token is gone if a complete listing lacks it.
   * @param begun When a complete listing was requested, on the monotonic clock; undefined if incomplete.
   */
  reconcileWith(listed: ReadonlySet<string>, everListed: ReadonlySet<string>, begun: number | undefined): void {
    this.#pending = this.#pending.flatMap((one) => {
      const { id } = one.token;
      if (listed.has(id) || (begun !== undefined && everListed.has(id))) {
        return [];
      }
      if (begun === undefined || begun < one.from) {
        return [one];
      }
      const missed = one.missed + 1;
      return missed >= MOST_MISSED ? [] : [{ ...one, from: begun + USUAL_LAG_MILLIS, missed }];
    });
  }
}

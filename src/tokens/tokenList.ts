/**
 * The access tokens of one connection as far as they were loaded. The listing lags behind what was just done (PROTOCOL.md §5.7): a
 * created token is shown at once and a revoked one hidden at once, until the server says the same.
 */
import { LoadableList } from '../connections/loadableList.ts';
import { type Clock, systemClock } from '../service/clock.ts';
import { type EarlierListing, USUAL_LAG_MILLIS } from '../service/tokens/tokenSearch.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import type { TokenListingRequest, TokenPage } from '../service/tokens/tokenListing.ts';
import { conditionsOf, OWN_TOKENS, type TokenQuery } from './tokenQuery.ts';

/** What pages are read from; a `Service` with what is known of created tokens put in. */
export interface TokenSource {
  list(
    request: Pick<TokenListingRequest, 'filters' | 'start' | 'count'> & { readonly scope: 'own' | 'all' },
    signal: AbortSignal,
  ): Promise<TokenPage>;
}

/** What the server answered so far. */
interface Listing {
  readonly tokens: readonly AccessToken[];
  /** How many rows of the server's listing lie behind what was read. */
  readonly received: number;
  readonly total: number;
  /** Nothing more is to be loaded. */
  readonly isWhole: boolean;
  /** When its first page was asked for, by the monotonic clock. */
  readonly begun: number;
}

export class TokenList extends LoadableList<Listing> {
  readonly #source: TokenSource;
  readonly #pageSize: () => number;
  readonly #clock: Pick<Clock, 'monotonic' | 'now'>;
  #query: TokenQuery = OWN_TOKENS;
  /** Created here and not listed yet. */
  readonly #created = new UnlistedTokens();
  /** Ids that the server listed at any time. */
  readonly #everListed = new Set<string>();
  /** Revoked here: ids are never used again, so they stay hidden. */
  readonly #revoked = new Set<string>();

  /** @param changed Told after each change of what is shown. */
  constructor(
    source: TokenSource,
    pageSize: () => number,
    changed: () => void,
    clock: Pick<Clock, 'monotonic' | 'now'> = systemClock,
  ) {
    super(changed);
    this.#source = source;
    this.#pageSize = pageSize;
    this.#clock = clock;
  }

  get query(): TokenQuery {
    return this.#query;
  }

  get hasMore(): boolean {
    return this.listing?.isWhole === false;
  }

  /** The server's count where it is larger than what is loaded: a hint for "50 of 120". */
  get total(): number {
    return this.listing?.isWhole === true ? this.tokens.length : Math.max(this.listing?.total ?? 0, this.tokens.length);
  }

  /**
   * What is still to be loaded, where the server says that there is more: how many rows the next page brings, and how many are
   * left. A hint, as the total is.
   */
  get ahead(): { readonly next: number; readonly left: number } | undefined {
    const left = this.hasMore ? (this.listing?.total ?? 0) - (this.listing?.received ?? 0) : 0;
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

  /** What is created next is none of these; `isWhole`: nothing else is there. Also what was revoked: it is listed for a while. */
  get listedNow(): EarlierListing {
    const isWhole = this.listing?.isWhole === true && this.#query.filters.length === 0;
    return { ids: new Set([...this.#everListed, ...this.#created.tokens.map(({ id }) => id)]), isWhole };
  }

  /** Whether the server itself ever listed it, as far as was read: only of such a token does it mean something that it is missing. */
  wasListed(tokenId: string): boolean {
    return this.#everListed.has(tokenId);
  }

  async loadMore(): Promise<void> {
    const { listing } = this;
    if (listing?.isWhole === false) {
      await this.load((signal) => this.#readMore(listing, signal));
    }
  }

  async show(query: TokenQuery): Promise<void> {
    this.#query = query;
    this.clear();
    await this.refresh();
  }

  created(token: AccessToken): void {
    this.#created.add(token, this.#clock.monotonic());
    this.changed();
  }

  /** Hides a token that is revoked here: the listing still has it for a while. */
  revoked(tokenId: string): void {
    this.#revoked.add(tokenId);
    this.changed();
  }

  /** The server refused to revoke it. */
  unhide(tokenId: string): void {
    this.#revoked.delete(tokenId);
    this.changed();
  }

  /** As many rows as were loaded before, in one request rather than page by page. */
  protected async read(signal: AbortSignal): Promise<Listing> {
    const begun = this.#clock.monotonic();
    const rows = await this.#rows(0, Math.max(this.#pageSize(), this.listing?.received ?? 0), new Set(), signal);
    return this.#compared(
      { tokens: rows.fresh, received: rows.reached, total: rows.total, isWhole: rows.isEnd, begun },
      signal,
    );
  }

  async #readMore(before: Listing, signal: AbortSignal): Promise<Listing> {
    // Rows that were revoked since make the next ones move up: some are read twice rather than one passed over.
    const moved = before.tokens.filter(({ id }) => this.#revoked.has(id)).length;
    const start = Math.max(0, before.received - moved);
    const rows = await this.#rows(
      start,
      this.#pageSize() + before.received - start,
      new Set(before.tokens.map(({ id }) => id)),
      signal,
    );
    const received = Math.max(before.received, rows.reached);
    return this.#compared(
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
   * The rows of a page. A total proves nothing (PROTOCOL.md §5.6): where it and the page do not agree on whether there is more, and where a
   * page brings nothing new, the next one is looked at too. That is not told: should it fail, it is as if nobody had looked.
   */
  async #rows(start: number, count: number, known: ReadonlySet<string>, signal: AbortSignal): Promise<Rows> {
    const page = await this.#ask(start, count, signal);
    const rows = rowsOf(page, start, count, known);
    const isFull = page.received >= count;
    const claimsMore = rows.reached < page.total;
    if (rows.isEnd || (rows.isNew && isFull && claimsMore)) {
      return rows;
    }
    try {
      const next = await this.#ask(rows.reached, this.#pageSize(), signal);
      const more = rowsOf(next, rows.reached, this.#pageSize(), new Set([...known, ...rows.fresh.map(({ id }) => id)]));
      return { ...more, fresh: [...rows.fresh, ...more.fresh], isEnd: more.isEnd || !more.isNew };
    } catch {
      return rows;
    }
  }

  #ask(start: number, count: number, signal: AbortSignal): Promise<TokenPage> {
    const { scope, filters } = this.#query;
    return this.#source.list({ scope, filters: conditionsOf(filters, this.#clock.now()), start, count }, signal);
  }

  /** What was created here and is listed by now, or gone, is shown as the listing has it. */
  #compared(listing: Listing, signal: AbortSignal): Listing {
    signal.throwIfAborted();
    const ids = listing.tokens.map(({ id }) => id);
    for (const id of ids) {
      this.#everListed.add(id);
    }
    const isComplete = listing.isWhole && this.#query.filters.length === 0;
    this.#created.compare(new Set(ids), this.#everListed, isComplete ? listing.begun : undefined);
    return listing;
  }

  get #listed(): readonly AccessToken[] {
    return this.listing?.tokens ?? [];
  }
}

/** What a page holds beyond what was known before it. */
interface Rows {
  readonly fresh: readonly AccessToken[];
  /** Whether any row may be one that was not known: of a row that could not be used nobody knows. */
  readonly isNew: boolean;
  /** How many rows of the listing lie behind this page. */
  readonly reached: number;
  readonly total: number;
  /** Nothing lies behind it: it is empty, or it is not full and the total agrees. */
  readonly isEnd: boolean;
}

function rowsOf(
  { tokens, received, total }: TokenPage,
  start: number,
  count: number,
  known: ReadonlySet<string>,
): Rows {
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

interface Unlisted {
  readonly token: AccessToken;
  /** From when on a listing that lacks it means something: a moment of the monotonic clock, in ms. */
  readonly from: number;
  /** How many complete listings lacked it since. */
  readonly missed: number;
}

/** One may have come from a node that lags more than the others. */
const MOST_MISSED = 2;

export class UnlistedTokens {
  #unlisted: readonly Unlisted[] = [];

  /** The newest first. */
  get tokens(): readonly AccessToken[] {
    return this.#unlisted.map(({ token }) => token);
  }

  /** @param now Of the monotonic clock. */
  add(token: AccessToken, now: number): void {
    const others = this.#unlisted.filter(({ token: { id } }) => id !== token.id);
    this.#unlisted = [{ token, from: now + USUAL_LAG_MILLIS, missed: 0 }, ...others];
  }

  /**
   * What a listing says of them.
   * @param listed Ids that it holds.
   * @param everListed Ids that any listing held: what was listed once and is missing from a complete listing is gone.
   * @param begun When the listing was begun, by the monotonic clock; undefined where it is not complete and proves nothing.
   */
  compare(listed: ReadonlySet<string>, everListed: ReadonlySet<string>, begun: number | undefined): void {
    this.#unlisted = this.#unlisted.flatMap((one) => {
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

/**
 * Loaded tokens of a connection. The server's listing lags behind changes (PROTOCOL.md §5.7), so created tokens
 * are shown and revoked ones hidden at once, until the listing agrees.
 */
import * as l10n from '@vscode/l10n';
import { LoadableList } from '../connections/loadableList.ts';
import { type Clock, systemClock } from '../time.ts';
import { ServiceFailure } from '../service/failure/failure.ts';
import { USUAL_LAG_MILLIS } from '../service/tokens/tokenSearch.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import type { TokenListFilter, TokenListingRequest, AccessTokenPage } from '../service/tokens/tokenListing.ts';
import { conditionsOf, isNeverFilter, OWN_TOKENS, type TokenListQuery } from './tokenQuery.ts';
import {
  afterRefusal,
  isLastPage,
  type NeverGap,
  positionAfter,
  readWindow,
  RESULT_WINDOW,
  skipEmptyParts,
  soonestFirst,
  type TokenWindow,
  upcomingReadUntil,
  type WindowPosition,
} from './tokenWindows.ts';

/** Source of pages: a `Service` that adds remembered facts. */
export interface TokenPageSource {
  listTokenPage(
    request: Pick<TokenListingRequest, 'filters' | 'start' | 'count'> & { readonly scope: 'own' | 'all' },
    signal: AbortSignal,
  ): Promise<AccessTokenPage>;
  /** True if the server can compare values. Called after a page was listed. */
  canCompare(): Promise<boolean>;
}

/** The server's answers so far. */
interface TokenListing {
  readonly tokens: readonly AccessToken[];
  /** Number of server rows read so far. */
  readonly received: number;
  readonly total: number;
  /** There is nothing more to load. */
  readonly isWhole: boolean;
  /** Where a listing in windows goes on; undefined while the server's own order is read by offset. */
  readonly window?: WindowPosition | undefined;
  /** Divides upcoming from expired: Unix time in ms. */
  readonly now: number;
  readonly neverGap?: NeverGap | undefined;
  /** When the first page was requested, on the monotonic clock in ms. */
  readonly begun: number;
}

export class TokenList extends LoadableList<TokenListing> {
  readonly #source: TokenPageSource;
  readonly #pageSize: () => number;
  readonly #clock: Pick<Clock, 'monotonic' | 'now'>;
  #query: TokenListQuery = OWN_TOKENS;
  /** The server was seen not to filter by "never expires", so the loaded tokens are filtered. */
  #filtersLocally = false;
  /** Created here and not yet listed. */
  readonly #created = new PendingTokens();
  /** IDs that the server has ever listed. */
  readonly #everListed = new Set<string>();
  /** Hidden by ID, since IDs are never reused: true once revoked here, false while that is under way. */
  readonly #revoked = new Map<string, boolean>();

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

  /** Why tokens that never expire may be missing. Undefined: they aren't, or weren't asked for yet. */
  get neverGap(): NeverGap | undefined {
    return this.listing?.neverGap;
  }

  /** All tokens that expire from now until then are loaded: Unix time in ms. */
  get loadedUntil(): number {
    const { isWhole = false, window } = this.listing ?? {};
    if (isWhole) {
      return Infinity;
    }
    return this.#query.order === 'soonest' && window !== undefined ? upcomingReadUntil(window) : 0;
  }

  /** Number of tokens read, if filter or order apply only to these: there are more. */
  get readSoFar(): number | undefined {
    const isLocal = this.#asksNever ? this.#filtersLocally : this.#query.order === 'soonest';
    return isLocal && this.hasMoreTokens && this.listing?.window === undefined ? this.#listed.length : undefined;
  }

  /** The server's count if larger than the loaded one: a hint for "50 of 120". */
  get total(): number {
    const { length } = this.#unsorted;
    return this.listing?.isWhole === true ? length : Math.max(this.listing?.total ?? 0, length);
  }

  /** Rows of the next page, and rows left, if the server reports more. Only a hint. */
  get remainingRows(): { readonly next: number; readonly left: number } | undefined {
    const isByOffset = this.hasMoreTokens && this.listing?.window === undefined;
    const left = isByOffset ? (this.listing?.total ?? 0) - (this.listing?.received ?? 0) : 0;
    return left > 0 ? { next: Math.min(this.#pageSize(), left), left } : undefined;
  }

  get tokens(): readonly AccessToken[] {
    const tokens = this.#unsorted;
    return this.#query.order === 'soonest' ? tokens.toSorted(soonestFirst(this.#clock.now())) : tokens;
  }

  get #unsorted(): readonly AccessToken[] {
    const neverOnly = this.#asksNever && this.#filtersLocally;
    const listed = this.#listed.filter(
      ({ id, expiresAt }) => !this.#revoked.has(id) && (expiresAt === null || !neverOnly),
    );
    const ids = new Set(listed.map(({ id }) => id));
    const pending =
      this.#query.filters.length > 0
        ? []
        : this.#created.tokens.filter(({ id }) => !ids.has(id) && !this.#revoked.has(id));
    return [...pending, ...listed];
  }

  /** True if the list has all tokens that there are, as far as the server's answers tell. */
  get isComplete(): boolean {
    return this.listing !== undefined && this.#isComplete(this.listing);
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
    if (listing?.isWhole === false) {
      await this.loadListing((signal) => this.#readNextRows(listing, signal));
    }
  }

  async changeQuery(query: TokenListQuery): Promise<void> {
    this.#query = query;
    this.#filtersLocally = false;
    this.clearListing();
    await this.refresh();
  }

  addCreatedToken(token: AccessToken): void {
    this.#created.addPendingToken(token, this.#clock.monotonic());
    this.changed();
  }

  /** Hides tokens that are being revoked. */
  hideRevoking(tokenIds: readonly string[]): void {
    tokenIds.forEach((id) => this.#revoked.set(id, false));
    this.changed();
  }

  /** Keeps those that were revoked hidden, and shows the other ones again. */
  settleRevocations(tokenIds: readonly string[], revoked: ReadonlySet<string>): void {
    for (const id of tokenIds) {
      if (revoked.has(id)) {
        this.#revoked.set(id, true);
      } else {
        this.#revoked.delete(id);
      }
    }
    this.changed();
  }

  wasRevoked(tokenId: string): boolean {
    return this.#revoked.get(tokenId) === true;
  }

  /** Reloads as many rows as before, in one request where the server lists them by offset. */
  protected async readListing(signal: AbortSignal): Promise<TokenListing> {
    const begun = this.#clock.monotonic();
    const now = this.#clock.now();
    const before = this.listing?.window === undefined ? (this.listing?.received ?? 0) : this.#listed.length;
    const count = Math.min(RESULT_WINDOW, Math.max(this.#pageSize(), before));
    const rows = await this.#readTokenRows(0, count, new Set(), signal);
    const listing = {
      tokens: rows.fresh,
      received: rows.reached,
      total: rows.total,
      isWhole: rows.isEnd,
      begun,
      now,
    };
    return this.#withReconciledPending(
      rows.isEnd || this.#query.order !== 'soonest' || this.#asksNever
        ? listing
        : await this.#readSoonest(listing, count, signal),
      signal,
    );
  }

  /** Where the server can't compare, the loaded tokens are sorted. */
  async #readSoonest(listing: TokenListing, count: number, signal: AbortSignal): Promise<TokenListing> {
    if (!(await this.#source.canCompare())) {
      return listing;
    }
    try {
      const window = { part: 'upcoming', from: listing.now } as const;
      return await this.#readWindows({ ...listing, tokens: [], window }, count, signal);
    } catch (thrown) {
      if (isUnsupported(thrown)) {
        return listing;
      }
      throw thrown;
    }
  }

  async #readNextRows(before: TokenListing, signal: AbortSignal): Promise<TokenListing> {
    // Revocations move later rows up, so read some rows twice rather than skip one.
    const moved = this.#revokedIn(before);
    const start = Math.max(0, before.received - moved);
    const count = this.#pageSize() + before.received - start;
    const window = before.window ?? (await this.#windowBeyond(before, start + count));
    if (window !== undefined) {
      return this.#withReconciledPending(
        await this.#readWindows({ ...before, window }, this.#pageSize(), signal),
        signal,
      );
    }
    const filteredLocally = this.#filtersLocally;
    const rows = await this.#readTokenRows(start, count, new Set(before.tokens.map(({ id }) => id)), signal);
    if (this.#filtersLocally !== filteredLocally) {
      // These rows belong to another listing.
      return this.readListing(signal);
    }
    const received = Math.max(before.received, rows.reached);
    return this.#withReconciledPending(
      { ...before, tokens: [...before.tokens, ...rows.fresh], received, total: rows.total, isWhole: rows.isEnd },
      signal,
    );
  }

  /** A default search cluster refuses rows beyond its result window. */
  async #windowBeyond({ tokens }: TokenListing, end: number): Promise<WindowPosition | undefined> {
    return end > RESULT_WINDOW && (await this.#source.canCompare()) ? positionAfter(tokens) : undefined;
  }

  /** Reads windows until they brought `count` new tokens, or the end. */
  async #readWindows(before: TokenListing, count: number, signal: AbortSignal): Promise<TokenListing> {
    const moved = this.#revokedIn(before);
    const tokens = new Map(before.tokens.map((token) => [token.id, token]));
    const wanted = tokens.size + count;
    const filters = conditionsOf(this.#query.filters, before.now);
    let window = skipEmptyParts(before.window, filters, before.now);
    let { neverGap } = before;
    while (window !== undefined && tokens.size < wanted) {
      const read = await this.#readWindow(window, count, { ...before, tokens: [...tokens.values()] }, moved, signal);
      window = skipEmptyParts(read.next, filters, before.now);
      neverGap = read.neverGap ?? neverGap;
      read.tokens.forEach((token) => tokens.set(token.id, token));
    }
    const all = [...tokens.values()];
    return { ...before, tokens: all, received: all.length, window, isWhole: window === undefined, neverGap };
  }

  /** @param moved Number of revoked rows, which move later rows up. */
  #readWindow(
    position: WindowPosition,
    count: number,
    { tokens, now }: Pick<TokenListing, 'tokens' | 'now'>,
    moved: number,
    signal: AbortSignal,
  ): Promise<TokenWindow> {
    return readWindow(position, count, tokens, now, async (bounds, start, rows) => {
      const from = Math.max(0, start - moved);
      const page = await this.#requestPage(from, rows + start - from, signal, bounds);
      return { ...page, received: Math.max(0, page.received - (start - from)) };
    }).catch((thrown: unknown) => {
      const rest = isUnsupported(thrown) ? afterRefusal(position, now) : undefined;
      if (rest === undefined) {
        throw thrown;
      }
      return rest;
    });
  }

  #revokedIn({ tokens }: TokenListing): number {
    return tokens.filter(({ id }) => this.#revoked.has(id)).length;
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

  async #requestPage(
    start: number,
    count: number,
    signal: AbortSignal,
    window: readonly TokenListFilter[] = [],
  ): Promise<AccessTokenPage> {
    const { scope, filters } = this.#query;
    const list = (): Promise<AccessTokenPage> => {
      const asked = this.#filtersLocally ? filters.filter((filter) => !isNeverFilter(filter)) : filters;
      const conditions = [...conditionsOf(asked, this.#clock.now()), ...window];
      return this.#source.listTokenPage({ scope, filters: conditions, start, count }, signal);
    };
    if (!this.#asksNever) {
      return list();
    }
    if (this.#filtersLocally) {
      return withExpiry(await list());
    }
    const page = await list().catch((thrown: unknown) => {
      // Only the first page shows whether the server can be asked: later ones may be beyond the result window.
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
    return withExpiry(await list());
  }

  get #asksNever(): boolean {
    return this.#query.filters.some(isNeverFilter);
  }

  /** Drops pending tokens that are now listed, or gone. */
  #withReconciledPending(listing: TokenListing, signal: AbortSignal): TokenListing {
    signal.throwIfAborted();
    const ids = new Set(listing.tokens.map(({ id }) => id));
    for (const id of ids) {
      this.#everListed.add(id);
    }
    const begun = this.#isComplete(listing) ? listing.begun : undefined;
    this.#created.reconcileWith(ids, this.#everListed, begun);
    return listing;
  }

  /** True if a token that isn't in it doesn't exist. */
  #isComplete({ isWhole, neverGap }: TokenListing): boolean {
    return isWhole && neverGap === undefined && this.#query.filters.length === 0;
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
    isEnd: isLastPage({ tokens, received, total }, start, count),
  };
}

/** The server can't answer this question, whatever the rows. */
function isUnsupported(thrown: unknown): boolean {
  return thrown instanceof ServiceFailure && ['unsupported', 'badRequest', 'server'].includes(thrown.kind);
}

/** @throws ServiceFailure if no token says when it expires: none of them may be called one that does. */
function withExpiry(page: AccessTokenPage): AccessTokenPage {
  if (page.tokens.length > 0 && page.tokens.every(({ expiresAt }) => expiresAt === undefined)) {
    throw new ServiceFailure('unsupported', l10n.t("This server doesn't report when access tokens expire."), {
      operation: 'listAccessTokens',
    });
  }
  return page;
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

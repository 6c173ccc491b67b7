/**
 * The access tokens of one connection as far as they were loaded. The listing lags behind what was just done (facts §3): a
 * created token is shown at once and a revoked one hidden at once, until the server says the same.
 */
import { ServiceFailure, asFailure } from '../service/failure.ts';
import type { AccessToken, ListTokens, TokenFilter, TokenPage } from '../service/tokens.ts';

export interface TokenQuery {
  /** `own`: created by the caller. */
  readonly scope: 'own' | 'all';
  readonly filters: readonly TokenFilter[];
}

/** What pages are read from; a `Service` with what is known of created tokens put in. */
export interface TokenSource {
  list(request: Pick<ListTokens, 'filters' | 'start' | 'count'> & { readonly scope: 'own' | 'all' }, signal: AbortSignal): Promise<TokenPage>;
}

export const OWN_TOKENS: TokenQuery = { scope: 'own', filters: [] };

export class TokenPages {
  readonly #source: TokenSource;
  readonly #pageSize: () => number;
  readonly #changed: () => void;
  #query: TokenQuery = OWN_TOKENS;
  #listed: AccessToken[] = [];
  #received = 0;
  #total = 0;
  #state: 'new' | 'loading' | 'partial' | 'whole' = 'new';
  #failure: ServiceFailure | undefined;
  #loading: { readonly done: Promise<void>; readonly stop: AbortController } | undefined;
  /** Created here and not listed yet, the newest first. */
  #created: AccessToken[] = [];
  /** Revoked here: ids are never used again, so they stay hidden. */
  readonly #revoked = new Set<string>();

  /** @param changed Told after each change of what is shown. */
  constructor(source: TokenSource, pageSize: () => number, changed: () => void) {
    this.#source = source;
    this.#pageSize = pageSize;
    this.#changed = changed;
  }

  get query(): TokenQuery {
    return this.#query;
  }

  get failure(): ServiceFailure | undefined {
    return this.#failure;
  }

  get isLoading(): boolean {
    return this.#loading !== undefined;
  }

  get isLoaded(): boolean {
    return this.#state === 'partial' || this.#state === 'whole';
  }

  get hasMore(): boolean {
    return this.#state === 'partial';
  }

  /** The server's count where it is larger than what is loaded: a hint for "50 of 120". */
  get total(): number {
    return this.#state === 'whole' ? this.tokens.length : Math.max(this.#total, this.tokens.length);
  }

  get tokens(): readonly AccessToken[] {
    const listed = this.#listed.filter(({ id }) => !this.#revoked.has(id));
    const ids = new Set(listed.map(({ id }) => id));
    const pending = this.#query.filters.length > 0 ? [] : this.#created.filter(({ id }) => !ids.has(id) && !this.#revoked.has(id));
    return [...pending, ...listed];
  }

  /** Whether the server itself listed it, as far as was read. */
  isListed(tokenId: string): boolean {
    return this.#listed.some(({ id }) => id === tokenId);
  }

  /** Loads the first page unless that was done; never throws: a failure is kept to be shown. */
  async ensureLoaded(): Promise<void> {
    if (this.#loading === undefined && this.#state === 'new' && this.#failure === undefined) {
      await this.#load(true);
    }
    // What one waits for may be replaced by a newer load meanwhile.
    while (this.#loading !== undefined) {
      await this.#loading.done;
    }
  }

  /** The same for a person who asks for the tokens now: what failed before is tried again. */
  async ensureTried(): Promise<void> {
    if (this.#failure !== undefined) {
      await this.refresh();
    }
    await this.ensureLoaded();
  }

  /** Loads as many rows as were loaded before, from the start. What is shown stays until the answer is there. */
  async refresh(): Promise<void> {
    await this.#load(true);
  }

  async loadMore(): Promise<void> {
    if (this.#state === 'partial') {
      await this.#load(false);
    }
  }

  async show(query: TokenQuery): Promise<void> {
    this.#query = query;
    this.#listed = [];
    this.#received = 0;
    this.#total = 0;
    this.#state = 'new';
    await this.#load(true);
  }

  created(token: AccessToken): void {
    this.#created = [token, ...this.#created.filter(({ id }) => id !== token.id)];
    this.#changed();
  }

  /** @param undo The server refused: the token is shown again. */
  revoked(tokenId: string, undo = false): void {
    if (undo) {
      this.#revoked.delete(tokenId);
    } else {
      this.#revoked.add(tokenId);
    }
    this.#changed();
  }

  /** Stops what is under way. */
  close(): void {
    this.#loading?.stop.abort();
  }

  async #load(fromStart: boolean): Promise<void> {
    this.#loading?.stop.abort();
    const stop = new AbortController();
    const done = this.#read(fromStart, stop.signal);
    const mine = { done, stop };
    this.#loading = mine;
    this.#changed();
    await done;
    if (this.#loading === mine) {
      this.#loading = undefined;
      this.#changed();
    }
  }

  async #read(fromStart: boolean, signal: AbortSignal): Promise<void> {
    const already = fromStart ? 0 : this.#received;
    // Rows that were revoked since make the next ones move up: some are read twice rather than one passed over.
    const moved = fromStart ? 0 : this.#listed.filter(({ id }) => this.#revoked.has(id)).length;
    const start = Math.max(0, already - moved);
    // A refresh reads what is on the screen in one request rather than page by page.
    const count = fromStart ? Math.max(this.#pageSize(), this.#received) : this.#pageSize() + already - start;
    try {
      const page = await this.#source.list({ ...this.#query, start, count }, signal);
      if (signal.aborted) {
        return;
      }
      const before = fromStart ? [] : this.#listed;
      const known = new Set(before.map(({ id }) => id));
      this.#listed = [...before, ...page.tokens.filter(({ id }) => !known.has(id))];
      const reached = start + page.received;
      this.#received = reached;
      this.#total = page.total;
      // The total alone proves nothing (facts §3); a page with nothing further, or one that is not full and a total that agrees, do.
      this.#state = reached <= already || (page.received < count && reached >= page.total) ? 'whole' : 'partial';
      this.#failure = undefined;
      const listed = new Set(this.#listed.map(({ id }) => id));
      this.#created = this.#created.filter(({ id }) => !listed.has(id));
    } catch (thrown) {
      const failure = asFailure(thrown);
      if (!signal.aborted && failure.kind !== 'cancelled') {
        this.#failure = failure;
      }
    }
  }
}

/**
 * The access tokens of one connection as far as they were loaded. The listing lags behind what was just done (PROTOCOL.md §5.7): a
 * created token is shown at once and a revoked one hidden at once, until the server says the same.
 */
import { systemClock } from '../service/clock.ts';
import type { Clock } from '../service/clock.ts';
import { ServiceFailure, asFailure } from '../service/failure/failure.ts';
import type { AccessToken, ListTokens, TokenFilter, TokenPage } from '../service/tokens/tokens.ts';
import { UnlistedTokens } from './unlistedTokens.ts';

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

export class TokenList {
  readonly #source: TokenSource;
  readonly #pageSize: () => number;
  readonly #changed: () => void;
  readonly #clock: Pick<Clock, 'monotonic'>;
  #query: TokenQuery = OWN_TOKENS;
  #listed: AccessToken[] = [];
  #received = 0;
  #total = 0;
  #state: 'new' | 'loading' | 'partial' | 'whole' = 'new';
  #failure: ServiceFailure | undefined;
  #loading: { readonly done: Promise<void>; readonly stop: AbortController } | undefined;
  /** When the listing that is shown was begun, by the monotonic clock. */
  #begun = 0;
  /** Created here and not listed yet. */
  readonly #created = new UnlistedTokens();
  /** Ids that the server listed at any time. */
  readonly #everListed = new Set<string>();
  /** Revoked here: ids are never used again, so they stay hidden. */
  readonly #revoked = new Set<string>();

  /** @param changed Told after each change of what is shown. */
  constructor(source: TokenSource, pageSize: () => number, changed: () => void, clock: Pick<Clock, 'monotonic'> = systemClock) {
    this.#source = source;
    this.#pageSize = pageSize;
    this.#changed = changed;
    this.#clock = clock;
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
    const pending = this.#query.filters.length > 0 ? [] : this.#created.tokens.filter(({ id }) => !ids.has(id) && !this.#revoked.has(id));
    return [...pending, ...listed];
  }

  /** Whether the server itself ever listed it, as far as was read: only of such a token does it mean something that it is missing. */
  wasListed(tokenId: string): boolean {
    return this.#everListed.has(tokenId);
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
    this.#created.add(token, this.#clock.monotonic());
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
    const begun = fromStart ? this.#clock.monotonic() : this.#begun;
    const before = fromStart ? [] : this.#listed;
    try {
      const rows = await this.#rows(start, count, new Set(before.map(({ id }) => id)), signal);
      if (signal.aborted) {
        return;
      }
      this.#listed = [...before, ...rows.fresh];
      this.#received = Math.max(already, rows.reached);
      this.#total = rows.total;
      this.#state = rows.isEnd ? 'whole' : 'partial';
      this.#failure = undefined;
      this.#begun = begun;
      this.#settle();
    } catch (thrown) {
      const failure = asFailure(thrown);
      if (!signal.aborted && failure.kind !== 'cancelled') {
        this.#failure = failure;
      }
    }
  }

  /**
   * The rows of a page. A total proves nothing (PROTOCOL.md §5.6): where it and the page do not agree on whether there is more, and where a
   * page brings nothing new, the next one is looked at too. That is not told: should it fail, it is as if nobody had looked.
   */
  async #rows(start: number, count: number, known: ReadonlySet<string>, signal: AbortSignal): Promise<Rows> {
    const page = await this.#source.list({ ...this.#query, start, count }, signal);
    const rows = rowsOf(page, start, count, known);
    const isFull = page.received >= count;
    const claimsMore = rows.reached < page.total;
    if (rows.isEnd || (rows.isNew && isFull && claimsMore)) {
      return rows;
    }
    try {
      const next = await this.#source.list({ ...this.#query, start: rows.reached, count: this.#pageSize() }, signal);
      const more = rowsOf(next, rows.reached, this.#pageSize(), new Set([...known, ...rows.fresh.map(({ id }) => id)]));
      return { ...more, fresh: [...rows.fresh, ...more.fresh], isEnd: more.isEnd || !more.isNew };
    } catch {
      return rows;
    }
  }

  /** What was created here and is listed by now, or gone, is shown as the listing has it. */
  #settle(): void {
    for (const { id } of this.#listed) {
      this.#everListed.add(id);
    }
    const isComplete = this.#state === 'whole' && this.#query.filters.length === 0;
    this.#created.compare(new Set(this.#listed.map(({ id }) => id)), this.#everListed, isComplete ? this.#begun : undefined);
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

function rowsOf({ tokens, received, total }: TokenPage, start: number, count: number, known: ReadonlySet<string>): Rows {
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

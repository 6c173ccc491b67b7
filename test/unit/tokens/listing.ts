/** A token listing in this process, like a service: rows, pages, and an index that lags behind. */
import type { AccessToken } from '../../../src/service/tokens/accessToken.ts';
import type { TokenListFilter, AccessTokenPage } from '../../../src/service/tokens/tokenListing.ts';
import { TokenList } from '../../../src/tokens/tokenList.ts';

export type TokenPageSource = ConstructorParameters<typeof TokenList>[0];
type Request = Parameters<TokenPageSource['listTokenPage']>[0];

export function token(id: string, name = id): AccessToken {
  return { urn: `urn:li:dataHubAccessToken:${id}`, id, actorUrn: 'urn:li:corpuser:jdoe', name };
}

export function tokens(count: number): AccessToken[] {
  return Array.from({ length: count }, (_, index) => token(`t${index + 1}`));
}

export class Listing implements TokenPageSource {
  /** The content of the index. Tests change it some time after their changes. */
  rows: readonly AccessToken[];
  /** Replaces the number of rows, like servers that count deleted tokens. */
  total: number | undefined;
  readonly requests: {
    readonly start: number;
    readonly count: number;
    readonly scope: string;
    readonly filters: readonly TokenListFilter[];
  }[] = [];

  constructor(rows: readonly AccessToken[]) {
    this.rows = rows;
  }

  canCompare(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async listTokenPage({ start, count, scope, filters }: Request): Promise<AccessTokenPage> {
    this.requests.push({ start, count, scope, filters });
    const rows = this.rows.filter((row) => filters.every(({ value }) => row.name === value));
    const { total = rows.length } = this;
    const page = rows.slice(start, start + count);
    return { tokens: page, received: page.length, total };
  }
}

export const PAGE = 10;
/** This machine's clock: Unix time in ms. */
export const NOW = Date.UTC(2026, 10, 21, 12);

/** Pages of a listing with this many tokens, and the number of change events. */
export class OpenPages {
  readonly listing: Listing;
  readonly pages: TokenList;
  changes = 0;
  /** Monotonic clock, in ms. */
  now = 0;

  constructor(count: number) {
    this.listing = new Listing(tokens(count));
    this.pages = new TokenList(
      this.listing,
      () => 'expiry',
      () => this.changes++,
      { monotonic: () => this.now, now: () => NOW },
      PAGE,
    );
  }

  static async loaded(count: number): Promise<OpenPages> {
    const on = new OpenPages(count);
    await on.pages.ensureLoaded();
    return on;
  }

  get shown(): readonly string[] {
    return this.pages.tokens.map(({ id }) => id);
  }

  /** Where each requested page starts. */
  get asked(): readonly number[] {
    return this.listing.requests.map(({ start }) => start);
  }
}

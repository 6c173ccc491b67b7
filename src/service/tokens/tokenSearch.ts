/** Reads all pages, to find what became of a revocation without a clear answer (PROTOCOL.md §5.7). */
import type { AccessToken } from './accessToken.ts';
import type { TokenListingRequest, AccessTokenPage } from './tokenPage.ts';

type TokenPageReader = (request: TokenListingRequest) => Promise<AccessTokenPage>;

/** Lag of the listing's index. */
export const LAG_MILLIS = 3_000;
/** Several times the lag: a token that is still missing is gone. */
export const USUAL_LAG_MILLIS = 10_000;
const PAGE_SIZE = 100;
/** No server answers beyond row ten thousand. */
const MOST_PAGES = 100;
/** After so many pages without a readable row, every page counts as unreadable. */
const MOST_UNREADABLE_PAGES = 10;

interface TokenCollection {
  readonly tokens: readonly AccessToken[];
  /** False if the server hid the end of its listing: a missing token may still exist. */
  readonly isComplete: boolean;
}

/** @throws what `list` throws. */
export async function listAllTokens(
  list: TokenPageReader,
  scope: TokenListingRequest['scope'],
): Promise<TokenCollection> {
  const tokens = new Map<string, AccessToken>();
  let start = 0;
  let unreadable = 0;
  for (let page = 0; page < MOST_PAGES && unreadable < MOST_UNREADABLE_PAGES; page++) {
    const { tokens: listed, received } = await list({ scope, filters: [], start, count: PAGE_SIZE });
    const fresh = listed.filter(({ id }) => !tokens.has(id));
    for (const token of fresh) {
      tokens.set(token.id, token);
    }
    // The list ends with an empty page (PROTOCOL.md §5.6), or without new rows if a server ignores the offset.
    if (received === 0 || (listed.length > 0 && fresh.length === 0)) {
      return { tokens: [...tokens.values()], isComplete: received < PAGE_SIZE };
    }
    unreadable = listed.length === 0 ? unreadable + 1 : 0;
    start += received;
  }
  return { tokens: [...tokens.values()], isComplete: false };
}

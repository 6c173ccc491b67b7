/** Finds a token among the pages, to resolve a lost response to a creation or a revocation (PROTOCOL.md §5.7). */
import * as v from 'valibot';
import { STORED_IDENTIFIER } from '../server/identifiers.ts';
import { showableName, type AccessToken } from './accessToken.ts';
import type { PauseFunction } from '../http/waiting.ts';
import type { TokenListingRequest, AccessTokenPage } from './tokenListing.ts';

type TokenPageReader = (request: TokenListingRequest, signal: AbortSignal | undefined) => Promise<AccessTokenPage>;

/** A token whose creation got no response. */
export interface WantedToken {
  readonly name: string;
  /** The caller, who created the token. */
  readonly ownerUrn: string;
  /** Time of the request by this machine's clock: Unix time in ms. */
  readonly since: number;
  readonly known?: EarlierListing | undefined;
}

/** Tokens listed before the creation, which are excluded. */
export interface EarlierListing {
  readonly ids: ReadonlySet<string>;
  /** True if the list was complete: where a server lists no names, a new row is the only evidence. */
  readonly isWhole: boolean;
}

/** Lag of the listing's index. */
const LAG_MILLIS = 3_000;
/** Several times the lag: a token that is still missing is gone. */
export const USUAL_LAG_MILLIS = 10_000;
/** Possible difference between the server's clock and ours. */
const CLOCK_SKEW_MILLIS = 5 * 60_000;
const PAGE_SIZE = 100;
/** No server answers beyond row ten thousand. */
const MOST_PAGES = 100;
/** After so many pages without a readable row, every page counts as unreadable. */
const MOST_UNREADABLE_PAGES = 10;

/** Asks twice, since the listing lags. Undefined proves nothing: it may lag further, or omit fields. */
export async function findCreatedToken(
  list: TokenPageReader,
  wanted: WantedToken,
  pause: PauseFunction,
  signal: AbortSignal | undefined,
): Promise<AccessToken | undefined> {
  const scope = { kind: 'owned', ownerUrn: wanted.ownerUrn } as const;
  const found = newestMatch((await listAllTokens(list, scope, signal)).tokens, wanted);
  if (found !== undefined) {
    return found;
  }
  await pause(LAG_MILLIS, signal);
  return newestMatch((await listAllTokens(list, scope, signal)).tokens, wanted);
}

/** Finds a token by its ID; undefined if it is not listed. The listing lags. */
export async function findListedToken(
  list: TokenPageReader,
  tokenId: string,
  scope: TokenListingRequest['scope'],
  signal: AbortSignal | undefined,
): Promise<AccessToken | undefined> {
  return (await listAllTokens(list, scope, signal)).tokens.find(({ id }) => id === tokenId);
}

/**
 * Finds tokens that are gone after an unclear revocation. A listed one is gone if a complete listing lacks it.
 * One that was never listed may be too new, so two listings must lack it, each after the usual lag.
 * @param wasListed True if the server listed them before.
 */
export async function findGoneTokens(
  list: TokenPageReader,
  ids: readonly string[],
  scope: TokenListingRequest['scope'],
  wasListed: boolean,
  pause: PauseFunction,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  let missing = ids;
  for (let looks = wasListed ? 1 : 2; looks > 0 && missing.length > 0; looks--) {
    if (!wasListed) {
      await pause(USUAL_LAG_MILLIS, signal);
    }
    const { tokens, isComplete } = await listAllTokens(list, scope, signal);
    const listed = new Set(tokens.map(({ id }) => id));
    missing = isComplete ? missing.filter((id) => !listed.has(id)) : [];
  }
  return missing;
}

function newestMatch(tokens: readonly AccessToken[], { name, since, known }: WantedToken): AccessToken | undefined {
  // The result is remembered by its ID.
  const candidates = tokens.filter(({ id }) => known?.ids.has(id) !== true && v.is(STORED_IDENTIFIER, id));
  const listedName = showableName(name);
  const fitting = candidates.filter(
    (token) => token.name === listedName && (token.createdAt ?? since) >= since - CLOCK_SKEW_MILLIS,
  );
  const [newest] = fitting.toSorted((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0));
  if (newest !== undefined || known?.isWhole !== true) {
    return newest;
  }
  const nameless = candidates.filter((token) => token.name === undefined);
  return nameless.length === 1 ? nameless[0] : undefined;
}

interface TokenCollection {
  readonly tokens: readonly AccessToken[];
  /** False if the server hid the end of its listing: a missing token may still exist. */
  readonly isComplete: boolean;
}

async function listAllTokens(
  list: TokenPageReader,
  scope: TokenListingRequest['scope'],
  signal: AbortSignal | undefined,
): Promise<TokenCollection> {
  const tokens = new Map<string, AccessToken>();
  let start = 0;
  let unreadable = 0;
  for (let page = 0; page < MOST_PAGES && unreadable < MOST_UNREADABLE_PAGES; page++) {
    const { tokens: listed, received } = await list({ scope, filters: [], start, count: PAGE_SIZE }, signal);
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

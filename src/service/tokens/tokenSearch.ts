/** Looking for one token among the pages: how a lost answer to a creation or a revocation is resolved (PROTOCOL.md §5.7). */
import * as v from 'valibot';
import { STORED_IDENTIFIER } from '../server/identifiers.ts';
import { showableName, type AccessToken } from './accessToken.ts';
import type { PauseFunction } from '../http/waiting.ts';
import type { TokenListingRequest, TokenPage } from './tokenListing.ts';

type ListTokenPage = (request: TokenListingRequest, signal: AbortSignal | undefined) => Promise<TokenPage>;

/** A token whose creation was sent and never answered. */
export interface WantedToken {
  readonly name: string;
  /** The caller, who created it. */
  readonly ownerUrn: string;
  /** When the creation was sent, by this machine's clock: Unix time in ms. */
  readonly since: number;
  readonly known?: EarlierListing | undefined;
}

/** What was listed before a creation was sent: it is none of these. */
export interface EarlierListing {
  readonly ids: ReadonlySet<string>;
  /** Nothing else was there: where a server tells no names, what is new is all there is to go by. */
  readonly isWhole: boolean;
}

/** The index of the listing lags so long behind what was done. */
const LAG_MILLIS = 3_000;
/** After this long, several times as much, it is not its lag any more that a token is missing. */
export const USUAL_LAG_MILLIS = 10_000;
/** The server's clock and ours may differ by so much. */
const CLOCK_SKEW_MILLIS = 5 * 60_000;
const PAGE_SIZE = 100;
/** No server answers beyond the ten thousandth row. */
const MOST_PAGES = 100;
/** After so many pages in a row without a readable row the server is taken to answer every page like that. */
const MOST_UNREADABLE_PAGES = 10;

/** Looks twice, as the listing lags. Undefined proves nothing: the listing may lag further, or not tell enough. */
export async function findCreatedToken(
  list: ListTokenPage,
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

/** The token of an id, or undefined when it is not listed (any more; a listing lags). */
export async function findToken(
  list: ListTokenPage,
  tokenId: string,
  scope: TokenListingRequest['scope'],
  signal: AbortSignal | undefined,
): Promise<AccessToken | undefined> {
  return (await listAllTokens(list, scope, signal)).tokens.find(({ id }) => id === tokenId);
}

/**
 * Which tokens are gone, of some whose revocation was not answered as it should. One that was listed before is gone when a complete
 * listing lacks it. Of one that never was, a listing may not have heard yet: it is gone when two lack it, each after the usual lag.
 * @param wasListed Whether the server listed them before.
 */
export async function findGoneTokens(
  list: ListTokenPage,
  ids: readonly string[],
  scope: TokenListingRequest['scope'],
  wasListed: boolean,
  pause: PauseFunction,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  let missing = ids;
  for (let looks = wasListed ? 1 : 2; looks > 0 && missing.length > 0; looks--) {
    if (!wasListed) {
      // oxlint-disable-next-line no-await-in-loop -- each look is made some time after the one before
      await pause(USUAL_LAG_MILLIS, signal);
    }
    // oxlint-disable-next-line no-await-in-loop -- see above
    const { tokens, isComplete } = await listAllTokens(list, scope, signal);
    const listed = new Set(tokens.map(({ id }) => id));
    missing = isComplete ? missing.filter((id) => !listed.has(id)) : [];
  }
  return missing;
}

function newestMatch(tokens: readonly AccessToken[], { name, since, known }: WantedToken): AccessToken | undefined {
  // What is found is remembered by its ID.
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
  /** False where a server would not show the end of its listing: then what is missing may be there all the same. */
  readonly isComplete: boolean;
}

async function listAllTokens(
  list: ListTokenPage,
  scope: TokenListingRequest['scope'],
  signal: AbortSignal | undefined,
): Promise<TokenCollection> {
  const tokens = new Map<string, AccessToken>();
  let start = 0;
  let unreadable = 0;
  for (let page = 0; page < MOST_PAGES && unreadable < MOST_UNREADABLE_PAGES; page++) {
    // oxlint-disable-next-line no-await-in-loop -- where a page begins follows from the one before
    const { tokens: listed, received } = await list({ scope, filters: [], start, count: PAGE_SIZE }, signal);
    const fresh = listed.filter(({ id }) => !tokens.has(id));
    for (const token of fresh) {
      tokens.set(token.id, token);
    }
    // An empty page is the end (PROTOCOL.md §5.6); so is one that says nothing new, of a server that overlooks where a page begins.
    if (received === 0 || (listed.length > 0 && fresh.length === 0)) {
      return { tokens: [...tokens.values()], isComplete: received < PAGE_SIZE };
    }
    unreadable = listed.length === 0 ? unreadable + 1 : 0;
    start += received;
  }
  return { tokens: [...tokens.values()], isComplete: false };
}

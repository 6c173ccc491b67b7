/**
 * Reads a listing in windows of `expiresAt`: soonest first, or beyond the server's result window (PROTOCOL.md
 * §5.6). Each window has whole milliseconds, so tokens with one date are never split between two.
 */
import type { AccessToken } from '../service/tokens/accessToken.ts';
import type { AccessTokenPage, FilterCondition, TokenListFilter } from '../service/tokens/tokenListing.ts';

/** Rows that a search cluster lists by offset, by default. */
export const RESULT_WINDOW = 10_000;
/** A window may hold this many times the rows asked for. A larger one is split. */
const MOST_TIMES = 4;
/** Growth of a window that brought few rows. */
const GROWTH = 4;

/** Where reading goes on. Times are Unix time in ms. */
export type WindowPosition =
  /** Ascending from `from`. Without a width, the window has no end. `latest`: the last date seen. */
  | { readonly part: 'upcoming'; readonly from: number; readonly width?: number; readonly latest?: number }
  /** Descending below `bound`, as the server sorts. */
  | { readonly part: 'before'; readonly bound: number; readonly start: number; readonly after: 'never' | 'end' }
  | { readonly part: 'never'; readonly start: number; readonly after: 'before' | 'end' };

export type WindowReader = (
  filters: readonly TokenListFilter[],
  start: number,
  count: number,
) => Promise<AccessTokenPage>;

export interface TokenWindow {
  /** May include known tokens. */
  readonly tokens: readonly AccessToken[];
  /** Undefined at the end. */
  readonly next: WindowPosition | undefined;
  readonly neverGap?: NeverGap | undefined;
}

/**
 * Why tokens that never expire may be missing. `ignored`: the server doesn't filter by that. `unproven`: its answer
 * was empty, so there may be none. `cut`: there are more than it lists by offset.
 */
export type NeverGap = 'ignored' | 'unproven' | 'cut';

/** Continues a plain listing that reached the result window. Undefined if its rows don't show where. */
export function positionAfter(tokens: readonly AccessToken[]): WindowPosition | undefined {
  const last = tokens.at(-1)?.expiresAt;
  if (last === undefined) {
    return undefined;
  }
  return last === null
    ? { part: 'never', start: 0, after: 'end' }
    : { part: 'before', bound: last + 1, start: 0, after: 'never' };
}

/**
 * Reads one window.
 * @param count Rows asked for; a window of the soonest may bring some more.
 * @param known Tokens that earlier windows brought.
 * @param now Divides upcoming from expired: the same for all windows of a listing.
 */
export function readWindow(
  position: WindowPosition,
  count: number,
  known: readonly AccessToken[],
  now: number,
  read: WindowReader,
): Promise<TokenWindow> {
  switch (position.part) {
    case 'upcoming':
      return readUpcoming(position, count, now, read);
    case 'before':
      return readBefore(position, count, known, now, read);
    case 'never':
      return readNever(position, count, known, now, read);
  }
}

/** Where reading goes on after a part. @param now As in `readWindow`. */
function nextPart(position: WindowPosition, now: number): WindowPosition | undefined {
  switch (position.part) {
    case 'upcoming':
      return { part: 'never', start: 0, after: 'before' };
    case 'before':
      return position.after === 'never' ? { part: 'never', start: 0, after: 'end' } : undefined;
    case 'never':
      return position.after === 'before' ? { part: 'before', bound: now, start: 0, after: 'end' } : undefined;
  }
}

/** Skips parts in which no token can meet the filters. @param now As in `readWindow`. */
export function skipEmptyParts(
  position: WindowPosition | undefined,
  filters: readonly TokenListFilter[],
  now: number,
): WindowPosition | undefined {
  return position !== undefined && filters.some((filter) => excludesPart(filter, position))
    ? skipEmptyParts(nextPart(position, now), filters, now)
    : position;
}

function excludesPart({ field, value, condition }: TokenListFilter, position: WindowPosition): boolean {
  if (field !== 'expiresAt') {
    return false;
  }
  switch (position.part) {
    case 'upcoming':
      return condition === 'LESS_THAN' && Number(value) <= position.from;
    case 'before':
      return condition === 'GREATER_THAN' && Number(value) >= position.bound - 1;
    case 'never':
      return condition !== 'ABSENT';
  }
}

/** All tokens that expire from now until then were read: Unix time in ms. 0 if the soonest weren't read first. */
export function upcomingReadUntil(position: WindowPosition): number {
  switch (position.part) {
    case 'upcoming':
      return position.from;
    case 'before':
      return position.after === 'end' ? Infinity : 0;
    case 'never':
      return position.after === 'before' ? Infinity : 0;
  }
}

/** Goes on where the server refuses to list those that never expire, or more of them. Undefined for other failures. */
export function afterRefusal(position: WindowPosition, now: number): TokenWindow | undefined {
  if (position.part !== 'never' || (position.start > 0 && position.start < RESULT_WINDOW)) {
    return undefined;
  }
  return { tokens: [], next: nextPart(position, now), neverGap: position.start === 0 ? 'ignored' : 'cut' };
}

/** A response is the last one if it is empty, or short with a matching total: a total proves nothing. */
export function isLastPage({ received, total }: AccessTokenPage, start: number, count: number): boolean {
  return received === 0 || (received < count && start + received >= total);
}

async function readUpcoming(
  position: WindowPosition & { part: 'upcoming' },
  count: number,
  now: number,
  read: WindowReader,
): Promise<TokenWindow> {
  const { from, width } = position;
  let { latest } = position;
  const isOpen = width === undefined || (latest !== undefined && from + width > latest);
  for (let end = isOpen ? undefined : from + width; ;) {
    const filters = [expiry('GREATER_THAN', from - 1), ...(end === undefined ? [] : [expiry('LESS_THAN', end)])];
    const page = await read(filters, 0, count);
    const dates = page.tokens.flatMap(({ expiresAt }) => expiresAt ?? []);
    const until = end ?? Math.max(from, ...dates) + 1;
    const span = until - from;
    const isLarge = !isLastPage(page, 0, count) && page.total > MOST_TIMES * count;
    if (!isLarge || span <= 1 || dates.length === 0) {
      const tokens = await readToEnd(page, filters, count, read);
      const grown = tokens.length < count ? span * GROWTH : span;
      const next: WindowPosition | undefined =
        end === undefined && (!isLarge || span > 1)
          ? nextPart(position, now)
          : { part: 'upcoming', from: until, width: grown, latest: latest ?? until };
      return { tokens, next };
    }
    latest ??= until;
    end = from + Math.max(1, Math.floor((span * count) / page.total));
  }
}

async function readToEnd(
  first: AccessTokenPage,
  filters: readonly TokenListFilter[],
  count: number,
  read: WindowReader,
): Promise<readonly AccessToken[]> {
  const tokens = [...first.tokens];
  let reached = first.received;
  for (let page = first, start = 0, asked = count; !isLastPage(page, start, asked); reached += page.received) {
    start = reached;
    asked = Math.max(count, Math.min(page.total - reached, MOST_TIMES * count));
    page = await read(filters, start, asked);
    tokens.push(...page.tokens);
  }
  return tokens;
}

async function readBefore(
  position: WindowPosition & { part: 'before' },
  count: number,
  known: readonly AccessToken[],
  now: number,
  read: WindowReader,
): Promise<TokenWindow> {
  const { bound, start } = position;
  // The first page has those of the last date again.
  const again = start > 0 ? 0 : known.filter(({ expiresAt }) => expiresAt === bound - 1).length;
  const asked = count + again;
  const page = await read([expiry('LESS_THAN', bound)], start, asked);
  if (isLastPage(page, start, asked)) {
    return { tokens: page.tokens, next: nextPart(position, now) };
  }
  const reached = start + page.received;
  const last = page.tokens.at(-1)?.expiresAt ?? bound;
  const next: WindowPosition =
    reached + count > RESULT_WINDOW && last + 1 < bound
      ? { ...position, bound: last + 1, start: 0 }
      : { ...position, start: reached };
  return { tokens: page.tokens, next };
}

async function readNever(
  position: WindowPosition & { part: 'never' },
  count: number,
  known: readonly AccessToken[],
  now: number,
  read: WindowReader,
): Promise<TokenWindow> {
  const { start } = position;
  const following = nextPart(position, now);
  const again = start > 0 ? 0 : known.filter(({ expiresAt }) => expiresAt === null).length;
  // Some servers list more than the result window, so ask beyond it too, but never across.
  const asked = start < RESULT_WINDOW ? Math.min(count + again, RESULT_WINDOW - start) : count;
  const page = await read([NEVER_EXPIRES], start, asked);
  const isEmpty = start === 0 && page.received === 0;
  if (page.tokens.some(({ expiresAt }) => expiresAt !== null) || (isEmpty && again > 0)) {
    return { tokens: [], next: following, neverGap: 'ignored' };
  }
  return {
    tokens: page.tokens,
    next: isLastPage(page, start, asked) ? following : { ...position, start: start + page.received },
    neverGap: isEmpty ? 'unproven' : undefined,
  };
}

export const NEVER_EXPIRES: TokenListFilter = { field: 'expiresAt', value: '', condition: 'ABSENT' };

function expiry(condition: FilterCondition, time: number): TokenListFilter {
  return { field: 'expiresAt', value: String(time), condition };
}

/** Soonest to expire first, then those that never do. Expired ones are last, since they no longer work. */
export function soonestFirst(now: number): (a: AccessToken, b: AccessToken) => number {
  const rank = ({ expiresAt }: AccessToken): readonly [number, number] => {
    if (typeof expiresAt !== 'number') {
      return [1, 0];
    }
    return expiresAt >= now ? [0, expiresAt] : [2, -expiresAt];
  };
  return (a, b) => {
    const [first, second] = [rank(a), rank(b)];
    return first[0] - second[0] || first[1] - second[1];
  };
}

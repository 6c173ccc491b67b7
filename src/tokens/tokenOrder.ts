/** In which order tokens are shown. Servers list the last to expire first (PROTOCOL.md §5.6), so tokens are arranged here. Pure. */
import type { AccessToken } from '../service/tokens/accessToken.ts';
import { language } from '../language.ts';
import { expiryState } from './expiry.ts';

/** `expiry`: soonest first, then those that never expire. `created`: newest first. */
export type TokenListOrder = 'expiry' | 'name' | 'created';

type Comparison = (a: AccessToken, b: AccessToken) => number;

/** Expired tokens come last in any order. @param now Unix time in ms. */
export function inOrder(tokens: readonly AccessToken[], order: TokenListOrder, now: number): readonly AccessToken[] {
  // Slow to create, and few lists need it.
  let compare: Intl.Collator['compare'] | undefined;
  const byName: Comparison = (a, b) => {
    compare ??= new Intl.Collator(language(), { numeric: true }).compare;
    return compare(a.name ?? a.id, b.name ?? b.id);
  };
  const first = FIRST[order];
  const [working, expired] = splitExpired(tokens, now);
  return [
    ...working.toSorted((a, b) => first(a, b) || byName(a, b)),
    ...expired.toSorted((a, b) => (order === 'expiry' ? first(b, a) : first(a, b)) || byName(a, b)),
  ];
}

/** Keeps the order. @param now Unix time in ms. */
export function splitExpired(
  tokens: readonly AccessToken[],
  now: number,
): readonly [working: readonly AccessToken[], expired: readonly AccessToken[]] {
  const isExpired = ({ expiresAt }: AccessToken): boolean => expiryState(expiresAt, now) === 'expired';
  return [tokens.filter((token) => !isExpired(token)), tokens.filter(isExpired)];
}

/** Names decide where these don't. */
const FIRST: Readonly<Record<TokenListOrder, Comparison>> = {
  expiry: (a, b) => compareNumbers(a.expiresAt ?? Infinity, b.expiresAt ?? Infinity),
  name: () => 0,
  created: (a, b) => compareNumbers(b.createdAt ?? 0, a.createdAt ?? 0),
};

/** Also of infinite ones, whose difference is none. */
function compareNumbers(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

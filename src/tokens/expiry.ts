/** Expiry of tokens, as shown. Times are Unix time in ms. Pure. */
import * as l10n from '@vscode/l10n';
import { soonMillis } from '../service/tokens/expiresSoon.ts';
import { MILLIS_PER_DAY, MILLIS_PER_HOUR, MILLIS_PER_MINUTE } from '../time.ts';
import { formatsOf, type TimeUnit } from '../ui/formats.ts';

/** `null`: never; `undefined`: not reported. */
export type TokenExpiry = number | null | undefined;
type TokenExpiryState = 'valid' | 'soon' | 'expired' | 'never' | 'unknown';

/** @param createdAt Undefined if unknown. */
export function expiryState(expiresAt: TokenExpiry, now: number, createdAt?: number): TokenExpiryState {
  if (expiresAt === undefined) {
    return 'unknown';
  }
  if (expiresAt === null) {
    return 'never';
  }
  if (expiresAt <= now) {
    return 'expired';
  }
  const life = createdAt === undefined ? undefined : expiresAt - createdAt;
  return expiresAt - now <= soonMillis(life) ? 'soon' : 'valid';
}

/** "expires in 3 days", "expired 2 hours ago", "never expires"; empty if unknown. */
export function tokenExpiryText(expiresAt: TokenExpiry, now: number, locale: string): string {
  switch (expiryState(expiresAt, now)) {
    case 'unknown':
      return '';
    case 'never':
      return l10n.t('never expires');
    case 'expired':
      return l10n.t('expired {0}', relativeTime((expiresAt ?? now) - now, locale));
    case 'soon':
    case 'valid':
      return l10n.t('expires {0}', relativeTime((expiresAt ?? now) - now, locale));
  }
}

/** For narrow rows: "in 3 days", "2 hours ago", "never"; empty if unknown. */
export function shortExpiry(expiresAt: TokenExpiry, now: number, locale: string): string {
  if (typeof expiresAt === 'number') {
    return relativeTime(expiresAt - now, locale);
  }
  return expiresAt === null ? l10n.t('never') : '';
}

/** "in 3 days", "2 hours ago". */
export function relativeTime(millis: number, locale: string): string {
  const [count, unit] = largestWholeUnit(Math.abs(millis));
  return formatsOf(locale).relative(millis > 0 ? count : -count, unit);
}

/** The largest unit that fits. Allows a minute, so a new 30-day token doesn't read "29 days", and a day in months. */
function largestWholeUnit(millis: number): [count: number, unit: TimeUnit] {
  const size = millis + MILLIS_PER_MINUTE;
  if (size >= 365 * MILLIS_PER_DAY) {
    return [Math.floor(size / (365 * MILLIS_PER_DAY)), 'year'];
  }
  if (size >= 90 * MILLIS_PER_DAY) {
    return [Math.floor((size + MILLIS_PER_DAY) / (30 * MILLIS_PER_DAY)), 'month'];
  }
  if (size >= MILLIS_PER_DAY) {
    return [Math.floor(size / MILLIS_PER_DAY), 'day'];
  }
  return size >= MILLIS_PER_HOUR
    ? [Math.floor(size / MILLIS_PER_HOUR), 'hour']
    : [Math.floor(size / MILLIS_PER_MINUTE), 'minute'];
}

/** When a token ends, in the words of people. Pure: times are Unix time in ms. */
import * as l10n from '@vscode/l10n';
import { DURATION_MILLIS, millisOf } from '../service/server/durations.ts';
import type { IsoDuration, TokenDuration } from '../service/server/durations.ts';
import { formatsOf } from '../ui/formats.ts';
import type { TimeUnit } from '../ui/formats.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A token that ends within this time deserves attention. */
const SOON_MILLIS = 7 * DAY;

/** `null`: never; `undefined`: the server does not tell. */
export type Expiry = number | null | undefined;
type ExpiryState = 'valid' | 'soon' | 'expired' | 'never' | 'unknown';

export function expiryState(expiresAt: Expiry, now: number): ExpiryState {
  if (expiresAt === undefined) {
    return 'unknown';
  }
  if (expiresAt === null) {
    return 'never';
  }
  if (expiresAt <= now) {
    return 'expired';
  }
  return expiresAt - now <= SOON_MILLIS ? 'soon' : 'valid';
}

/** "expires in 3 days", "expired 2 hours ago", "never expires"; empty when it is not known. */
export function expiryText(expiresAt: Expiry, now: number, locale: string): string {
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

/** The same in a few characters, for a narrow row: "3 days", "expired", "no expiry"; empty when it is not known. */
export function shortExpiry(expiresAt: Expiry, now: number, locale: string): string {
  switch (expiryState(expiresAt, now)) {
    case 'unknown':
      return '';
    case 'never':
      return l10n.t('no expiry');
    case 'expired':
      return l10n.t('expired');
    case 'soon':
    case 'valid':
      return formatsOf(locale).duration(...wholeUnits((expiresAt ?? now) - now));
  }
}

/** "in 3 days", "2 hours ago". */
export function relativeTime(millis: number, locale: string): string {
  const [count, unit] = wholeUnits(Math.abs(millis));
  return formatsOf(locale).relative(millis > 0 ? count : -count, unit);
}

/**
 * Whole units of the largest that fits. A minute is given away, so that a token made for 30 days does not read "29 days" a moment
 * later.
 */
function wholeUnits(millis: number): [count: number, unit: TimeUnit] {
  const size = millis + MINUTE;
  if (size >= 365 * DAY) {
    return [Math.floor(size / (365 * DAY)), 'year'];
  }
  if (size >= 60 * DAY) {
    return [Math.floor(size / (30 * DAY)), 'month'];
  }
  if (size >= DAY) {
    return [Math.floor(size / DAY), 'day'];
  }
  return size >= HOUR ? [Math.floor(size / HOUR), 'hour'] : [Math.floor(size / MINUTE), 'minute'];
}

/** When a token made now would end; null: never. */
export function endOf(duration: TokenDuration | IsoDuration, now: number): number | null {
  const millis = millisOf(duration) ?? null;
  return millis === null ? null : now + millis;
}

/** The duration that comes closest to how long a token was made for: what a rotation proposes. */
export function closestDuration(createdAt: number | undefined, expiresAt: Expiry): TokenDuration {
  if (expiresAt === null) {
    return 'NO_EXPIRY';
  }
  if (createdAt === undefined || expiresAt === undefined) {
    return 'ONE_MONTH';
  }
  const length = expiresAt - createdAt;
  const distance = (millis: number | null): number =>
    millis === null ? Number.POSITIVE_INFINITY : Math.abs(millis - length);
  const entries = Object.entries(DURATION_MILLIS) as [TokenDuration, number | null][];
  return entries.reduce((best, entry) => (distance(entry[1]) < distance(best[1]) ? entry : best))[0];
}

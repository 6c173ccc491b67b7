/** Expiry of tokens, as shown. Times are Unix time in ms. Pure. */
import * as l10n from '@vscode/l10n';
import { soonMillis } from '../service/tokens/expiresSoon.ts';
import { formatsOf } from '../ui/formats.ts';

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
      return l10n.t('expired {0}', formatsOf(locale).distance(expiresAt ?? now, now));
    case 'soon':
    case 'valid':
      return l10n.t('expires {0}', formatsOf(locale).distance(expiresAt ?? now, now));
  }
}

/** For narrow rows: "in 3 days", "2 hours ago", "never"; empty if unknown. */
export function shortExpiry(expiresAt: TokenExpiry, now: number, locale: string): string {
  if (typeof expiresAt === 'number') {
    return formatsOf(locale).distance(expiresAt, now);
  }
  return expiresAt === null ? l10n.t('never') : '';
}

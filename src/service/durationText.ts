/** A token's length in the words of people. */
import { DURATION_MILLIS } from './server/durations.ts';
import type { IsoDuration, TokenDuration } from './server/durations.ts';
import { isoMillis } from './isoDuration.ts';
import * as l10n from '@vscode/l10n';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function durationName(duration: TokenDuration | IsoDuration): string {
  return typeof duration === 'string' ? NAMES[duration]() : lengthName(isoMillis(duration.iso) ?? 0);
}

/** A length in ms: "45 days", "1 day 12 hours"; one that has a name of its own by that name. */
export function lengthName(millis: number): string {
  const named = Object.entries(DURATION_MILLIS).find(([, length]) => length === millis);
  if (named !== undefined) {
    return NAMES[named[0] as TokenDuration]();
  }
  const parts = [
    [Math.floor(millis / DAY), l10n.t('1 day'), (count: number) => l10n.t('{0} days', count)],
    [Math.floor((millis % DAY) / HOUR), l10n.t('1 hour'), (count: number) => l10n.t('{0} hours', count)],
    [Math.floor((millis % HOUR) / MINUTE), l10n.t('1 minute'), (count: number) => l10n.t('{0} minutes', count)],
    [(millis % MINUTE) / SECOND, l10n.t('1 second'), (count: number) => l10n.t('{0} seconds', count)],
  ] as const;
  return parts.flatMap(([count, one, many]) => (count === 0 ? [] : [count === 1 ? one : many(count)])).join(' ');
}

const NAMES: Readonly<Record<TokenDuration, () => string>> = {
  ONE_HOUR: () => l10n.t('1 hour'),
  ONE_DAY: () => l10n.t('1 day'),
  ONE_WEEK: () => l10n.t('1 week'),
  ONE_MONTH: () => l10n.t('1 month (30 days)'),
  THREE_MONTHS: () => l10n.t('3 months (90 days)'),
  SIX_MONTHS: () => l10n.t('6 months (180 days)'),
  ONE_YEAR: () => l10n.t('1 year (365 days)'),
  NO_EXPIRY: () => l10n.t('No expiry'),
};

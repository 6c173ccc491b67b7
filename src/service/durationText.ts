/** A token's length in the words of people. */
import { DURATION_MILLIS } from './server/durations.ts';
import type { IsoDuration, TokenDuration } from './server/durations.ts';
import { isoMillis } from './isoDuration.ts';
import { language } from '../language.ts';
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
    [Math.floor(millis / DAY), 'day'],
    [Math.floor((millis % DAY) / HOUR), 'hour'],
    [Math.floor((millis % HOUR) / MINUTE), 'minute'],
    [(millis % MINUTE) / SECOND, 'second'],
  ] as const;
  const list = new Intl.ListFormat(language(), { type: 'unit', style: 'narrow' });
  return list.format(parts.flatMap(([count, unit]) => (count === 0 ? [] : [counted(count, unit)])));
}

function counted(count: number, unit: string): string {
  return new Intl.NumberFormat(language(), { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

const NAMES: Readonly<Record<TokenDuration, () => string>> = {
  ONE_HOUR: () => counted(1, 'hour'),
  ONE_DAY: () => counted(1, 'day'),
  ONE_WEEK: () => counted(1, 'week'),
  ONE_MONTH: () => l10n.t('1 month (30 days)'),
  THREE_MONTHS: () => l10n.t('3 months (90 days)'),
  SIX_MONTHS: () => l10n.t('6 months (180 days)'),
  ONE_YEAR: () => l10n.t('1 year (365 days)'),
  NO_EXPIRY: () => l10n.t('No expiry'),
};

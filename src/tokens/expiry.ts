/** When a token ends, in the words of people. Pure: times are Unix time in ms. */
import * as l10n from '@vscode/l10n';
import {
  DURATION_MILLIS,
  durationMillis,
  parseIsoDuration,
  formatIsoDuration,
  type IsoDuration,
  type TokenDuration,
} from '../service/tokens/durations.ts';
import { MILLIS_PER_DAY, MILLIS_PER_HOUR, MILLIS_PER_MINUTE } from '../time.ts';
import { formatsOf, type TimeUnit } from '../ui/formats.ts';
import { language } from '../language.ts';

/** A token that ends within this time deserves attention. */
const SOON_MILLIS = 7 * MILLIS_PER_DAY;

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
  const size = millis + MILLIS_PER_MINUTE;
  if (size >= 365 * MILLIS_PER_DAY) {
    return [Math.floor(size / (365 * MILLIS_PER_DAY)), 'year'];
  }
  if (size >= 60 * MILLIS_PER_DAY) {
    return [Math.floor(size / (30 * MILLIS_PER_DAY)), 'month'];
  }
  if (size >= MILLIS_PER_DAY) {
    return [Math.floor(size / MILLIS_PER_DAY), 'day'];
  }
  return size >= MILLIS_PER_HOUR
    ? [Math.floor(size / MILLIS_PER_HOUR), 'hour']
    : [Math.floor(size / MILLIS_PER_MINUTE), 'minute'];
}

/** When a token made now would end; null: never. */
export function endOf(duration: TokenDuration | IsoDuration, now: number): number | null {
  const millis = durationMillis(duration) ?? null;
  return millis === null ? null : now + millis;
}

/**
 * The duration that comes closest to how long a token was made for: what a rotation proposes.
 * @param offered What the server takes.
 */
export function closestDuration(
  createdAt: number | undefined,
  expiresAt: Expiry,
  offered: readonly (TokenDuration | IsoDuration)[],
): TokenDuration | IsoDuration {
  const wanted =
    expiresAt === null
      ? Number.POSITIVE_INFINITY
      : createdAt === undefined || expiresAt === undefined
        ? (DURATION_MILLIS.ONE_MONTH ?? 0)
        : expiresAt - createdAt;
  const distance = (duration: TokenDuration | IsoDuration): number => {
    const length = durationMillis(duration) ?? Number.POSITIVE_INFINITY;
    // Where everything has an end, the longest comes closest to none.
    return wanted === Number.POSITIVE_INFINITY ? -length : Math.abs(length - wanted);
  };
  return offered.reduce((best, one) => (distance(one) < distance(best) ? one : best), offered[0] ?? 'ONE_MONTH');
}

interface Unit {
  /** As Intl calls it. */
  readonly name: string;
  readonly english: RegExp;
  readonly iso: (count: string) => string;
}

/** A bare "m" could be minutes or months, and is neither. */
const UNITS: readonly Unit[] = [
  { name: 'hour', english: /^h(?:ours?|rs?)?$/, iso: (count) => `PT${count}H` },
  { name: 'day', english: /^(?:d(?:ays?)?)?$/, iso: (count) => `P${count}D` },
  { name: 'week', english: /^w(?:eeks?|ks?)?$/, iso: (count) => `P${count}W` },
  { name: 'month', english: /^mo(?:nths?)?$/, iso: (count) => `P${count}M` },
  { name: 'year', english: /^y(?:ears?|rs?)?$/, iso: (count) => `P${count}Y` },
];

/** The length, in days, hours, minutes and seconds, which every server understands alike; undefined when the text is none. */
export function typedLength(text: string): IsoDuration | undefined {
  const [, count = '', typed = ''] = /^0*(\d{1,5})\s*([\p{L}\p{M}]*)$/u.exec(text.trim().toLowerCase()) ?? [];
  const unit = UNITS.find(({ name, english }) => english.test(typed) || isCalled(name, typed));
  const millis =
    parseIsoDuration(text) ?? (count === '' || unit === undefined ? undefined : parseIsoDuration(unit.iso(count)));
  return millis === undefined ? undefined : { iso: formatIsoDuration(millis) };
}

/** Whether the display language calls the unit so, of one or of several. */
function isCalled(unit: string, typed: string): boolean {
  const long = new Intl.NumberFormat(language(), { style: 'unit', unit, unitDisplay: 'long' });
  return [1, 2].some((count) =>
    long.formatToParts(count).some((part) => part.type === 'unit' && part.value.trim().toLowerCase() === typed),
  );
}

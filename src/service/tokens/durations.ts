/** Durations of access tokens: the enum and its names (PROTOCOL.md §5.3), and refusals of one (§5.4). */
import * as l10n from '@vscode/l10n';
import { language } from '../../language.ts';
import { MILLIS_PER_DAY, MILLIS_PER_HOUR } from '../../time.ts';

/** Values of the duration enum, shortest first: their real lengths in ms, null for no end, and their names. */
const NAMED = {
  ONE_HOUR: { millis: MILLIS_PER_HOUR, name: () => describeUnit('hour') },
  ONE_DAY: { millis: MILLIS_PER_DAY, name: () => describeUnit('day') },
  ONE_WEEK: { millis: 7 * MILLIS_PER_DAY, name: () => describeUnit('week') },
  ONE_MONTH: { millis: 30 * MILLIS_PER_DAY, name: () => l10n.t('1 month (30 days)') },
  THREE_MONTHS: { millis: 90 * MILLIS_PER_DAY, name: () => l10n.t('3 months (90 days)') },
  SIX_MONTHS: { millis: 180 * MILLIS_PER_DAY, name: () => l10n.t('6 months (180 days)') },
  ONE_YEAR: { millis: 365 * MILLIS_PER_DAY, name: () => l10n.t('1 year (365 days)') },
  NO_EXPIRY: { millis: null, name: () => l10n.t('No expiry') },
} as const;
export type TokenDuration = keyof typeof NAMED;
export const DURATIONS = Object.keys(NAMED) as readonly TokenDuration[];

export function durationName(duration: TokenDuration): string {
  return NAMED[duration].name();
}

function describeUnit(unit: string): string {
  return new Intl.NumberFormat(language(), { style: 'unit', unit, unitDisplay: 'long' }).format(1);
}

const ABOUT_DURATION = new RegExp(
  'no expiry is disabled|never-expiring access tokens .*cannot be created|unrecognized access token duration|' +
    `access token duration .* (?:is not allowed|could not be mapped)|enum '?"?AccessTokenDuration`,
  'i',
);

/** True for the refusal of a duration, in any of its wordings. */
export function isDurationRefusal(text: string): boolean {
  return ABOUT_DURATION.test(text);
}

/** Expiry of a token created now; null: never. */
export function endOfDuration(duration: TokenDuration, now: number): number | null {
  const { millis } = NAMED[duration];
  return millis === null ? null : now + millis;
}

/**
 * The offered duration closest to the old token's lifetime, for a rotation.
 * @param expiresAt Null: never. Undefined: not reported, as for `createdAt`.
 * @param offered Durations that the server accepts.
 */
export function closestDuration(
  createdAt: number | undefined,
  expiresAt: number | null | undefined,
  offered: readonly TokenDuration[],
): TokenDuration {
  const wanted =
    expiresAt === null
      ? Number.POSITIVE_INFINITY
      : createdAt === undefined || expiresAt === undefined
        ? NAMED.ONE_MONTH.millis
        : expiresAt - createdAt;
  const distanceToWanted = (duration: TokenDuration): number => {
    const length = NAMED[duration].millis ?? Number.POSITIVE_INFINITY;
    // If every duration ends, the longest is closest to "never".
    return wanted === Number.POSITIVE_INFINITY ? -length : Math.abs(length - wanted);
  };
  return offered.reduce(
    (best, one) => (distanceToWanted(one) < distanceToWanted(best) ? one : best),
    offered[0] ?? 'ONE_MONTH',
  );
}

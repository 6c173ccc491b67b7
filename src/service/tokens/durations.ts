/** Durations of access tokens: the enum, ISO 8601, their names (PROTOCOL.md §5.3), and those that a server allows (§5.4). */
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import { language } from '../../language.ts';
import { MILLIS_PER_DAY, MILLIS_PER_HOUR, MILLIS_PER_MINUTE, MILLIS_PER_SECOND } from '../../time.ts';
import type { ServerOperation } from '../failure/failure.ts';
import { documentFor } from '../http/documentFor.ts';
import { type GraphQLEndpoint, undefinedIfAboutRequest } from '../http/graphql.ts';

/** Values of the duration enum, shortest first: their real lengths in ms, null for no end, and their names. */
const NAMED = {
  ONE_HOUR: { millis: MILLIS_PER_HOUR, name: () => describeUnit(1, 'hour') },
  ONE_DAY: { millis: MILLIS_PER_DAY, name: () => describeUnit(1, 'day') },
  ONE_WEEK: { millis: 7 * MILLIS_PER_DAY, name: () => describeUnit(1, 'week') },
  ONE_MONTH: { millis: 30 * MILLIS_PER_DAY, name: () => l10n.t('1 month (30 days)') },
  THREE_MONTHS: { millis: 90 * MILLIS_PER_DAY, name: () => l10n.t('3 months (90 days)') },
  SIX_MONTHS: { millis: 180 * MILLIS_PER_DAY, name: () => l10n.t('6 months (180 days)') },
  ONE_YEAR: { millis: 365 * MILLIS_PER_DAY, name: () => l10n.t('1 year (365 days)') },
  NO_EXPIRY: { millis: null, name: () => l10n.t('No expiry') },
} as const;
export type TokenDuration = keyof typeof NAMED;
export const DURATIONS = Object.keys(NAMED) as readonly TokenDuration[];

/** Any other length in ISO 8601 (`P45D`), for servers with `durationIso`. */
export interface IsoTokenDuration {
  readonly iso: string;
}

/** In ms; null: never expires; undefined: invalid. */
export function durationMillis(duration: TokenDuration | IsoTokenDuration): number | null | undefined {
  return typeof duration === 'string' ? NAMED[duration].millis : parseIsoDuration(duration.iso);
}

/** A year has 365 days and a month 30, as servers count. */
const PART_MILLIS = [
  365 * MILLIS_PER_DAY,
  30 * MILLIS_PER_DAY,
  7 * MILLIS_PER_DAY,
  MILLIS_PER_DAY,
  MILLIS_PER_HOUR,
  MILLIS_PER_MINUTE,
  MILLIS_PER_SECOND,
] as const;
const ISO_LENGTH = new RegExp(
  String.raw`^P(?!$)(?:(\d{1,5})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,5})D)?` +
    String.raw`(?:T(?!$)(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,8}(?:\.\d{1,9})?)S)?)?$`,
);

/** 273 years. Anything longer is a typo, and soon no valid date. */
const LONGEST_MILLIS = 99_999 * MILLIS_PER_DAY;

/** Length in ms; undefined if invalid, zero or absurdly long. */
function parseIsoDuration(iso: string): number | undefined {
  const match = ISO_LENGTH.exec(iso);
  if (match === null) {
    return undefined;
  }
  const millis = Math.round(PART_MILLIS.reduce((sum, part, index) => sum + Number(match[index + 1] ?? 0) * part, 0));
  return millis > 0 && millis <= LONGEST_MILLIS ? millis : undefined;
}

export function durationName(duration: TokenDuration | IsoTokenDuration): string {
  return typeof duration === 'string' ? NAMED[duration].name() : describeLength(parseIsoDuration(duration.iso) ?? 0);
}

/** Describes a length in ms: "45 days", "1 day 12 hours", or by the name of its enum value. */
function describeLength(millis: number): string {
  const named = Object.values(NAMED).find((one) => one.millis === millis);
  if (named !== undefined) {
    return named.name();
  }
  const parts = [
    [Math.floor(millis / MILLIS_PER_DAY), 'day'],
    [Math.floor((millis % MILLIS_PER_DAY) / MILLIS_PER_HOUR), 'hour'],
    [Math.floor((millis % MILLIS_PER_HOUR) / MILLIS_PER_MINUTE), 'minute'],
    [(millis % MILLIS_PER_MINUTE) / MILLIS_PER_SECOND, 'second'],
  ] as const;
  const list = new Intl.ListFormat(language(), { type: 'unit', style: 'narrow' });
  return list.format(parts.flatMap(([count, unit]) => (count === 0 ? [] : [describeUnit(count, unit)])));
}

function describeUnit(count: number, unit: string): string {
  return new Intl.NumberFormat(language(), { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

/** Allowed durations. Servers compare lengths in milliseconds, and so does this. */
export interface DurationPolicy {
  /** Undefined if unknown. */
  readonly allowsNoExpiry: boolean | undefined;
  /** Allowed lengths, as the server writes them; undefined if unknown. */
  readonly lengths: readonly IsoTokenDuration[] | undefined;
}

const READ_POLICY: ServerOperation = {
  name: 'appConfig',
  actionPhrase: () => l10n.t('read the rules for token durations'),
};

const POLICY_DOCUMENT = documentFor('query', 'appConfig', {
  fields: ['authConfig { allowNoExpiry allowedAccessTokenDurations }'],
});

const POLICY_DATA = v.object({
  authConfig: v.object({
    allowNoExpiry: v.fallback(v.nullish(v.boolean()), undefined),
    allowedAccessTokenDurations: v.fallback(v.nullish(v.custom<unknown[]>(Array.isArray)), undefined),
  }),
});

/**
 * Undefined if the server does not say after all.
 * @throws ServiceFailure if the server can't be reached or rejects the credential.
 */
export async function askDurationPolicy(graphql: GraphQLEndpoint): Promise<DurationPolicy | undefined> {
  const data = await graphql.runQuery(READ_POLICY, POLICY_DOCUMENT, {}).catch(undefinedIfAboutRequest);
  const parsed = v.safeParse(POLICY_DATA, data?.['appConfig']);
  if (!parsed.success) {
    return undefined;
  }
  const { allowNoExpiry, allowedAccessTokenDurations } = parsed.output.authConfig;
  const lengths = parseLengths(allowedAccessTokenDurations ?? []);
  // A server without any allowed length creates no tokens, so an empty or unknown list means nothing.
  return { allowsNoExpiry: allowNoExpiry ?? undefined, lengths: lengths.length === 0 ? undefined : lengths };
}

/**
 * Durations to offer, shortest first and "never" last.
 * @param durations Values of the enum in the server's schema.
 * @param takesIso True if the server takes other lengths.
 * @param createsWeeks Undefined if the server's release is unknown.
 * @param policy Undefined if the server does not say.
 */
export function offeredDurations(
  durations: readonly TokenDuration[],
  takesIso: boolean,
  createsWeeks: boolean | undefined,
  policy?: DurationPolicy,
): readonly (TokenDuration | IsoTokenDuration)[] {
  const named = durations.filter(
    (duration) => (duration !== 'ONE_WEEK' || createsWeeks !== false) && isDurationAllowed(duration, policy),
  );
  const covered = new Set(named.map(durationMillis));
  const others = takesIso ? (policy?.lengths ?? []).filter((one) => !covered.has(durationMillis(one))) : [];
  return [...named, ...others].toSorted(
    (a, b) => (durationMillis(a) ?? Number.POSITIVE_INFINITY) - (durationMillis(b) ?? Number.POSITIVE_INFINITY),
  );
}

function isDurationAllowed(duration: TokenDuration, policy: DurationPolicy | undefined): boolean {
  const { millis } = NAMED[duration];
  return millis === null
    ? policy?.allowsNoExpiry !== false
    : (policy?.lengths?.some((one) => durationMillis(one) === millis) ?? true);
}

/** "Allowed durations: [PT1H, P1D]", later "ACCESS_TOKEN_ALLOWED_DURATIONS (currently: [PT1H, P1D])". */
const ALLOWED_LENGTHS = /(?:allowed durations:|ACCESS_TOKEN_ALLOWED_DURATIONS \(currently:)\s*\[?([^\])]*)/i;
const ABOUT_DURATION = new RegExp(
  'no expiry is disabled|never-expiring access tokens .*cannot be created|unrecognized access token duration|' +
    `access token duration .* (?:is not allowed|could not be mapped)|enum '?"?AccessTokenDuration`,
  'i',
);
/** More than any administrator offers. */
const MOST_LENGTHS = 50;

/** Lengths that a refusal in any of its wordings allows, perhaps none; undefined if it is not about durations. */
export function parseDurationRefusal(text: string): readonly IsoTokenDuration[] | undefined {
  const lengths = parseLengths(ALLOWED_LENGTHS.exec(text)?.[1]?.split(',') ?? []);
  return lengths.length > 0 || ABOUT_DURATION.test(text) ? lengths : undefined;
}

/** Lengths in ISO 8601, each once, without invalid ones. */
function parseLengths(texts: readonly unknown[]): readonly IsoTokenDuration[] {
  const byMillis = new Map<number, IsoTokenDuration>();
  for (const text of texts.slice(0, MOST_LENGTHS)) {
    const iso = typeof text === 'string' ? text.trim().toUpperCase() : '';
    const millis = parseIsoDuration(iso);
    if (millis !== undefined && !byMillis.has(millis)) {
      byMillis.set(millis, { iso });
    }
  }
  return [...byMillis.values()];
}

/** Expiry of a token created now; null: never. */
export function endOfDuration(duration: TokenDuration | IsoTokenDuration, now: number): number | null {
  const millis = durationMillis(duration) ?? null;
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
  offered: readonly (TokenDuration | IsoTokenDuration)[],
): TokenDuration | IsoTokenDuration {
  const wanted =
    expiresAt === null
      ? Number.POSITIVE_INFINITY
      : createdAt === undefined || expiresAt === undefined
        ? (durationMillis('ONE_MONTH') ?? 0)
        : expiresAt - createdAt;
  const distanceToWanted = (duration: TokenDuration | IsoTokenDuration): number => {
    const length = durationMillis(duration) ?? Number.POSITIVE_INFINITY;
    // If every duration ends, the longest is closest to "never".
    return wanted === Number.POSITIVE_INFINITY ? -length : Math.abs(length - wanted);
  };
  return offered.reduce(
    (best, one) => (distanceToWanted(one) < distanceToWanted(best) ? one : best),
    offered[0] ?? 'ONE_MONTH',
  );
}

/** Durations of new tokens: those to offer, and what a server says that it allows (PROTOCOL.md §5.4). */
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import type { ServerOperation } from '../failure/failure.ts';
import { documentFor, type GraphQLEndpoint, undefinedIfAboutRequest } from '../http/graphql.ts';
import {
  DURATION_MILLIS,
  durationMillis,
  formatIsoDuration,
  parseIsoDuration,
  type IsoTokenDuration,
  type TokenDuration,
} from './durations.ts';

/** Allowed durations. Servers compare lengths in milliseconds, and so does this. */
export interface DurationPolicy {
  /** Undefined if unknown. */
  readonly allowsNoExpiry: boolean | undefined;
  /** Allowed lengths in ms; undefined if unknown. */
  readonly lengths: readonly number[] | undefined;
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
  const covered = new Set<number | null>(named.map((duration) => DURATION_MILLIS[duration]));
  const others = takesIso ? (policy?.lengths ?? []).filter((millis) => !covered.has(millis)) : [];
  const all = [...named, ...[...new Set(others)].map((millis) => ({ iso: formatIsoDuration(millis) }))];
  return all.toSorted(
    (a, b) => (durationMillis(a) ?? Number.POSITIVE_INFINITY) - (durationMillis(b) ?? Number.POSITIVE_INFINITY),
  );
}

function isDurationAllowed(duration: TokenDuration, policy: DurationPolicy | undefined): boolean {
  const millis = DURATION_MILLIS[duration];
  return millis === null ? policy?.allowsNoExpiry !== false : (policy?.lengths?.includes(millis) ?? true);
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

/** Lengths in ms that a refusal in any of its wordings allows, perhaps none; undefined if it is not about durations. */
export function parseDurationRefusal(text: string): readonly number[] | undefined {
  const lengths = parseLengths(ALLOWED_LENGTHS.exec(text)?.[1]?.split(',') ?? []);
  return lengths.length > 0 || ABOUT_DURATION.test(text) ? lengths : undefined;
}

/** Lengths in ms from ISO 8601, without duplicates and invalid ones. */
function parseLengths(texts: readonly unknown[]): readonly number[] {
  const lengths = texts
    .slice(0, MOST_LENGTHS)
    .flatMap((text) => (typeof text === 'string' ? (parseIsoDuration(text) ?? []) : []));
  return [...new Set(lengths)];
}

/** Asking a server what new tokens may last (PROTOCOL.md §5.4), where its schema says that it tells. */
import * as v from 'valibot';
import {
  DURATION_MILLIS,
  DURATIONS,
  parseIsoDuration,
  formatIsoDuration,
  durationMillis,
  type IsoDuration,
  type TokenDuration,
} from './durations.ts';
import type { ServerOperation } from '../failure/failure.ts';
import type { GraphQLEndpoint } from '../http/graphql.ts';
import { isAboutRequest } from '../failure/graphqlFailure.ts';
import * as l10n from '@vscode/l10n';

/** What a server lets new tokens last. It compares lengths in milliseconds, however they are written, and so is it done here. */
export interface DurationPolicy {
  /** Undefined: not known. */
  readonly allowsNoExpiry: boolean | undefined;
  /** The lengths that it allows, in ms; undefined: not known. */
  readonly lengths: readonly number[] | undefined;
}

const READ_POLICY: ServerOperation = { name: 'appConfig', doing: () => l10n.t('ask how long access tokens may last') };

export const POLICY_DOCUMENT =
  'query appConfig { appConfig { authConfig { allowNoExpiry allowedAccessTokenDurations } } }';

const POLICY_DATA = v.object({
  authConfig: v.object({
    allowNoExpiry: v.fallback(v.nullish(v.boolean()), undefined),
    allowedAccessTokenDurations: v.fallback(v.nullish(v.custom<unknown[]>(Array.isArray)), undefined),
  }),
});

/**
 * Undefined where the server does not tell after all.
 * @throws ServiceFailure when the server cannot be reached or does not accept the credential.
 */
export async function askDurationPolicy(
  graphql: GraphQLEndpoint,
  signal?: AbortSignal,
): Promise<DurationPolicy | undefined> {
  let data: Readonly<Record<string, unknown>>;
  try {
    ({ data } = await graphql.run(READ_POLICY, POLICY_DOCUMENT, {}, signal));
  } catch (thrown) {
    if (isAboutRequest(thrown)) {
      return undefined;
    }
    throw thrown;
  }
  const told = v.safeParse(POLICY_DATA, data['appConfig']);
  if (!told.success) {
    return undefined;
  }
  const { allowNoExpiry, allowedAccessTokenDurations } = told.output.authConfig;
  const lengths = parseLengths(allowedAccessTokenDurations ?? []);
  // A server that allows no length at all makes no tokens: an empty list, or one in words that are not known, says nothing.
  return { allowsNoExpiry: allowNoExpiry ?? undefined, lengths: lengths.length === 0 ? undefined : lengths };
}

export interface DurationRefusal {
  /** Values of the enum that it rules out. */
  readonly refused: readonly TokenDuration[];
  /** The lengths that are allowed instead, in ms; undefined where it names none. */
  readonly lengths: readonly number[] | undefined;
}

/** "Allowed durations: [PT1H, P1D]" of the first wording, "ACCESS_TOKEN_ALLOWED_DURATIONS (currently: [PT1H, P1D])" of the later one. */
const ALLOWED_LENGTHS = /(?:allowed durations:|ACCESS_TOKEN_ALLOWED_DURATIONS \(currently:)\s*\[?([^\])]*)/i;
const ABOUT_DURATION =
  /no expiry is disabled|never-expiring access tokens .*cannot be created|unrecognized access token duration|access token duration .* (?:is not allowed|could not be mapped)|enum '?"?AccessTokenDuration/i;
/** No administrator lets people choose among more. */
const MOST_LENGTHS = 50;

/** What the server's words say about durations, or undefined when they are about something else. */
export function parseDurationRefusal(asked: TokenDuration | IsoDuration, text: string): DurationRefusal | undefined {
  const lengths = parseLengths(ALLOWED_LENGTHS.exec(text)?.[1]?.split(',') ?? []);
  if (lengths.length > 0) {
    const isRuledOut = (duration: TokenDuration): boolean => {
      const millis = DURATION_MILLIS[duration];
      // Of tokens without an end a list of lengths says nothing: only a refusal of one does.
      return millis === null ? duration === asked : !lengths.includes(millis);
    };
    return { refused: DURATIONS.filter(isRuledOut), lengths };
  }
  return ABOUT_DURATION.test(text)
    ? { refused: typeof asked === 'string' ? [asked] : [], lengths: undefined }
    : undefined;
}

/** Lengths in ms that are written in ISO 8601, each once; what is none is passed over. */
export function parseLengths(texts: readonly unknown[]): readonly number[] {
  const lengths = texts
    .slice(0, MOST_LENGTHS)
    .flatMap((text) => (typeof text === 'string' ? (parseIsoDuration(text) ?? []) : []));
  return [...new Set(lengths)];
}

/**
 * The durations worth offering, the shortest first and "never" last.
 * @param refused What this server did not take before.
 * @param policy What it says that it takes; undefined where it does not say.
 */
export function offeredDurations(
  schema: { readonly durations: readonly string[] | undefined; readonly createTakesDurationIso: boolean },
  server: { readonly product: string | undefined },
  refused: readonly string[] = [],
  policy?: DurationPolicy,
): readonly (TokenDuration | IsoDuration)[] {
  // DataHub has a week in its schema and nothing behind it; where it takes ISO 8601, a week is sent as seven days.
  const takesWeek = server.product !== 'DataHub' || schema.createTakesDurationIso;
  const named = DURATIONS.filter(
    (duration) =>
      (schema.durations?.includes(duration) ?? true) &&
      !refused.includes(duration) &&
      (duration !== 'ONE_WEEK' || takesWeek) &&
      isDurationAllowed(duration, policy),
  );
  const covered = new Set<number | null>(named.map((duration) => DURATION_MILLIS[duration]));
  const others = schema.createTakesDurationIso ? (policy?.lengths ?? []).filter((millis) => !covered.has(millis)) : [];
  const all = [...named, ...[...new Set(others)].map((millis) => ({ iso: formatIsoDuration(millis) }))];
  return all.toSorted(
    (a, b) => (durationMillis(a) ?? Number.POSITIVE_INFINITY) - (durationMillis(b) ?? Number.POSITIVE_INFINITY),
  );
}

function isDurationAllowed(duration: TokenDuration, policy: DurationPolicy | undefined): boolean {
  const millis = DURATION_MILLIS[duration];
  return millis === null ? policy?.allowsNoExpiry !== false : (policy?.lengths?.includes(millis) ?? true);
}

/** How long a token lives (facts §2): the enum of the interface, what each value really is, and which ones a server takes. */

/** Values of the duration enum, the shortest first. */
export const DURATIONS = ['ONE_HOUR', 'ONE_DAY', 'ONE_WEEK', 'ONE_MONTH', 'THREE_MONTHS', 'SIX_MONTHS', 'ONE_YEAR', 'NO_EXPIRY'] as const;
export type TokenDuration = (typeof DURATIONS)[number];

/** Any other length, in ISO 8601 (`P45D`), where the server takes `durationIso`. */
export interface IsoDuration {
  readonly iso: string;
}

/** Each value in ISO 8601, as servers name what they allow; a month is 30 days there. */
const ISO: Readonly<Record<TokenDuration, string | undefined>> = {
  ONE_HOUR: 'PT1H',
  ONE_DAY: 'P1D',
  ONE_WEEK: 'P7D',
  ONE_MONTH: 'P30D',
  THREE_MONTHS: 'P90D',
  SIX_MONTHS: 'P180D',
  ONE_YEAR: 'P365D',
  NO_EXPIRY: undefined,
};

/**
 * The durations worth offering, the shortest first and "never" last.
 * @param refused What this server did not take before.
 */
export function offeredDurations(
  schema: { readonly durations: readonly string[] | undefined; readonly createTakesDurationIso: boolean },
  server: { readonly product: string | undefined },
  refused: readonly string[] = [],
): readonly TokenDuration[] {
  // Years of DataHub had a week in the schema and nothing behind it; the releases that compute it are those that take ISO lengths.
  const takesWeek = server.product !== 'DataHub' || schema.createTakesDurationIso;
  return DURATIONS.filter(
    (duration) => (schema.durations?.includes(duration) ?? true) && !refused.includes(duration) && (duration !== 'ONE_WEEK' || takesWeek),
  );
}

/**
 * The durations that a server's refusal rules out, from the sentence of its policy (facts §2); none when it is about something
 * else. @param text The server's words.
 */
export function durationsRefused(asked: TokenDuration | IsoDuration, text: string): readonly TokenDuration[] {
  const aboutAsked = typeof asked === 'string' ? [asked] : [];
  const allowed = /allowed durations:\s*\[?([^\]]*)/i.exec(text)?.[1];
  if (allowed !== undefined) {
    const lengths = new Set(allowed.match(/P[0-9DTHMSWY]+/g) ?? []);
    return DURATIONS.filter((duration) => ISO[duration] !== undefined && !lengths.has(ISO[duration])).concat(
      aboutAsked.filter((duration) => duration === 'NO_EXPIRY'),
    );
  }
  const isAboutDuration =
    /no expiry is disabled|unrecognized access token duration|access token duration .* is not allowed|enum '?"?AccessTokenDuration/i.test(
      text,
    );
  return isAboutDuration ? aboutAsked : [];
}

const ISO_LENGTH = /^P(?!$)(?:(\d{1,5})D)?(?:T(?!$)(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?)?$/;

/** The length of an ISO 8601 duration of days, hours, minutes and seconds in ms; undefined when it is none, or none at all. */
export function isoMillis(iso: string): number | undefined {
  const match = ISO_LENGTH.exec(iso);
  if (match === null) {
    return undefined;
  }
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  const millis = (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
  return millis > 0 ? millis : undefined;
}

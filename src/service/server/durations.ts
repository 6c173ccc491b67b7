/** How long a token lives (PROTOCOL.md §5.3, §5.4): the enum of the interface, what each value really is, and which ones a server takes. */
import { isoMillis, isoOf } from '../isoDuration.ts';

/** Values of the duration enum, the shortest first. */
export const DURATIONS = [
  'ONE_HOUR',
  'ONE_DAY',
  'ONE_WEEK',
  'ONE_MONTH',
  'THREE_MONTHS',
  'SIX_MONTHS',
  'ONE_YEAR',
  'NO_EXPIRY',
] as const;
export type TokenDuration = (typeof DURATIONS)[number];

/** Any other length, in ISO 8601 (`P45D`), where the server takes `durationIso`. */
export interface IsoDuration {
  readonly iso: string;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** What each value really is, in ms; null: none. */
export const DURATION_MILLIS: Readonly<Record<TokenDuration, number | null>> = {
  ONE_HOUR: HOUR,
  ONE_DAY: DAY,
  ONE_WEEK: 7 * DAY,
  ONE_MONTH: 30 * DAY,
  THREE_MONTHS: 90 * DAY,
  SIX_MONTHS: 180 * DAY,
  ONE_YEAR: 365 * DAY,
  NO_EXPIRY: null,
};

/** What a server lets new tokens last. It compares lengths in milliseconds, however they are written, and so is it done here. */
export interface DurationPolicy {
  /** Undefined: not known. */
  readonly allowsNoExpiry: boolean | undefined;
  /** The lengths that it allows, in ms; undefined: not known. */
  readonly lengths: readonly number[] | undefined;
}

/** In ms; null: without an end. Undefined for a text that is no length. */
export function millisOf(duration: TokenDuration | IsoDuration): number | null | undefined {
  return typeof duration === 'string' ? DURATION_MILLIS[duration] : isoMillis(duration.iso);
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
      isAllowed(duration, policy),
  );
  const covered = new Set<number | null>(named.map((duration) => DURATION_MILLIS[duration]));
  const others = schema.createTakesDurationIso ? (policy?.lengths ?? []).filter((millis) => !covered.has(millis)) : [];
  const all = [...named, ...[...new Set(others)].map((millis) => ({ iso: isoOf(millis) }))];
  return all.toSorted((a, b) => (millisOf(a) ?? Number.POSITIVE_INFINITY) - (millisOf(b) ?? Number.POSITIVE_INFINITY));
}

function isAllowed(duration: TokenDuration, policy: DurationPolicy | undefined): boolean {
  const millis = DURATION_MILLIS[duration];
  return millis === null ? policy?.allowsNoExpiry !== false : (policy?.lengths?.includes(millis) ?? true);
}

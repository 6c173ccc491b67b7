/** Durations to offer for a new token: what the schema has, the release can and the policy allows. */
import type { KnownServer } from '../server/knownServer.ts';
import { hasSince } from '../server/releases.ts';
import type { DurationPolicy } from './durationPolicy.ts';
import {
  DURATION_MILLIS,
  durationMillis,
  formatIsoDuration,
  type IsoTokenDuration,
  type TokenDuration,
} from './durations.ts';

/**
 * Durations to offer for a new token, shortest first and "never" last, as far as the server's policy is known.
 * @throws ServiceFailure if the server can't be reached or rejects the credential.
 */
export async function askOfferedDurations(server: KnownServer): Promise<readonly (TokenDuration | IsoTokenDuration)[]> {
  const [policy, durations, { takesDurationIso }] = await Promise.all([
    server.fact('durationPolicy'),
    server.fact('durations'),
    server.fact('creation'),
    // For the release.
    server.fact('identity'),
  ]);
  return offeredDurations(durations, takesDurationIso, server.release, policy);
}

/**
 * True if the server may accept other durations.
 * @throws ServiceFailure if the server can't be reached or rejects the credential.
 */
export async function askTakesOtherDurations(server: KnownServer): Promise<boolean> {
  const policy = await server.fact('durationPolicy');
  return (await server.fact('creation')).takesDurationIso && policy?.lengths === undefined;
}

/**
 * Durations to offer, shortest first and "never" last.
 * @param durations Values of the enum in the server's schema.
 * @param takesIso True if the server takes other lengths.
 * @param release Of the server; undefined if it does not say.
 * @param policy Undefined if the server does not say.
 */
export function offeredDurations(
  durations: readonly TokenDuration[],
  takesIso: boolean,
  release: string | undefined,
  policy?: DurationPolicy,
): readonly (TokenDuration | IsoTokenDuration)[] {
  const named = durations.filter(
    (duration) =>
      (duration !== 'ONE_WEEK' || hasSince('createsWeeks', release) !== false) && isDurationAllowed(duration, policy),
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

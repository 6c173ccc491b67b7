import { fetchingError } from '../graphqlErrors.ts';
import type { Platform } from '../platform.ts';

/**
 * Expiry of a token created now (Unix ms), null for never.
 * @throws GraphQLError with the server's own sentence if a duration is unknown or not allowed
 */
export function resolveExpiry({ profile }: Platform, duration: string, now: number): number | null {
  const millis = profile.durations[duration];
  if (millis === undefined) {
    // The schema has this duration, but the server's code does not handle it.
    const message = `Unrecognized access token duration ${duration} provided`;
    throw fetchingError('SERVER_ERROR', profile.explainsServerErrors ? message : 'An unknown error occurred.');
  }
  if (millis === null && !profile.allowNoExpiry) {
    throw fetchingError('BAD_REQUEST', NEVER_REFUSED);
  }
  return millis === null ? null : now + millis;
}

const NEVER_REFUSED =
  'Never-expiring access tokens (NO_EXPIRY) cannot be created because ACCESS_TOKEN_ALLOW_NO_EXPIRY is false. ' +
  'Use a finite duration from ACCESS_TOKEN_ALLOWED_DURATIONS (currently: [PT1H, P1D, P7D, P30D, P90D, P180D, P365D]), ' +
  'or set ACCESS_TOKEN_ALLOW_NO_EXPIRY=true to allow NO_EXPIRY. Existing never-expire tokens continue to work.';

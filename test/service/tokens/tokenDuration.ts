import { fetchingError } from '../graphqlErrors.ts';
import { isoMillis } from './isoDuration.ts';
import type { Platform } from '../platform.ts';

/**
 * Expiry of a token created now (Unix ms), null for never.
 * @throws GraphQLError with the server's own sentence if a duration is unknown, missing, given twice or not allowed
 */
export function resolveExpiry(
  platform: Platform,
  duration: string | null,
  iso: string | null,
  now: number,
): number | null {
  const { profile } = platform;
  // The rules' first version treats a blank text as missing.
  const given = platform.quirks.durationWording === 'early' && iso?.trim() === '' ? null : iso;
  if ((duration === null) === (given === null)) {
    throw fetchingError(
      'BAD_REQUEST',
      'Exactly one of duration or durationIso must be provided when creating an access token',
    );
  }
  const millis = given === null ? namedMillis(platform, String(duration)) : lengthOf(given);
  if (millis === null) {
    if (!profile.allowNoExpiry) {
      throw fetchingError('BAD_REQUEST', neverRefused(platform));
    }
    return null;
  }
  // Compares lengths, not texts: P1M is allowed where P30D is.
  if (profile.allowedDurations?.every((text) => isoMillis(text) !== millis) === true) {
    throw fetchingError('BAD_REQUEST', lengthRefused(platform, given === null ? String(duration) : `'${given}'`));
  }
  return now + millis;
}

function lengthOf(iso: string): number {
  try {
    return isoMillis(iso);
  } catch (error) {
    throw fetchingError('BAD_REQUEST', error instanceof Error ? error.message : String(error));
  }
}

function namedMillis({ profile }: Platform, duration: string): number | null {
  const millis = profile.durations[duration];
  if (millis === undefined) {
    // The schema has this duration, but the server's code does not handle it.
    const message = `Unrecognized access token duration ${duration} provided`;
    throw fetchingError('SERVER_ERROR', profile.explainsServerErrors ? message : 'An unknown error occurred.');
  }
  return millis;
}

function neverRefused({ profile, quirks }: Platform): string {
  if (quirks.durationWording === 'early') {
    return 'Creating access tokens with no expiry is disabled. Configure authentication.accessTokens.allowNoExpiry=true to enable.';
  }
  return [
    'Never-expiring access tokens (NO_EXPIRY) cannot be created because ACCESS_TOKEN_ALLOW_NO_EXPIRY is false.',
    `Use a finite duration from ACCESS_TOKEN_ALLOWED_DURATIONS (currently: ${listed(profile.allowedDurations)}),`,
    'or set ACCESS_TOKEN_ALLOW_NO_EXPIRY=true to allow NO_EXPIRY. Existing never-expire tokens continue to work.',
  ].join(' ');
}

function lengthRefused({ profile, quirks }: Platform, shown: string): string {
  const allowed = listed(profile.allowedDurations);
  return quirks.durationWording === 'early'
    ? `Access token duration ${shown} is not allowed. Allowed durations: ${allowed}`
    : `Access token duration ${shown} is not allowed. Choose a value from ACCESS_TOKEN_ALLOWED_DURATIONS (currently: ${allowed}).`;
}

/** A list in Java's notation. */
function listed(durations: readonly string[] | null): string {
  return `[${(durations ?? []).join(', ')}]`;
}

import { fetchingError } from './graphqlErrors.ts';
import type { Profile } from './profiles.ts';

/**
 * The moment a token made now will expire (Unix ms), null for never.
 * @throws GraphQLError with the server's own sentence where a duration is unknown, missing, doubled or not allowed.
 */
export function resolveExpiry(profile: Profile, duration: string | null, iso: string | null, now: number): number | null {
  if ((duration === null) === (iso === null)) {
    throw fetchingError('BAD_REQUEST', 'Exactly one of duration or durationIso must be provided when creating an access token');
  }
  const millis = duration === null ? isoMillis(iso ?? '') : profile.durations[duration];
  if (millis === undefined) {
    throw duration === null ? notAllowed(profile, `'${String(iso)}'`) : unrecognized(profile, duration);
  }
  if (millis === null) {
    if (!profile.allowNoExpiry) {
      throw fetchingError(
        'BAD_REQUEST',
        'Creating access tokens with no expiry is disabled. Configure authentication.accessTokens.allowNoExpiry=true to enable.',
      );
    }
    return null;
  }
  const permitted = profile.allowedDurations?.some((text) => isoMillis(text) === millis) ?? true;
  if (!permitted) {
    throw notAllowed(profile, iso === null ? String(duration) : `'${iso}'`);
  }
  return now + millis;
}

/** A duration that is in the schema, and that the server's code forgot. */
function unrecognized(profile: Profile, duration: string): Error {
  const message = profile.explainsServerErrors ? `Unrecognized access token duration ${duration} provided` : 'An unknown error occurred.';
  return fetchingError('SERVER_ERROR', message);
}

function notAllowed(profile: Profile, shown: string): Error {
  const allowed = (profile.allowedDurations ?? []).join(', ');
  return fetchingError('BAD_REQUEST', `Access token duration ${shown} is not allowed. Allowed durations: [${allowed}]`);
}

/** Days, hours, minutes and seconds of an ISO 8601 duration in ms; undefined when it has other parts or none. */
function isoMillis(text: string): number | undefined {
  const match = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text);
  const [days, hours, minutes, seconds] = (match ?? []).slice(1).map((part) => Number(part ?? 0));
  const total = (((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0);
  return total > 0 ? total * 1000 : undefined;
}

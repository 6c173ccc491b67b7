import type { Call } from './http.ts';
import type { Platform } from './platform.ts';
import { actorHeader } from './profiles.ts';
import { actorOf, systemActorUrn, type Actor } from './users.ts';

/** The sentence for every refusal. */
export const UNAUTHORIZED = 'Unauthorized to perform this action.';

/**
 * Identifies the caller by a Bearer token; by the unverified actor header if authentication is off (no header means
 * the system itself); or, as in the description's examples, by the header for GraphQL and a token for operations.
 * @returns null for a caller who isn't signed in, whatever the reason
 */
export function authenticate(platform: Platform, call: Call, endpoint: 'graphql' | 'operations'): Actor | null {
  const { profile } = platform;
  const header = call.headers[actorHeader(profile)];
  const claimed = typeof header === 'string' && header !== '' ? header : null;
  const authorization = call.headers.authorization;

  if (!profile.authentication) {
    return claimed === null ? actorOf(systemActorUrn) : byHeader(claimed);
  }
  if (profile.actorHeaderForGraphQL && endpoint === 'graphql' && authorization === undefined) {
    return claimed === null ? null : byHeader(claimed);
  }
  const [, token] = /^Bearer (\S+)$/i.exec(authorization ?? '') ?? [];
  const actorUrn = token === undefined ? null : platform.tokens.check(token, call.now);
  return actorUrn === null ? null : actorOf(actorUrn);
}

function byHeader(urn: string): Actor | null {
  return /^urn:li:[A-Za-z]+:.+$/.test(urn) ? actorOf(urn) : null;
}

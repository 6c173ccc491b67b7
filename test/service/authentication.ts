import type { Call } from './http.ts';
import type { Platform } from './platform.ts';
import { actorHeader } from './profiles.ts';
import { actorOf, systemActorUrn, type Actor } from './users.ts';

export type Authentication = { readonly actor: Actor } | { readonly refusal: string };

const general = 'Unauthorized to perform this action.';

/**
 * Identifies the caller by a Bearer token; by the unverified actor header if authentication is off (no header means
 * the system itself); or, as in the description's examples, by the header for GraphQL and a token for operations.
 */
export function authenticate(platform: Platform, call: Call, endpoint: 'graphql' | 'operations'): Authentication {
  const { profile } = platform;
  const header = call.headers[actorHeader(profile)];
  const claimed = typeof header === 'string' && header !== '' ? header : null;
  const authorization = call.headers.authorization;

  if (!profile.authentication) {
    return claimed === null ? { actor: actorOf(systemActorUrn) } : byHeader(claimed);
  }
  if (profile.actorHeaderForGraphQL && endpoint === 'graphql' && authorization === undefined) {
    return claimed === null ? { refusal: general } : byHeader(claimed);
  }
  const [, token] = /^Bearer (\S+)$/.exec(authorization ?? '') ?? [];
  if (token === undefined) {
    return { refusal: general };
  }
  const check = platform.tokens.check(token, call.now);
  if ('actorUrn' in check) {
    return { actor: actorOf(check.actorUrn) };
  }
  return { refusal: profile.reportsExpiredTokens && check.refusal.includes('expired') ? check.refusal : general };
}

function byHeader(urn: string): Authentication {
  return /^urn:li:[A-Za-z]+:.+$/.test(urn) ? { actor: actorOf(urn) } : { refusal: `Failed to parse urn ${urn}` };
}

import { fetchingError } from './graphqlErrors.ts';
import type { RequestContext } from './tokens/tokenResolvers.ts';

export function me(_: unknown, __: unknown, { actor }: RequestContext): unknown {
  const isManager = actor.privileges.has('MANAGE_ACCESS_TOKENS');
  return {
    corpUser: { urn: actor.urn },
    platformPrivileges: {
      viewAnalytics: false,
      managePolicies: false,
      manageIdentities: false,
      manageIngestion: false,
      manageSecrets: false,
      generatePersonalAccessTokens: isManager || actor.privileges.has('GENERATE_PERSONAL_ACCESS_TOKENS'),
      manageTokens: isManager,
      manageServiceAccounts: actor.privileges.has('MANAGE_SERVICE_ACCOUNTS'),
    },
  };
}

export function appConfig(_: unknown, __: unknown, { platform }: RequestContext): unknown {
  return {
    appVersion: platform.profile.version,
    authConfig: { tokenAuthEnabled: platform.profile.authentication },
  };
}

/** Only the caller's own: no privilege allows reading another user's. */
export function getGrantedPrivileges(
  _: unknown,
  { input }: { input: { actorUrn: string } },
  { actor }: RequestContext,
): unknown {
  if (input.actorUrn !== actor.urn) {
    throw fetchingError('UNAUTHORIZED', 'Unauthorized to get privileges for the given author.');
  }
  return { privileges: [...actor.privileges] };
}

export const corpUser = {
  type: () => 'CORP_USER',
  username: ({ urn }: { urn: string }) => urn.slice(urn.lastIndexOf(':') + 1),
};

import { fetchingError } from './graphqlErrors.ts';
import type { RequestContext } from './tokenResolvers.ts';
import { actorOf } from './users.ts';

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

export function getGrantedPrivileges(_: unknown, { input }: { input: { actorUrn: string } }, { actor }: RequestContext): unknown {
  if (input.actorUrn !== actor.urn && !actor.privileges.has('MANAGE_ACCESS_TOKENS')) {
    throw fetchingError('UNAUTHORIZED', 'Unauthorized to get privileges for the specified author.');
  }
  return { privileges: [...actorOf(input.actorUrn).privileges] };
}

export const corpUser = {
  type: () => 'CORP_USER',
  username: ({ urn }: { urn: string }) => urn.slice(urn.lastIndexOf(':') + 1),
};

import * as v from 'valibot';
import type { ServerOperation } from '../../src/service/failure/failure.ts';
import { documentFor } from '../../src/service/http/documentFor.ts';
import { differs, failureOf, findingOf, holds, notAsked, type ServerClaim, type ClaimAnswer } from './claim.ts';
import type { ServerSession } from './session.ts';

/** Looks like a token, but no server has issued it. */
export const MADE_UP_TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjb25mb3JtYW5jZSJ9.bm8tdG9rZW4tb2YtYW55Ym9keQ';

const ME_DOCUMENT = documentFor('query', 'me', { fields: ['corpUser { urn }'] });
const APP_DOCUMENT = documentFor('query', 'appConfig', { fields: ['appVersion', 'authConfig { tokenAuthEnabled }'] });
const APP_CONFIG = v.object({ appVersion: v.string(), authConfig: v.object({ tokenAuthEnabled: v.boolean() }) });

/** An operation as failures name it. */
export function asking(name: string, privilege?: string): ServerOperation {
  return { name, actionPhrase: () => `ask ${name}`, ...(privilege === undefined ? {} : { privilege }) };
}

export const IDENTITY_CLAIMS: readonly ServerClaim[] = [
  {
    id: 'product',
    sentence: '`/config` says that the server is DataHub, and which release',
    expected: 'DataHub, with a release',
    exchanges: ['configuration-of-0.14', 'configuration-of-1.6', 'configuration-through-the-front'],
    consequence: 'The header that names the caller has to be chosen with --product, and upgrades go unnoticed.',
    onlyDataHub: true,
    ask: async ({ server }) => {
      if (server.product === undefined) return differs("it doesn't say");
      return server.version === undefined ? differs('DataHub, no release') : holds('DataHub, with a release');
    },
  },
  {
    id: 'caller',
    sentence: '`me` says who is asking, and what they may do with tokens',
    expected: 'a user and two privileges',
    exchanges: ['introduction'],
    consequence:
      'Your own tokens are looked for under the user that you typed, and nothing says which actions you may use.',
    onlyDataHub: true,
    ask: async ({ callerInfo, caller }) =>
      callerInfo.identity === undefined ? differs("it doesn't say") : holds('a user and two privileges', caller),
  },
  {
    id: 'application',
    sentence: '`appConfig` says the version, and whether access tokens are on',
    expected: 'both',
    exchanges: ['introduction'],
    consequence:
      'What was learned about the server may be outdated after an upgrade, until the connection is tested again.',
    onlyDataHub: true,
    ask: async ({ service, signal }) => {
      const data = await service.server.graphql.runQuery(asking('appConfig'), APP_DOCUMENT, {}, signal);
      return v.is(APP_CONFIG, data['appConfig']) || differs('not both');
    },
  },
  {
    id: 'no-token',
    sentence: 'A request without a token is rejected',
    expected: '401',
    exchanges: ['not-signed-in-on-0.14', 'not-signed-in-on-1.6', 'not-signed-in-at-the-front'],
    consequence: 'You may act as another user than the one you signed in as. Ask an administrator before you go on.',
    advice: 'dontUseIt',
    onlyDataHub: true,
    ask: (session) => rejection(session, undefined),
  },
  {
    id: 'wrong-token',
    sentence: 'A made-up token is rejected',
    expected: '401',
    exchanges: ['not-signed-in-on-0.14', 'not-signed-in-on-1.6'],
    consequence: 'A token that expired or was revoked is reported as something else.',
    onlyDataHub: true,
    ask: (session) => rejection(session, MADE_UP_TOKEN),
  },
];

/** Determines how the server rejects a request with this token. */
async function rejection(
  { graphqlWith, callerInfo, signal }: ServerSession,
  credential: string | undefined,
): Promise<ClaimAnswer> {
  if (callerInfo.tokensEnabled === false) return notAsked('access tokens are off');
  const failure = await failureOf(graphqlWith(credential).runQuery(asking('me'), ME_DOCUMENT, {}, signal));
  if (failure === undefined) return differs('answered');
  if (failure.status === 401) return true;
  return failure.kind === 'refused' ? differs('refused (403)') : findingOf(failure);
}

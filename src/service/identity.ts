/** Who the server takes us for and what we may do (facts §7). Not in the spec: a server without it loses nothing. */
import * as v from 'valibot';
import { ServiceFailure } from './failure.ts';
import type { Operation } from './failure.ts';
import { InvalidDocument } from './graphql.ts';
import type { GraphQL, GraphQLResult } from './graphql.ts';
import { l10n } from './words.ts';

export interface Identity {
  /** The caller as the server knows it. */
  readonly actorUrn: string;
  readonly mayGenerateTokens: boolean;
  readonly mayManageAllTokens: boolean;
}

export interface Introduction {
  /** Undefined: the server does not say (spec profile). */
  readonly identity: Identity | undefined;
  readonly version: string | undefined;
  /** False: token authentication is switched off on this server. */
  readonly tokensEnabled: boolean | undefined;
}

const ME: Operation = { name: 'me', doing: () => l10n.t('ask who you are') };

const ME_FIELDS = 'me { corpUser { urn } platformPrivileges { generatePersonalAccessTokens manageTokens } }';
const APP_FIELDS = 'appConfig { appVersion authConfig { tokenAuthEnabled } }';

const ME_DATA = v.object({
  corpUser: v.object({ urn: v.string() }),
  platformPrivileges: v.object({ generatePersonalAccessTokens: v.boolean(), manageTokens: v.boolean() }),
});
const APP_DATA = v.object({
  appVersion: v.fallback(v.nullish(v.string()), undefined),
  authConfig: v.fallback(v.nullish(v.object({ tokenAuthEnabled: v.boolean() })), undefined),
});

/** @throws ServiceFailure when the server cannot be reached or does not accept the credential. */
export async function introduce(graphql: GraphQL, signal?: AbortSignal): Promise<Introduction> {
  // One query where both exist; where one does not, the whole query fails and each is asked for by itself.
  const both = await ask(graphql, `query me { ${ME_FIELDS} ${APP_FIELDS} }`, signal);
  const me = both ?? (await ask(graphql, `query me { ${ME_FIELDS} }`, signal));
  const app = both ?? (me === undefined ? undefined : await ask(graphql, `query appConfig { ${APP_FIELDS} }`, signal));
  const meData = v.safeParse(ME_DATA, me?.data.me);
  const appData = v.safeParse(APP_DATA, app?.data.appConfig);
  return {
    identity: meData.success
      ? {
          actorUrn: meData.output.corpUser.urn,
          mayGenerateTokens: meData.output.platformPrivileges.generatePersonalAccessTokens || meData.output.platformPrivileges.manageTokens,
          mayManageAllTokens: meData.output.platformPrivileges.manageTokens,
        }
      : undefined,
    version: appData.success ? (appData.output.appVersion ?? undefined) : undefined,
    tokensEnabled: appData.success ? appData.output.authConfig?.tokenAuthEnabled : undefined,
  };
}

/** Undefined where the server does not know the query or fails on it; what concerns every request is thrown. */
async function ask(graphql: GraphQL, document: string, signal: AbortSignal | undefined): Promise<GraphQLResult | undefined> {
  try {
    return await graphql.run(ME, document, {}, signal);
  } catch (thrown) {
    if (thrown instanceof InvalidDocument || (thrown instanceof ServiceFailure && thrown.status === 200 && thrown.kind !== 'signedOut')) {
      return undefined;
    }
    throw thrown;
  }
}

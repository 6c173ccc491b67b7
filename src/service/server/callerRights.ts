/** Who the server takes us for and what we may do (PROTOCOL.md §3.5). Not in the interface description: a server without it loses nothing. */
import * as v from 'valibot';
import { ServiceFailure, type ServerOperation } from '../failure/failure.ts';
import type { GraphQLEndpoint, GraphQLResult } from '../http/graphql.ts';
import { STORED_IDENTIFIER } from './identifiers.ts';
import { boundedArray } from '../http/json.ts';
import { showableText } from '../tokens/accessToken.ts';
import * as l10n from '@vscode/l10n';
import { PRIVILEGE_TYPES } from '../failure/privileges.ts';

interface CallerIdentity {
  /** The caller as the server knows it. */
  readonly actorUrn: string;
  readonly mayGenerateTokens: boolean;
  readonly mayManageAllTokens: boolean;
}

export interface CallerIntroduction {
  /** Undefined: the server does not say. */
  readonly identity: CallerIdentity | undefined;
  readonly version: string | undefined;
  /** False: token authentication is switched off on this server. */
  readonly tokensEnabled: boolean | undefined;
}

/**
 * Rights that the platform privileges of `me` do not show. Undefined: the server does not tell. `false` is a hint and no verdict:
 * servers enforce the privileges of operations only where they are configured to (PROTOCOL.md §6.3).
 */
export interface CallerRights {
  readonly manageServiceAccounts: boolean | undefined;
  readonly truncate: boolean | undefined;
  readonly readSizes: boolean | undefined;
  readonly watchTasks: boolean | undefined;
}

const READ_IDENTITY: ServerOperation = { name: 'me', doing: () => l10n.t('ask who you are') };
const READ_PRIVILEGES: ServerOperation = { name: 'getGrantedPrivileges', doing: () => l10n.t('ask what you may do') };

const ME_FIELDS = 'me { corpUser { urn } platformPrivileges { generatePersonalAccessTokens manageTokens } }';
const APP_FIELDS = 'appConfig { appVersion authConfig { tokenAuthEnabled } }';

/** One query where both exist; where one does not, the whole query fails and each is asked for by itself. */
export const INTRODUCTION_DOCUMENTS = {
  both: `query me { ${ME_FIELDS} ${APP_FIELDS} }`,
  me: `query me { ${ME_FIELDS} }`,
  appConfig: `query appConfig { ${APP_FIELDS} }`,
} as const;

/** By itself: a field that an older server does not know fails the whole query. */
export const SERVICE_ACCOUNTS_DOCUMENT = 'query me { me { platformPrivileges { manageServiceAccounts } } }';
export const GRANTED_DOCUMENT =
  'query getGrantedPrivileges($actorUrn: String!) { getGrantedPrivileges(input: {actorUrn: $actorUrn}) { privileges } }';

const URN = v.pipe(STORED_IDENTIFIER, v.startsWith('urn:li:'));
const ME_DATA = v.object({
  corpUser: v.object({ urn: URN }),
  platformPrivileges: v.object({ generatePersonalAccessTokens: v.boolean(), manageTokens: v.boolean() }),
});
const APP_DATA = v.object({
  appVersion: v.fallback(v.nullish(v.string()), undefined),
  authConfig: v.fallback(v.nullish(v.object({ tokenAuthEnabled: v.boolean() })), undefined),
});
const SERVICE_ACCOUNTS_DATA = v.object({ platformPrivileges: v.object({ manageServiceAccounts: v.boolean() }) });
/** Several times as many as any release knows. */
const MOST_PRIVILEGES = 1_000;
const GRANTED_DATA = v.object({ privileges: v.pipe(boundedArray(MOST_PRIVILEGES), v.array(v.string())) });

/** @throws ServiceFailure when the server cannot be reached or does not accept the credential. */
export async function askIntroduction(graphql: GraphQLEndpoint, signal?: AbortSignal): Promise<CallerIntroduction> {
  const both = await runOptionalQuery(graphql, READ_IDENTITY, INTRODUCTION_DOCUMENTS.both, {}, signal);
  const me = both ?? (await runOptionalQuery(graphql, READ_IDENTITY, INTRODUCTION_DOCUMENTS.me, {}, signal));
  // Where nobody knows the caller, nobody knows the other either: both came with the same releases.
  const app =
    both ??
    (me === undefined
      ? undefined
      : await runOptionalQuery(graphql, READ_IDENTITY, INTRODUCTION_DOCUMENTS.appConfig, {}, signal));
  const meData = v.safeParse(ME_DATA, me?.data.me);
  const appData = v.safeParse(APP_DATA, app?.data.appConfig);
  return {
    identity: meData.success
      ? {
          actorUrn: meData.output.corpUser.urn,
          mayGenerateTokens:
            meData.output.platformPrivileges.generatePersonalAccessTokens ||
            meData.output.platformPrivileges.manageTokens,
          mayManageAllTokens: meData.output.platformPrivileges.manageTokens,
        }
      : undefined,
    version: appData.success ? showableText(appData.output.appVersion, 60) : undefined,
    tokensEnabled: appData.success ? appData.output.authConfig?.tokenAuthEnabled : undefined,
  };
}

/**
 * @param serviceAccounts Whether the server knows such accounts at all.
 * @throws ServiceFailure when the server cannot be reached or does not accept the credential.
 */
export async function askCallerRights(
  graphql: GraphQLEndpoint,
  actorUrn: string,
  serviceAccounts: boolean,
  signal?: AbortSignal,
): Promise<CallerRights> {
  const manageServiceAccounts = serviceAccounts ? await askServiceAccountRight(graphql, signal) : undefined;
  const granted = v.safeParse(
    GRANTED_DATA,
    (await runOptionalQuery(graphql, READ_PRIVILEGES, GRANTED_DOCUMENT, { actorUrn }, signal))?.data
      .getGrantedPrivileges,
  );
  const privileges = granted.success ? new Set(granted.output.privileges) : undefined;
  const bySystem = privileges?.has(PRIVILEGE_TYPES.manageSystem) === true;
  return {
    manageServiceAccounts,
    // The privilege for system operations stands in for the other two, never for truncation (PROTOCOL.md §6.3).
    truncate: privileges?.has(PRIVILEGE_TYPES.truncate),
    readSizes: privileges === undefined ? undefined : bySystem || privileges.has(PRIVILEGE_TYPES.readSizes),
    watchTasks: privileges === undefined ? undefined : bySystem || privileges.has(PRIVILEGE_TYPES.watchTasks),
  };
}

/**
 * Whether one may make tokens for service accounts; undefined where the server does not tell.
 * @throws ServiceFailure when the server cannot be reached or does not accept the credential.
 */
export async function askServiceAccountRight(
  graphql: GraphQLEndpoint,
  signal?: AbortSignal,
): Promise<boolean | undefined> {
  const me = await runOptionalQuery(graphql, READ_IDENTITY, SERVICE_ACCOUNTS_DOCUMENT, {}, signal);
  const accounts = v.safeParse(SERVICE_ACCOUNTS_DATA, me?.data.me);
  return accounts.success ? accounts.output.platformPrivileges.manageServiceAccounts : undefined;
}

/** Undefined where the server does not know the query or fails on it; what concerns every request is thrown, a log-in that is missing too: its status is 401. */
async function runOptionalQuery(
  graphql: GraphQLEndpoint,
  operation: ServerOperation,
  document: string,
  variables: Record<string, unknown>,
  signal: AbortSignal | undefined,
): Promise<GraphQLResult | undefined> {
  try {
    return await graphql.run(operation, document, variables, signal);
  } catch (thrown) {
    if (thrown instanceof ServiceFailure && thrown.status === 200 && !thrown.transient) {
      return undefined;
    }
    throw thrown;
  }
}

/**
 * The caller's identity and privileges (PROTOCOL.md §3.5). Not in the interface description,
 * so a server without them loses nothing.
 */
import * as v from 'valibot';
import { parsedAs } from '../../json.ts';
import { ServiceFailure, type ServerOperation } from '../failure/failure.ts';
import { CALLER_INFO_DOCUMENT, documentFor, type QueryDocument } from '../http/documentFor.ts';
import { type GraphQLData, GraphQLEndpoint } from '../http/graphql.ts';
import { storedActorUrn, STORED_IDENTIFIER } from './identifiers.ts';
import { boundedArray } from '../http/responseJson.ts';
import type { Transport } from '../http/transport.ts';
import { showableText } from '../tokens/accessToken.ts';
import * as l10n from '@vscode/l10n';
import { PRIVILEGE_TYPES } from '../failure/privileges.ts';

interface CallerIdentity {
  /** The caller as the server knows it. */
  readonly actorUrn: string;
  readonly mayGenerateTokens: boolean;
}

export interface CallerInfo {
  /** Undefined if the server does not say. */
  readonly identity: CallerIdentity | undefined;
  readonly version: string | undefined;
  /** False if the server has switched token authentication off. */
  readonly tokensEnabled: boolean | undefined;
}

/**
 * Rights beyond the platform privileges of `me`. Undefined if the server does not say. `false` is only a hint:
 * servers enforce the privileges of operations only if configured to (PROTOCOL.md §6.3).
 */
export interface CallerRights {
  readonly truncate: boolean | undefined;
  readonly readSizes: boolean | undefined;
  readonly watchTasks: boolean | undefined;
  readonly manageServiceAccounts: boolean | undefined;
}

const READ_IDENTITY: ServerOperation = { name: 'me', actionPhrase: () => l10n.t('read your identity') };
const READ_PRIVILEGES: ServerOperation = {
  name: 'getGrantedPrivileges',
  actionPhrase: () => l10n.t('read your privileges'),
};

const GRANTED_DOCUMENT = documentFor('query', 'getGrantedPrivileges', {
  variables: { actorUrn: 'String!' },
  input: '{actorUrn: $actorUrn}',
  fields: ['privileges'],
});

const URN = v.pipe(STORED_IDENTIFIER, v.startsWith('urn:li:'));
const ME_DATA = v.object({
  corpUser: v.object({ urn: URN }),
  platformPrivileges: v.object({ generatePersonalAccessTokens: v.boolean(), manageTokens: v.boolean() }),
});
const APP_DATA = v.object({
  appVersion: v.fallback(v.nullish(v.string()), undefined),
  authConfig: v.fallback(v.nullish(v.object({ tokenAuthEnabled: v.boolean() })), undefined),
});
/** Several times as many as any release has. */
const MOST_PRIVILEGES = 1_000;
const GRANTED_DATA = v.object({ privileges: v.pipe(boundedArray(MOST_PRIVILEGES), v.array(v.string())) });

/** @throws ServiceFailure if the server can't be reached or rejects the credential. */
export async function requestCallerInfo(graphql: GraphQLEndpoint, signal?: AbortSignal): Promise<CallerInfo> {
  const data = await runOptionalQuery(graphql, READ_IDENTITY, CALLER_INFO_DOCUMENT, {}, signal);
  const me = parsedAs(ME_DATA, data?.me);
  const app = parsedAs(APP_DATA, data?.appConfig);
  return {
    identity: me && {
      actorUrn: me.corpUser.urn,
      mayGenerateTokens: me.platformPrivileges.generatePersonalAccessTokens || me.platformPrivileges.manageTokens,
    },
    version: showableText(app?.appVersion, 60),
    tokensEnabled: app?.authConfig?.tokenAuthEnabled,
  };
}

/**
 * Asks whose access token it is, without naming a user.
 * @returns the URN of a user. Undefined if the server does not say, or takes any caller for the system.
 * @throws ServiceFailure if the server can't be reached or rejects the token.
 */
export async function askTokenOwner(transport: Transport, signal?: AbortSignal): Promise<string | undefined> {
  const graphql = new GraphQLEndpoint(transport, () => Promise.resolve({}));
  const { identity, tokensEnabled } = await transport.repeatRead(() => requestCallerInfo(graphql, signal), signal);
  return tokensEnabled === false ? undefined : storedActorUrn(identity?.actorUrn);
}

/** @throws ServiceFailure if the server can't be reached or rejects the credential. */
export async function askCallerRights(
  graphql: GraphQLEndpoint,
  actorUrn: string,
  signal?: AbortSignal,
): Promise<CallerRights> {
  const data = await runOptionalQuery(graphql, READ_PRIVILEGES, GRANTED_DOCUMENT, { actorUrn }, signal);
  const granted = parsedAs(GRANTED_DATA, data?.getGrantedPrivileges);
  const privileges = granted && new Set(granted.privileges);
  const bySystem = privileges?.has(PRIVILEGE_TYPES.manageSystem) === true;
  return {
    // The privilege for system operations includes the other two, never truncation (PROTOCOL.md §6.3).
    truncate: privileges?.has(PRIVILEGE_TYPES.truncate),
    readSizes: privileges === undefined ? undefined : bySystem || privileges.has(PRIVILEGE_TYPES.readSizes),
    watchTasks: privileges === undefined ? undefined : bySystem || privileges.has(PRIVILEGE_TYPES.watchTasks),
    manageServiceAccounts: privileges?.has(PRIVILEGE_TYPES.manageServiceAccounts),
  };
}

/**
 * Undefined if the server lacks the query or fails on it. Throws failures of every request, such as a missing sign-in
 * (401).
 */
async function runOptionalQuery(
  graphql: GraphQLEndpoint,
  operation: ServerOperation,
  document: QueryDocument,
  variables: Record<string, unknown>,
  signal: AbortSignal | undefined,
): Promise<GraphQLData | undefined> {
  try {
    return await graphql.runQuery(operation, document, variables, signal);
  } catch (thrown) {
    if (thrown instanceof ServiceFailure && thrown.status === 200 && !thrown.transient) {
      return undefined;
    }
    throw thrown;
  }
}

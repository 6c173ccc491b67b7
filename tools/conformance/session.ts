import { GraphQLEndpoint } from '../../src/service/http/graphql.ts';
import type { PauseFunction } from '../../src/service/http/retry.ts';
import { systemNetworkOf } from '../../src/service/http/network.ts';
import { Transport, type TransportOptions } from '../../src/service/http/transport.ts';
import type { IndexSize } from '../../src/service/indices/indexSize.ts';
import { OperationsEndpoint } from '../../src/service/server/operationsEndpoint.ts';
import { requestCallerInfo, type CallerInfo } from '../../src/service/server/callerRights.ts';
import { askServerIdentity, type ServerIdentity } from '../../src/service/server/serverInfo.ts';
import { MetadataService } from '../../src/service/service.ts';
import { guardRequests, type AllowedToken } from './guard.ts';
import { OwnToken } from './ownToken.ts';

/** Connection to the server, and limits of a run. */
export interface SessionOptions {
  /** Of the extension. */
  readonly version: string;
  readonly baseUrl: string;
  /** The user's access token. Undefined without authentication. */
  readonly credential: string | undefined;
  /** If undefined, the server identifies the user. */
  readonly actorUrn: string | undefined;
  /** As in the header `X-<Product>-Actor`. If undefined, it is detected. */
  readonly product: string | undefined;
  readonly readOnly: boolean;
  /** Limit of dry runs. */
  readonly mostIndices: number;
  /** Name of the token that is created. */
  readonly tokenName: string;
  readonly signal: AbortSignal;
  /** Called before the dry run of each index. */
  readonly dryRunStarts?: (number: number, of: number) => void;
  /** Pauses between checks. Waits for real by default. */
  readonly pause?: PauseFunction;
}

/** An index with its dry runs. */
export interface CountedIndex {
  readonly entityType: string;
  readonly aspect: string;
  readonly total: number;
}

/** Findings of earlier claims that later ones need. */
export interface EarlierFindings {
  introspects?: true;
  /** Of the caller. */
  hasTokens?: boolean;
  indices?: readonly IndexSize[];
  counted?: CountedIndex;
}

/** The client without its methods that create, revoke or execute. */
export type ReadingService = Pick<MetadataService, 'server' | 'tasks'> & {
  readonly tokens: Pick<MetadataService['tokens'], 'list' | 'serviceAccounts'>;
  readonly indices: Pick<MetadataService['indices'], 'listIndexSizes' | 'dryRun'>;
};

/** One server, as one user. */
export interface ServerSession {
  readonly service: ReadingService;
  readonly transport: Transport;
  readonly operations: Pick<OperationsEndpoint, 'callReadAction'>;
  readonly server: ServerIdentity;
  readonly callerInfo: CallerInfo;
  readonly caller: string;
  readonly isDataHub: boolean;
  /** If undefined, nothing may be changed. */
  readonly ownToken: OwnToken | undefined;
  readonly mostIndices: number;
  readonly learned: EarlierFindings;
  readonly signal: AbortSignal;
  readonly pause: PauseFunction | undefined;
  dryRunStarts(number: number, of: number): void;
  /** GraphQL with another token, or with none, and without the header that names the caller. */
  graphqlWith(credential: string | undefined): GraphQLEndpoint;
}

/** The server can't be asked. The message is a sentence of this repository. */
export class CannotAsk extends Error {}

const TIMEOUT_MILLIS = 30_000;

/**
 * Identifies the server and the user.
 * @throws ServiceFailure if the server is unreachable or refuses the token; CannotAsk
 */
export async function openSession(options: SessionOptions): Promise<ServerSession> {
  const allowed: AllowedToken | undefined = options.readOnly
    ? undefined
    : { name: options.tokenName, actorUrn: undefined };
  const network = systemNetworkOf(options.version);
  const guard = guardRequests(allowed, network.fetch);
  // Aborts every request, including those that the client sends for several callers and so without a signal.
  const stoppable: typeof globalThis.fetch = (input, init = {}) =>
    guard.fetch(input, { ...init, signal: AbortSignal.any([options.signal, init.signal ?? options.signal]) });
  const transportOptions = (credential: string | undefined, fetch = stoppable): TransportOptions => ({
    baseUrl: options.baseUrl,
    readSecrets: () => Promise.resolve({ token: credential }),
    timeoutMillis: () => TIMEOUT_MILLIS,
    network: { ...network, fetch },
  });
  const transport = new Transport(transportOptions(options.credential));
  const graphqlWith = (credential: string | undefined): GraphQLEndpoint =>
    new GraphQLEndpoint(new Transport(transportOptions(credential)), () => Promise.resolve({}));

  // Identifies the server before the token is sent.
  await askServerIdentity(transport, options.signal);
  const actorUrn = options.actorUrn ?? (await askActor(graphqlWith(options.credential), options.signal));
  const serviceBy = (fetch: typeof globalThis.fetch): MetadataService =>
    new MetadataService({
      ...transportOptions(options.credential, fetch),
      actorUrn,
      product: options.product,
      ...(options.pause === undefined ? {} : { pause: options.pause }),
    });
  const service = serviceBy(stoppable);
  const server = await service.server.fact('identity');
  const callerInfo = await service.server.fact('caller', options.signal);
  const caller = callerInfo.identity?.actorUrn ?? actorUrn;
  if (allowed !== undefined) allowed.actorUrn = caller;
  return {
    service,
    transport,
    operations: new OperationsEndpoint(service.server),
    server,
    callerInfo,
    caller,
    isDataHub: server.product !== undefined || callerInfo.identity !== undefined,
    // It has to be revoked after a stop, too.
    ownToken:
      allowed === undefined
        ? undefined
        : new OwnToken(serviceBy(guard.fetch), caller, allowed.name, guard, options.pause),
    mostIndices: options.mostIndices,
    learned: {},
    signal: options.signal,
    pause: options.pause,
    dryRunStarts: options.dryRunStarts ?? (() => {}),
    graphqlWith,
  };
}

async function askActor(graphql: GraphQLEndpoint, signal: AbortSignal): Promise<string> {
  const { identity, tokensEnabled } = await requestCallerInfo(graphql, signal);
  if (tokensEnabled === false) {
    // An unnamed caller is the system itself there, with all privileges (PROTOCOL.md §3.3).
    throw new CannotAsk("This server doesn't check access tokens. Name the user with --actor.");
  }
  if (identity === undefined) throw new CannotAsk("This server doesn't say who is asking. Name the user with --actor.");
  return identity.actorUrn;
}

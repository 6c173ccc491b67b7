/** Everything that the extension asks of one server, as one user. */
import { ServiceFailure } from './failure/failure.ts';
import { Transport, type TransportOptions } from './http/transport.ts';
import { untilAborted } from './http/waiting.ts';
import { type DryRunsUnderWay, TimeSeriesIndices } from './indices/indices.ts';
import { DeletionTasks } from './indices/tasks.ts';
import type { CallerInfo } from './server/callerRights.ts';
import { confirmGraphQL } from './server/findService.ts';
import { KnownServer, type KnownServerOptions } from './server/knownServer.ts';
import { OperationsEndpoint } from './server/operationsEndpoint.ts';
import type { ServerIdentity } from './server/serverInfo.ts';
import { AccessTokens } from './tokens/tokens.ts';

/** The result of a connection test. */
export interface ConnectionCheck extends CallerInfo {
  readonly server: ServerIdentity;
  /** The server accepts us but refuses to list tokens. Known only if `me` does not exist. */
  readonly tokensRefused?: ServiceFailure | undefined;
}

export class MetadataService {
  /** What is known of the server. */
  readonly server: KnownServer;
  readonly tokens: AccessTokens;
  readonly indices: TimeSeriesIndices;
  readonly tasks: DeletionTasks;

  /** @param options `dryRuns`: of all connections to the server. */
  constructor(options: TransportOptions & KnownServerOptions & { readonly dryRuns?: DryRunsUnderWay }) {
    this.server = new KnownServer(new Transport(options), options);
    const operations = new OperationsEndpoint(this.server);
    this.tokens = new AccessTokens(this.server);
    this.indices = new TimeSeriesIndices(operations, options.dryRuns);
    this.tasks = new DeletionTasks(operations);
  }

  /**
   * Asks again who the server is and what the caller may do.
   * @throws ServiceFailure with the reason.
   */
  async check(signal?: AbortSignal): Promise<ConnectionCheck> {
    const server = await untilAborted(this.server.refresh(signal), signal);
    const callerInfo = await this.server.fact('caller', signal).catch(async (thrown: unknown) => {
      // Where nothing speaks GraphQL, that is the reason, not the question.
      if (server.entrance === 'unknown') {
        await confirmGraphQL(this.server.transport, signal);
      }
      throw thrown;
    });
    const found = { ...callerInfo, server, version: server.version ?? callerInfo.version };
    if (callerInfo.identity !== undefined) {
      return found;
    }
    try {
      // Without an identity, the smallest listing shows that GraphQL answers and accepts us.
      await this.tokens.list(
        { scope: { kind: 'owned', ownerUrn: this.server.expectedCallerUrn ?? '' }, filters: [], start: 0, count: 1 },
        signal,
      );
      return found;
    } catch (thrown) {
      if (thrown instanceof ServiceFailure && thrown.kind === 'refused' && thrown.status === 200) {
        return { ...found, tokensRefused: thrown };
      }
      throw thrown;
    }
  }

  /** Aborts running requests and sends nothing more. */
  close(): void {
    this.server.transport.close();
  }
}

import { clusterControl, type ClusterControl } from './timeseries/clusterControl.ts';
import { Faults, type FaultRule } from './faults.ts';
import { frontProxy } from './front.ts';
import { metadataService } from './gms.ts';
import { edgeListener } from './listener.ts';
import type { ServiceOptions } from './options.ts';
import { createPlatform } from './platform.ts';
import type { ProfileName } from './profiles.ts';
import { RequestLog, type LoggedRequest } from './requestLog.ts';
import { listen, type ListeningServer } from './server.ts';
import type { RowSummary } from './timeseries/searchCluster.ts';
import type { TaskPacing, TaskSnapshot } from './timeseries/tasks.ts';
import type { IssueRequest, TokenRecord } from './tokens/tokens.ts';
import { userNames, userUrn, type UserName } from './users.ts';

/** A user to sign in as. The token is that of a session: it works everywhere and no listing has it. */
export interface SampleUser {
  readonly urn: string;
  readonly token: string;
}

export interface RunningService {
  readonly profile: ProfileName;
  /** Address of the metadata service itself, without a trailing slash. */
  readonly url: string;
  /** Address of the front proxy. The same as `url` in a profile without one. */
  readonly frontUrl: string;
  readonly users: Readonly<Record<UserName, SampleUser>>;
  readonly adminToken: string;
  /** Requests to the search cluster behind the service. */
  readonly cluster: ClusterControl;
  readonly faults: { add(rule: FaultRule): void; clear(): void };
  /** May be changed while running: how tasks proceed, and whether new ones fail or can't be started. */
  readonly pacing: TaskPacing;
  /** Offset of the server's clock, in ms. */
  readonly clock: { offsetMillis: number };
  /** The last requests as they arrived, credentials included. */
  readonly requests: readonly LoggedRequest[];
  clearRequests(): void;
  /**
   * Rows that readers of an index see.
   * @throws Error if there is no such index
   */
  rows(entity: string, aspect: string): RowSummary;
  /**
   * Writes a row, as a user of the platform does.
   * @param timestampMillis Unix time in ms.
   */
  addRow(entity: string, aspect: string, timestampMillis: number): void;
  tasks(): readonly TaskSnapshot[];
  /** Takes one shard off its node, or assigns it again. Searches omit the rows of an unassigned shard. */
  assignShards(entity: string, aspect: string, assigned: boolean): void;
  /** Turns the service's authentication on or off, as a restart with other settings does. */
  setAuthentication(isOn: boolean): void;
  /** Ends the lag of the listing of tokens. */
  refreshTokens(): void;
  /** Every token in the primary store. */
  tokens(): readonly TokenRecord[];
  /** Creates a token without using the API, with any expiry. */
  issueToken(request: Partial<IssueRequest>): { readonly token: string; readonly record: TokenRecord };
  /** Acts like a restart of the server and its cluster: running tasks stop and are forgotten. */
  restart(): void;
  /** Stops everything. A second call waits for the first. */
  close(): Promise<void>;
}

const thirtyDays = 30 * 24 * 60 * 60 * 1000;

/**
 * Starts a metadata service with sample data on a loopback address.
 * @throws Error with a readable sentence if a port is in use or the search cluster is unusable
 */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const skew = { offsetMillis: 0 };
  const clock = (): number => Date.now() + skew.offsetMillis;
  const pacing: TaskPacing = {
    batchDelayMillis: options.batchDelayMillis ?? 0,
    held: false,
    failAfterBatches: null,
    versionConflicts: 0,
  };
  const platform = await createPlatform(options, pacing, clock);
  const { profile, tokens, timeseries } = platform;
  const { tasks } = timeseries;

  const faults = new Faults();
  const log = new RequestLog();
  const handler = metadataService(platform);
  const front = frontProxy(profile, handler, profile.authentication);
  const tls = options.tls ?? null;
  const listening: ListeningServer[] = [];
  const shut = async (): Promise<void> => {
    await Promise.all(listening.map((server) => server.close()));
    await timeseries.close();
    platform.database.close();
  };
  try {
    listening.push(
      await listen(
        edgeListener({ server: 'service', handler, faults, log, clock, isDated: profile.datesResponses }),
        options.port ?? 0,
        tls,
      ),
    );
    if (profile.frontProxy) {
      listening.push(
        await listen(
          edgeListener({ server: 'front', handler: front, faults, log, clock, isDated: true }),
          options.frontPort ?? 0,
          tls,
        ),
      );
    }
  } catch (error) {
    await shut();
    throw error;
  }
  const [url = '', frontUrl = url] = listening.map((server) => server.url);

  let closing: Promise<void> | null = null;

  const users = Object.fromEntries(
    userNames.map((name) => {
      const urn = userUrn(name);
      return [name, { urn, token: tokens.mint('SESSION', urn, clock() + thirtyDays) }];
    }),
  ) as Record<UserName, SampleUser>;

  return {
    profile: profile.name,
    url,
    frontUrl,
    users,
    adminToken: users.admin.token,
    cluster: clusterControl(timeseries.cluster),
    faults,
    pacing,
    clock: skew,
    requests: log.entries,
    clearRequests: () => log.clear(),
    rows: timeseries.summary,
    addRow: timeseries.addRow,
    assignShards: timeseries.assignShards,
    setAuthentication: (isOn) => void Object.assign(profile, { authentication: isOn }),
    refreshTokens: () => tokens.refreshIndex(clock()),
    tasks: () => tasks.all(),
    tokens: () => tokens.all(),
    issueToken: (request) =>
      tokens.issue({
        type: 'PERSONAL',
        name: 'issued by a test',
        actorUrn: userUrn('admin'),
        ownerUrn: userUrn('admin'),
        createdAt: clock(),
        expiresAt: null,
        ...request,
      }),
    restart: () => tasks.loseRunning(),
    close: () => {
      closing ??= shut();
      return closing;
    },
  };
}

import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';
import { clusterControl, type ClusterControl } from './clusterControl.ts';
import { runCommandLine } from './commandLine.ts';
import { Faults, type FaultRule } from './faults.ts';
import { frontProxy } from './front.ts';
import { metadataService } from './gms.ts';
import { edgeListener } from './listener.ts';
import type { ServiceOptions } from './options.ts';
import { createPlatform, type MaintenanceStatus } from './platform.ts';
import type { ProfileName } from './profiles.ts';
import { RequestLog, type LoggedRequest } from './requestLog.ts';
import { listen, type ListeningServer } from './server.ts';
import type { RowSummary } from './searchCluster.ts';
import type { TaskPacing, TaskSnapshot } from './tasks.ts';
import type { IssueRequest, TokenRecord } from './tokens.ts';
import { userNames, userUrn, type UserName } from './users.ts';

/** A user to sign in as. The token is that of a session: it works everywhere and stands in no listing. */
export interface SampleUser {
  readonly urn: string;
  readonly token: string;
}

export interface RunningService {
  readonly profile: ProfileName;
  /** The metadata service's own address, without a slash at the end. */
  readonly url: string;
  /** The front proxy's; the same as `url` in a profile that has none. */
  readonly frontUrl: string;
  readonly users: Readonly<Record<UserName, SampleUser>>;
  readonly adminToken: string;
  /** Requests to the search cluster behind the service. */
  readonly cluster: ClusterControl;
  readonly faults: { add(rule: FaultRule): void; clear(): void };
  /** Change it while running: how tasks go on, and whether those started from now on fail, or cannot be started. */
  readonly pacing: TaskPacing;
  /** Announcement of administrators, if the server reports one. */
  readonly maintenance: MaintenanceStatus;
  /** How far the server's clock is off, in ms. */
  readonly clock: { offsetMillis: number };
  /** The last requests as they came over the wire, credentials included. */
  readonly requests: readonly LoggedRequest[];
  clearRequests(): void;
  /** The rows that readers of an index see. Throws when there is no such index. */
  rows(entity: string, aspect: string): RowSummary;
  /** Writes a row, like a user of the platform. @param timestampMillis Unix time in ms. */
  addRow(entity: string, aspect: string, timestampMillis: number): void;
  tasks(): readonly TaskSnapshot[];
  /** One shard of an index is on no node, or again on one: searches leave its rows out. */
  assignShards(entity: string, aspect: string, assigned: boolean): void;
  /** A node of the cluster leaves, and its running tasks with it. */
  loseNode(): void;
  /** Every token in the primary store. */
  tokens(): readonly TokenRecord[];
  /** Makes a token behind the back of the API, with any expiry. */
  issueToken(request: Partial<IssueRequest>): { readonly token: string; readonly record: TokenRecord };
  /** Effects of a restart of the server and its cluster: running tasks stop and are forgotten. */
  restart(): void;
  /** Stops everything; a second call waits for the first. */
  close(): Promise<void>;
}

const twoMinutes = 2 * 60 * 1000;
const thirtyDays = 30 * 24 * 60 * 60 * 1000;

/**
 * Starts a metadata service with sample data on a loopback address.
 * @throws Error with a readable sentence if a port is taken or the search cluster is unusable.
 */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const skew = { offsetMillis: 0 };
  const clock = (): number => Date.now() + skew.offsetMillis;
  const pacing: TaskPacing = {
    batchDelayMillis: options.batchDelayMillis ?? 0,
    held: false,
    failAfterBatches: null,
    versionConflicts: 0,
    conflicts: 'proceed',
    reindexFailure: null,
    slicedReindex: false,
    floodStage: false,
    floodRetriesMillis: 60_000,
    mergeAfterMillis: 60_000,
  };
  const platform = await createPlatform(options, pacing, clock);
  const { profile, tokens, timeseries } = platform;
  const { tasks } = timeseries;

  const faults = new Faults();
  const log = new RequestLog();
  const handler = metadataService(platform);
  const front = frontProxy(
    profile,
    handler,
    options.frontAuthentication ?? profile.authentication,
    options.frontTimeoutMillis ?? twoMinutes,
  );
  const tls = options.tls ?? null;
  const listening: ListeningServer[] = [];
  const shut = async (): Promise<void> => {
    await Promise.all(listening.map((server) => server.close()));
    await timeseries.close();
    platform.database.close();
  };
  try {
    listening.push(
      await listen(edgeListener({ server: 'service', handler, faults, log, clock }), options.port ?? 0, tls),
    );
    if (profile.frontProxy) {
      listening.push(
        await listen(
          edgeListener({ server: 'front', handler: front, faults, log, clock }),
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
    maintenance: platform.maintenance,
    clock: skew,
    requests: log.entries,
    clearRequests: () => log.clear(),
    rows: timeseries.summary,
    addRow: timeseries.addRow,
    assignShards: timeseries.assignShards,
    loseNode: () => tasks.loseRunning(),
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
    restart: () => {
      tasks.loseRunning();
      tokens.forgetTrust();
    },
    close: () => {
      closing ??= shut();
      return closing;
    },
  };
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) {
  await runCommandLine(startService);
}

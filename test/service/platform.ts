import type { DatabaseSync } from 'node:sqlite';
import { fillSearchCluster, removeSampleIndices } from './clusterSamples.ts';
import { openDatabase } from './database.ts';
import { effectiveProfile, effectiveQuirks } from './options.ts';
import type { ServiceOptions } from './options.ts';
import { sampleSources } from './ingestionSources.ts';
import type { IngestionSource } from './ingestionSources.ts';
import { OpenSearchClient } from './openSearchClient.ts';
import { OpenSearchCluster } from './openSearchCluster.ts';
import { PostgresStore } from './postgresStore.ts';
import type { Profile } from './profiles.ts';
import type { Quirks } from './quirks.ts';
import { addForeignIndex, addLargeIndex, addSampleRows, addSmallIndices } from './sampleRows.ts';
import { addSampleTokens } from './sampleTokens.ts';
import { ClusterError } from './searchCluster.ts';
import type { SearchCluster } from './searchCluster.ts';
import { SearchClusterStore } from './searchClusterStore.ts';
import { SqliteCluster } from './sqliteCluster.ts';
import { databaseTaskIds, nodeTaskIds, Tasks } from './tasks.ts';
import type { TaskPacing } from './tasks.ts';
import { TimeIndices } from './timeIndices.ts';
import type { TimeseriesStore } from './timeseriesStore.ts';
import { TokenStore } from './tokens.ts';

/** Null: nothing is announced. */
export interface MaintenanceStatus {
  message: string | null;
}

/** Everything behind the protocol: what the endpoints of all profiles work on. */
export interface Platform {
  readonly profile: Profile;
  readonly database: DatabaseSync;
  readonly tokens: TokenStore;
  readonly indices: TimeIndices;
  readonly tasks: Tasks;
  readonly store: TimeseriesStore;
  /** Null where the rows are in no search cluster. */
  readonly cluster: SearchCluster | null;
  readonly pacing: TaskPacing;
  readonly quirks: Quirks;
  readonly ingestionSources: readonly IngestionSource[];
  /** What administrators announce. */
  readonly maintenance: MaintenanceStatus;
  /** The server's clock, Unix ms. */
  readonly clock: () => number;
  /** Ends the tasks, takes the samples out of a real search cluster, and closes the database. */
  close(): Promise<void>;
}

/** Opens the database and, where it is empty, fills it with the sample data. */
export async function createPlatform(
  options: ServiceOptions,
  pacing: TaskPacing,
  clock: () => number,
): Promise<Platform> {
  const profile = effectiveProfile(options);
  const quirks = effectiveQuirks(options, profile);
  const seed = options.seed ?? 1;
  const database = openDatabase(options.database ?? ':memory:');
  const tokens = new TokenStore(database, {
    issuer: `${profile.product.toLowerCase()}-metadata-service`,
    lagMillis: profile.lagMillis,
    revocationCacheMillis: options.revocationCacheMillis ?? 0,
  });
  const indices = new TimeIndices(database);
  if (indices.all().length === 0) {
    addSampleTokens(database, tokens, options.tokens ?? 45, seed, clock());
    const rows = options.rows ?? (options.searchCluster === undefined ? 500_000 : 60_000);
    addSampleRows(database, indices, rows, seed, clock());
    addForeignIndex(database, indices, rows, clock());
    addSmallIndices(database, indices, options.smallIndices ?? 0, clock());
    addLargeIndex(database, indices, options.largeIndexRows ?? 0, clock());
  }
  if (profile.timeseriesStore === 'postgres' && options.searchCluster !== undefined) {
    throw new Error(`The profile ${profile.name} keeps its time series in PostgreSQL, not in a search cluster.`);
  }
  const inDatabase = profile.timeseriesStore === 'postgres';
  const tasks = new Tasks(pacing, inDatabase ? databaseTaskIds() : nodeTaskIds(seed));
  const { cluster, close } = inDatabase ? NO_CLUSTER : await searchCluster(options.searchCluster, indices, tasks);
  return {
    profile,
    database,
    tokens,
    indices,
    tasks,
    store: cluster ? new SearchClusterStore(cluster, profile, pacing, clock) : new PostgresStore(indices, tasks),
    cluster,
    pacing,
    quirks,
    ingestionSources: options.ingestionSources ?? sampleSources(profile),
    maintenance: { message: null },
    clock,
    close: async () => {
      tasks.forget();
      await close();
      database.close();
    },
  };
}

interface OpenCluster {
  readonly cluster: SearchCluster | null;
  close(): Promise<void>;
}

const NO_CLUSTER: OpenCluster = { cluster: null, close: async () => {} };

/**
 * @param url of a real one; undefined: one in SQLite
 * @throws Error with a sentence for the user where it can't be used
 */
async function searchCluster(url: string | undefined, indices: TimeIndices, tasks: Tasks): Promise<OpenCluster> {
  if (url === undefined) {
    return { ...NO_CLUSTER, cluster: new SqliteCluster(indices, tasks) };
  }
  const client = new OpenSearchClient(url);
  await client.send('GET', '/').catch((cause: unknown) => {
    throw new Error(`No search cluster answers at ${url}.`, { cause });
  });
  const cluster = new OpenSearchCluster(client);
  await fillSearchCluster(client, cluster, indices);
  return {
    cluster,
    close: async () => {
      try {
        await cluster.cancelTasks();
        await removeSampleIndices(client);
      } catch (error) {
        // It may have been stopped first. Whatever is left there is replaced by the next run.
        if (!(error instanceof ClusterError)) throw error;
      }
    },
  };
}

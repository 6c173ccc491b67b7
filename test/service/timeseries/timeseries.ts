import type { DatabaseSync } from 'node:sqlite';
import { clusterClock } from './clusterClock.ts';
import { canonicalName } from './indexName.ts';
import { PostgresStore } from './postgresStore.ts';
import type { Profile } from '../profiles.ts';
import { seededRandom } from '../random.ts';
import { TimeRefreshes } from './refreshes.ts';
import type { RowSummary, SearchCluster } from './searchCluster.ts';
import { SearchClusterStore } from './searchClusterStore.ts';
import { SqliteCluster } from './sqliteCluster.ts';
import { TaskRecords } from './taskRecords.ts';
import { databaseTaskIds, nodeTaskIds, Tasks, type TaskPacing } from './tasks.ts';
import type { TimeIndex, TimeIndices } from './indices.ts';
import { TimeRows, wholeView } from './rows.ts';
import type { TimeseriesStore } from './timeseriesStore.ts';

/** A service's time series, and its hidden controls for tests. */
export interface Timeseries {
  readonly store: TimeseriesStore;
  /** Null if the rows are in no search cluster. */
  readonly cluster: SearchCluster | null;
  readonly tasks: Tasks;
  /**
   * Rows that a reader sees at this moment.
   * @throws ClusterError if there is no such index
   */
  summary(entity: string, aspect: string): RowSummary;
  addRow(entity: string, aspect: string, timestampMillis: number): void;
  /** Takes one shard of the index off its node, or assigns it again. */
  assignShards(entity: string, aspect: string, assigned: boolean): void;
  /** Stops the tasks, and removes the sample from a real cluster. */
  close(): Promise<void>;
}

/** Time series in an SQLite database that imitates a search cluster or PostgreSQL. */
export function sqliteTimeseries(
  database: DatabaseSync,
  indices: TimeIndices,
  profile: Profile,
  pacing: TaskPacing,
  clock: () => number,
): Timeseries {
  const rows = new TimeRows(database);
  const records = new TaskRecords(database);
  const indexOf = (entity: string, aspect: string): TimeIndex => {
    const index = indices.find(canonicalName(entity, aspect));
    if (!index) {
      throw new Error(`No index of ${entity}/${aspect}.`);
    }
    return index;
  };
  const assignShards: Timeseries['assignShards'] = (entity, aspect, assigned) =>
    indices.setShardUnassigned(indexOf(entity, aspect), !assigned);

  if (profile.timeseriesStore === 'postgres') {
    const tasks = new Tasks(pacing, databaseTaskIds(), records);
    return {
      store: new PostgresStore(indices, rows, tasks, profile),
      cluster: null,
      tasks,
      summary: (entity, aspect) => rows.summary(wholeView(indexOf(entity, aspect).id)),
      addRow: (entity, aspect, timestampMillis) => rows.write(indexOf(entity, aspect).id, [timestampMillis], 0),
      assignShards,
      close: async () => tasks.loseRunning(),
    };
  }
  const now = clusterClock(clock);
  const tasks = new Tasks(pacing, nodeTaskIds(), records);
  const refreshes = new TimeRefreshes(indices, now, seededRandom(1));
  const cluster = new SqliteCluster(indices, rows, refreshes, tasks, pacing, now);
  return {
    store: new SearchClusterStore(cluster, profile, clock),
    cluster,
    tasks,
    summary: (entity, aspect) => cluster.peek(indexOf(entity, aspect).physicalName),
    addRow: (entity, aspect, timestampMillis) =>
      cluster.addRows(indexOf(entity, aspect).physicalName, [timestampMillis]),
    assignShards,
    close: async () => tasks.loseRunning(),
  };
}

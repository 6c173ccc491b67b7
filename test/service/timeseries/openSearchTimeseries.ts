import type { DatabaseSync } from 'node:sqlite';
import { fillSearchCluster, removeSampleIndices } from './clusterSamples.ts';
import { OpenSearchClient } from './openSearchClient.ts';
import { OpenSearchCluster } from './openSearchCluster.ts';
import type { Profile } from '../profiles.ts';
import type { Quirks } from '../quirks.ts';
import { ClusterError } from './searchCluster.ts';
import { SearchClusterStore } from './searchClusterStore.ts';
import { TaskRecords } from './taskRecords.ts';
import { nodeTaskIds, Tasks, type TaskPacing } from './tasks.ts';
import type { TimeIndices } from './indices.ts';
import { TimeRows } from './rows.ts';
import type { Timeseries } from './timeseries.ts';

/**
 * Time series in a real search cluster, which gets a database's rows once and runs its own tasks.
 *
 * @throws Error with a sentence for the user if the cluster can't be used
 */
export async function openSearchTimeseries(
  url: string,
  database: DatabaseSync,
  indices: TimeIndices,
  profile: Profile,
  quirks: Quirks,
  pacing: TaskPacing,
  clock: () => number,
): Promise<Timeseries> {
  if (profile.timeseriesStore === 'postgres') {
    throw new Error(`The profile ${profile.name} keeps its time series in PostgreSQL, not in a search cluster.`);
  }
  const client = new OpenSearchClient(url);
  await client.send('GET', '/').catch((cause: unknown) => {
    throw new Error(`No search cluster answers at ${url}.`, { cause });
  });
  const cluster = new OpenSearchCluster(client, quirks);
  await fillSearchCluster(client, cluster, indices, new TimeRows(database));
  return {
    store: new SearchClusterStore(cluster, profile, clock),
    cluster,
    // Stays empty: the cluster runs the tasks.
    tasks: new Tasks(pacing, nodeTaskIds(), new TaskRecords(database)),
    summary: elsewhere,
    addRow: elsewhere,
    assignShards: elsewhere,
    close: async () => {
      try {
        await cluster.endTasks();
        await removeSampleIndices(client);
      } catch (error) {
        // The cluster may have been stopped first. The next run replaces its data.
        if (!(error instanceof ClusterError)) throw error;
      }
    },
  };
}

function elsewhere(): never {
  throw new Error('The rows are in a real search cluster: ask for them through `cluster`.');
}

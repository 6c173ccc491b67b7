import { canonicalName, namesIn } from './indexName.ts';
import type { IndexSettings, RowSummary, SearchCluster } from './searchCluster.ts';

/** Requests to the search cluster itself, as administrators and other programs send them, by entity type and aspect. */
export interface ClusterControl {
  /** Rows that a search finds at this moment. */
  rows(entity: string, aspect: string): Promise<RowSummary>;
  addRows(entity: string, aspect: string, timestampsMillis: readonly number[]): Promise<void>;
  refresh(entity: string, aspect: string): Promise<void>;
  putSettings(entity: string, aspect: string, settings: Partial<IndexSettings>): Promise<void>;
  expungeDeletes(entity: string, aspect: string): Promise<void>;
  cancel(task: string): Promise<void>;
  /** Copies the rows that a failed reindex left behind. @returns the task's id */
  copyRows(source: string, entity: string, aspect: string, afterMillis: number): Promise<string>;
  /** DataHub's system update: gives each index the configured refresh interval again. Replicas stay as they are. */
  systemUpdate(): Promise<void>;
}

/**
 * @param cluster null: there is none, and every request throws
 * @param refreshIntervalMillis that the platform is configured with
 */
export function clusterControl(cluster: SearchCluster | null, refreshIntervalMillis: number | null): ClusterControl {
  const found = (): SearchCluster => {
    if (!cluster) {
      throw new Error('This service has no search cluster.');
    }
    return cluster;
  };
  return {
    rows: async (entity, aspect) => found().summary(canonicalName(entity, aspect)),
    addRows: async (entity, aspect, timestampsMillis) => found().write(canonicalName(entity, aspect), timestampsMillis),
    refresh: async (entity, aspect) => found().refresh(canonicalName(entity, aspect)),
    putSettings: async (entity, aspect, settings) => found().putSettings(canonicalName(entity, aspect), settings),
    cancel: async (task) => found().cancel(task),
    expungeDeletes: async (entity, aspect) => found().expungeDeletes(canonicalName(entity, aspect)),
    copyRows: async (source, entity, aspect, afterMillis) =>
      found().reindex({
        source,
        destination: canonicalName(entity, aspect),
        afterMillis,
        batchSize: 1000,
        onlyMissing: true,
      }),
    systemUpdate: async () => {
      for (const { name } of await found().statistics()) {
        // Without the index of another installation, whose name has no entity type and aspect.
        if (namesIn(name)) {
          await found().putSettings(name, { refreshIntervalMillis });
        }
      }
    },
  };
}

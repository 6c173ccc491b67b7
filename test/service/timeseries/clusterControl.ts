import { canonicalName } from './indexName.ts';
import type { IndexSettings, RowSummary, SearchCluster } from './searchCluster.ts';

/** Requests to the search cluster itself, as administrators and other programs send them, by entity type and aspect. */
export interface ClusterControl {
  /** Rows that a search finds at this moment. */
  rows(entity: string, aspect: string): Promise<RowSummary>;
  addRows(entity: string, aspect: string, timestampsMillis: readonly number[]): Promise<void>;
  refresh(entity: string, aspect: string): Promise<void>;
  putSettings(entity: string, aspect: string, settings: Partial<IndexSettings>): Promise<void>;
  /** Copies the rows that a failed reindex left behind. @returns the task's id */
  copyRows(source: string, entity: string, aspect: string, afterMillis: number): Promise<string>;
}

/** @param cluster null: there is none, and every request throws */
export function clusterControl(cluster: SearchCluster | null): ClusterControl {
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
    copyRows: async (source, entity, aspect, afterMillis) =>
      found().reindex({
        source,
        destination: canonicalName(entity, aspect),
        afterMillis,
        batchSize: 1000,
        onlyMissing: true,
      }),
  };
}

import { canonicalName, namesIn } from './indexName.ts';
import type { Profile } from '../profiles.ts';
import { ClusterError, UnreachableError, type SearchCluster, type TaskReport } from './searchCluster.ts';
import {
  AsyncReindexError,
  StoreError,
  type IndexNames,
  type IndexSize,
  type RowCounts,
  type TimeseriesStore,
  type TruncationOrder,
} from './timeseriesStore.ts';

/** The platform over a search cluster: which requests it sends, and in what order. */
export class SearchClusterStore implements TimeseriesStore {
  readonly #cluster: SearchCluster;
  readonly #profile: Profile;
  readonly #clock: () => number;

  constructor(cluster: SearchCluster, profile: Profile, clock: () => number) {
    this.#cluster = cluster;
    this.#profile = profile;
    this.#clock = clock;
  }

  async sizes(): Promise<IndexSize[]> {
    const statistics = await this.#cluster.statistics();
    return statistics.map(({ name, bytes }) => ({ indexName: name, names: namesIn(name), bytes }));
  }

  async count(names: IndexNames, lastMillis: number): Promise<RowCounts> {
    const index = indexOf(names);
    try {
      return {
        toDelete: await this.#cluster.count(index, lastMillis),
        total: await this.#cluster.count(index, null),
      };
    } catch (error) {
      throw error instanceof UnreachableError
        ? new StoreError('com.datahub.util.exception.ESQueryException: Count query failed:')
        : error;
    }
  }

  deleteByQuery({ names, lastMillis, batchSize }: TruncationOrder): Promise<string> {
    return this.#cluster.deleteByQuery({
      index: indexOf(names),
      lastMillis,
      batchSize: batchSize || this.#profile.defaultBatchSize,
    });
  }

  async reindex(order: TruncationOrder): Promise<string> {
    try {
      return await this.#reindexBehindAlias(indexOf(order.names), order);
    } catch (error) {
      // The cluster's client validates a request before sending it. The platform reports that as an invalid argument.
      throw error instanceof ClusterError
        ? new AsyncReindexError(error.message, error.status === 400 ? 400 : 500)
        : error;
    }
  }

  async task(id: string): Promise<TaskReport | null> {
    try {
      return await this.#cluster.task(id);
    } catch (error) {
      // The platform says of such a failure that the task is unknown.
      if (error instanceof UnreachableError) return null;
      throw error;
    }
  }

  /**
   * Points the alias at a new, empty index first, then copies the remaining rows to it. It may fail before there is a
   * task, with the same words before and after the alias was moved. A missing batch size is passed on as 0, which the
   * cluster refuses.
   */
  async #reindexBehindAlias(alias: string, { lastMillis, batchSize }: TruncationOrder): Promise<string> {
    const source = await this.#cluster.behindAlias(alias);
    if (source === null) {
      throw new AsyncReindexError(`Input to reindexInPlaceAsync should be an alias. ${alias} is not`, 400);
    }
    const destination = `${alias}_${Math.floor(this.#clock())}`;
    await this.#cluster.createIndex(destination, source);
    await this.#cluster.moveAlias(alias, source, destination);
    if (this.#profile.reindexTunesIndex) {
      await this.#cluster.refresh(source);
      await this.#cluster.putSettings(destination, { replicas: 0, refreshIntervalMillis: -1 });
    }
    return this.#cluster.reindex({ source, destination, afterMillis: lastMillis, batchSize });
  }
}

function indexOf({ entity, aspect }: IndexNames): string {
  return canonicalName(entity, aspect);
}

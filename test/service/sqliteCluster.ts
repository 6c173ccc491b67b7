import { ClusterError } from './searchCluster.ts';
import type {
  DeleteByQueryRequest,
  IndexSettings,
  IndexStatistics,
  ReindexRequest,
  RowSummary,
  SearchCluster,
  TaskReport,
} from './searchCluster.ts';
import type { Tasks } from './tasks.ts';
import type { RowPlace, TimeIndex, TimeIndices } from './timeIndices.ts';

/** The result window of a search cluster: it gives no larger page of a search. */
const resultWindow = 10_000;

/** A search cluster that keeps its rows in SQLite. */
export class SqliteCluster implements SearchCluster {
  readonly #indices: TimeIndices;
  readonly #tasks: Tasks;

  constructor(indices: TimeIndices, tasks: Tasks) {
    this.#indices = indices;
    this.#tasks = tasks;
  }

  async statistics(): Promise<readonly IndexStatistics[]> {
    return this.#indices.statistics();
  }

  async behindAlias(alias: string): Promise<string | null> {
    const index = this.#indices.find(alias);
    return index?.alias === alias ? index.physicalName : null;
  }

  async count(index: string, lastMillis: number | null): Promise<number> {
    const found = this.#index(index);
    return lastMillis === null ? this.#indices.summary(found).count : this.#indices.countUpTo(found, lastMillis);
  }

  async summary(index: string): Promise<RowSummary> {
    return this.#indices.summary(this.#index(index));
  }

  async createIndex(name: string, like: string): Promise<void> {
    this.#indices.add({ ...this.#index(like), physicalName: name, alias: null });
  }

  async moveAlias(alias: string, from: string, to: string): Promise<void> {
    this.#indices.moveAlias(alias, this.#index(from), this.#index(to));
  }

  async putSettings(_index: string, _settings: Partial<IndexSettings>): Promise<void> {}

  async refresh(_index: string): Promise<void> {}

  async expungeDeletes(_index: string): Promise<void> {}

  async write(index: string, timestampsMillis: readonly number[]): Promise<void> {
    const found = this.#index(index);
    for (const timestampMillis of timestampsMillis) {
      this.#indices.addRow(found, timestampMillis);
    }
  }

  async task(id: string): Promise<TaskReport | null> {
    return this.#tasks.find(id);
  }

  async deleteByQuery({ index, lastMillis, batchSize }: DeleteByQueryRequest): Promise<string> {
    const found = this.#index(index);
    const rows = this.#indices.countUpTo(found, lastMillis);
    const refused = batchSize > resultWindow;
    return this.#tasks.start({
      description: `delete by query ${found.physicalName}`,
      total: refused ? 0 : rows,
      timeoutMillis: 0,
      batch: (counts, spared) => {
        if (refused) {
          return 'failed';
        }
        const deleted = this.#indices.deleteBatch(found, lastMillis, batchSize, spared);
        counts.deleted += deleted;
        counts.version_conflicts = Math.min(spared, rows);
        return deleted < batchSize || counts.deleted + spared >= rows ? 'done' : 'more';
      },
    });
  }

  async reindex({ source, destination, afterMillis, batchSize }: ReindexRequest): Promise<string> {
    const from = this.#index(source);
    const to = this.#index(destination);
    const refused = batchSize > resultWindow;
    let reached: RowPlace = { timestampMillis: afterMillis, row: Number.MAX_SAFE_INTEGER };
    return this.#tasks.start({
      description: `reindex from [${source}] to [${destination}]`,
      total: refused ? 0 : this.#indices.summary(from).count - this.#indices.countUpTo(from, afterMillis),
      timeoutMillis: 0,
      batch: (counts) => {
        if (refused) {
          return 'failed';
        }
        const batch = this.#indices.copyBatch(from, to, reached, batchSize);
        reached = batch.reached;
        counts.created += batch.copied;
        return batch.copied < batchSize ? 'done' : 'more';
      },
    });
  }

  #index(name: string): TimeIndex {
    const index = this.#indices.find(name);
    if (index === null) {
      throw new ClusterError(404, `[type=index_not_found_exception, reason=no such index [${name}]]`);
    }
    return index;
  }
}

import { isRegistrySpelling } from './entityRegistry.ts';
import { canonicalName } from './indexName.ts';
import type { TaskReport } from './searchCluster.ts';
import type { Tasks } from './tasks.ts';
import type { TimeIndex, TimeIndices } from './timeIndices.ts';
import { AsyncReindexError } from './timeseriesStore.ts';
import type { IndexNames, IndexSize, RowCounts, TimeseriesStore, TruncationOrder } from './timeseriesStore.ts';

/** One table holds every row, and its size says nothing of what is in it. */
const table = 'public.metadata_timeseries_aspect';

/** The platform over PostgreSQL, which compares names as they are and finds no rows of a name that it does not have. */
export class PostgresStore implements TimeseriesStore {
  readonly #indices: TimeIndices;
  readonly #tasks: Tasks;

  constructor(indices: TimeIndices, tasks: Tasks) {
    this.#indices = indices;
    this.#tasks = tasks;
  }

  async sizes(): Promise<IndexSize[]> {
    const bytes = this.#indices.statistics().reduce((sum, size) => sum + size.bytes, 0);
    return [{ indexName: table, names: { entity: '*', aspect: '*' }, bytes }];
  }

  async count(names: IndexNames, lastMillis: number): Promise<RowCounts> {
    const index = this.#find(names);
    return index === null
      ? { toDelete: 0, total: 0 }
      : { toDelete: this.#indices.countUpTo(index, lastMillis), total: this.#indices.summary(index).count };
  }

  async deleteByQuery({ names, lastMillis, batchSize, timeoutSeconds }: TruncationOrder): Promise<string> {
    const index = this.#find(names);
    // Without a batch size everything is deleted in one statement, which no timeout interrupts.
    const unbounded = batchSize === 0;
    const limit = unbounded ? Number.MAX_SAFE_INTEGER : batchSize;
    return this.#tasks.start({
      description: `delete of ${names.entity}/${names.aspect}`,
      total: (await this.count(names, lastMillis)).toDelete,
      timeoutMillis: unbounded ? 0 : timeoutSeconds * 1000,
      batch: (counts) => {
        const deleted = index === null ? 0 : this.#indices.deleteBatch(index, lastMillis, limit, 0);
        counts.deleted += deleted;
        return deleted < limit ? 'done' : 'more';
      },
    });
  }

  async reindex(): Promise<string> {
    throw new AsyncReindexError('PostgreSQL has no indices of a search cluster');
  }

  async task(id: string): Promise<TaskReport | null> {
    return this.#tasks.find(id);
  }

  #find({ entity, aspect }: IndexNames): TimeIndex | null {
    return isRegistrySpelling(entity, aspect) ? this.#indices.find(canonicalName(entity, aspect)) : null;
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { isRegistrySpelling } from './entityRegistry.ts';
import { canonicalName } from './indexName.ts';
import type { Profile } from '../profiles.ts';
import type { TaskReport } from './searchCluster.ts';
import type { TaskSnapshot, Tasks } from './tasks.ts';
import type { TimeIndex, TimeIndices } from './indices.ts';
import { wholeView, type TimeRows } from './rows.ts';
import {
  AsyncReindexError,
  StoreError,
  type IndexNames,
  type IndexSize,
  type RowCounts,
  type TimeseriesStore,
  type TruncationOrder,
} from './timeseriesStore.ts';

/** One table holds every row, so its size says nothing about any index. */
const table = 'public.metadata_timeseries_aspect';

type DeletionEnd = 'done' | 'timed out' | 'interrupted' | 'failed';

/** The platform over PostgreSQL, which compares names exactly and finds no rows for an unknown one. */
export class PostgresStore implements TimeseriesStore {
  readonly #indices: TimeIndices;
  readonly #rows: TimeRows;
  readonly #tasks: Tasks;
  readonly #profile: Profile;

  constructor(indices: TimeIndices, rows: TimeRows, tasks: Tasks, profile: Profile) {
    this.#indices = indices;
    this.#rows = rows;
    this.#tasks = tasks;
    this.#profile = profile;
  }

  async sizes(): Promise<IndexSize[]> {
    const stored = this.#rows.stored();
    const bytes = this.#indices
      .all()
      .reduce((sum, { id, bytesPerRow }) => sum + (stored.get(id)?.live ?? 0) * bytesPerRow, 0);
    return [{ indexName: table, names: { entity: '*', aspect: '*' }, bytes }];
  }

  async count(names: IndexNames, lastMillis: number): Promise<RowCounts> {
    const index = this.#find(names);
    return index === null
      ? { toDelete: 0, total: 0 }
      : {
          toDelete: this.#rows.count(wholeView(index.id), lastMillis),
          total: this.#rows.count(wholeView(index.id), null),
        };
  }

  /** Answers once every row is gone. */
  async deleteByQuery(order: TruncationOrder): Promise<string> {
    const id = this.#start(order, (await this.count(order.names, order.lastMillis)).toDelete);
    const end = await this.#endWithin(id, order.timeoutSeconds);
    if (end !== 'done') {
      throw new StoreError(`PostgreSQL async timeseries delete ${end} (taskId=${id})`);
    }
    return id;
  }

  async reindex(): Promise<string> {
    throw new AsyncReindexError('PostgreSQL has no indices of a search cluster', 500);
  }

  async task(id: string): Promise<TaskReport | null> {
    return this.#tasks.find(id);
  }

  #start({ names, lastMillis, batchSize, timeoutSeconds }: TruncationOrder, total: number): string {
    const index = this.#find(names);
    // Without a batch size everything is deleted in one statement, and no timeout interrupts it.
    const unbounded = batchSize === 0;
    const limit = unbounded ? Number.MAX_SAFE_INTEGER : batchSize;
    return this.#tasks.start({
      description: `delete of ${names.entity}/${names.aspect}`,
      total,
      timeoutMillis: unbounded ? 0 : timeoutSeconds * 1000,
      batch: (counts) => {
        const deleted = index === null ? 0 : this.#rows.remove(index.id, lastMillis, limit);
        counts.deleted += deleted;
        return deleted < limit ? 'done' : 'more';
      },
    });
  }

  /**
   * Waits for the end, up to a limit.
   * @param seconds 0: no limit
   */
  async #endWithin(id: string, seconds: number): Promise<DeletionEnd> {
    const waiting = new AbortController();
    const late = delay(seconds * 1000, 'timed out' as const, { signal: waiting.signal, ref: false });
    const end = this.#tasks.end(id).then(howItEnded);
    try {
      return await (seconds === 0 ? end : Promise.race([end, late]));
    } finally {
      late.catch(() => {});
      waiting.abort();
    }
  }

  #find({ entity, aspect }: IndexNames): TimeIndex | null {
    return isRegistrySpelling(this.#profile, entity, aspect) ? this.#indices.find(canonicalName(entity, aspect)) : null;
  }
}

function howItEnded(task: TaskSnapshot | null): DeletionEnd {
  if (task === null) {
    return 'interrupted';
  }
  return task.ended === null ? 'done' : task.ended === 'timeout' ? 'timed out' : 'failed';
}

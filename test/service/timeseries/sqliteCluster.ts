import type { TimeRefreshes } from './refreshes.ts';
import {
  ClusterError,
  type DeleteByQueryRequest,
  type IndexSettings,
  type IndexStatistics,
  type ReindexRequest,
  type RowSummary,
  type SearchCluster,
  type TaskReport,
} from './searchCluster.ts';
import type { BatchWork, TaskPacing, Tasks } from './tasks.ts';
import type { TimeIndex, TimeIndices } from './indices.ts';
import type { FoundRow, RowPlace, RowView, StoredRows, TimeRows } from './rows.ts';

/** Result window of a search cluster: its largest page. */
const resultWindow = 10_000;

/** Disk space of an index, and of a deletion marker. */
const emptyIndexBytes = 208;
const deletionBytes = 160;

/** A merge removes deleted rows only if they are at least one in this many. */
const mergedShare = 5;
/** Time between a deletion and the merge of its index, in ms. */
const mergeAfterMillis = 60_000;

const beforeAll: RowPlace = { timestampMillis: Number.MIN_SAFE_INTEGER, row: 0 };

/** A search cluster that keeps its rows in SQLite. */
export class SqliteCluster implements SearchCluster {
  readonly #indices: TimeIndices;
  readonly #rows: TimeRows;
  readonly #refreshes: TimeRefreshes;
  readonly #tasks: Tasks;
  readonly #pacing: TaskPacing;
  readonly #now: () => number;

  constructor(
    indices: TimeIndices,
    rows: TimeRows,
    refreshes: TimeRefreshes,
    tasks: Tasks,
    pacing: TaskPacing,
    now: () => number,
  ) {
    this.#indices = indices;
    this.#rows = rows;
    this.#refreshes = refreshes;
    this.#tasks = tasks;
    this.#pacing = pacing;
    this.#now = now;
  }

  async statistics(): Promise<readonly IndexStatistics[]> {
    this.#merge();
    const stored = this.#rows.stored();
    return this.#indices
      .matching('*aspect_v1')
      .map((index) => ({ name: index.physicalName, bytes: bytesOf(index, stored.get(index.id)) }));
  }

  async behindAlias(alias: string): Promise<string | null> {
    const index = this.#indices.find(alias);
    return index?.alias === alias ? index.physicalName : null;
  }

  async count(index: string, lastMillis: number | null): Promise<number> {
    return this.#count(this.#searchAll(this.#matching(index)), lastMillis);
  }

  async summary(index: string): Promise<RowSummary> {
    return this.#rows.summary(this.#search(this.#index(index)));
  }

  /** Result of a search, without its effect on refreshes. */
  peek(index: string): RowSummary {
    const found = this.#index(index);
    return this.#rows.summary(viewOf(found, this.#refreshes.peek(found)));
  }

  async createIndex(name: string, like: string): Promise<void> {
    this.#indices.add({ physicalName: name, alias: null, bytesPerRow: this.#index(like).bytesPerRow });
  }

  async moveAlias(alias: string, from: string, to: string): Promise<void> {
    this.#indices.setAlias(this.#index(from), null);
    this.#indices.setAlias(this.#index(to), alias);
  }

  async putSettings(index: string, settings: Partial<IndexSettings>): Promise<void> {
    const { refreshIntervalMillis, replicas, writeBlocked } = settings;
    if (refreshIntervalMillis !== undefined) {
      this.#refreshes.setInterval(this.#index(index), refreshIntervalMillis);
    }
    if (replicas !== undefined) {
      this.#refreshes.setReplicas(this.#index(index), replicas);
    }
    if (writeBlocked !== undefined) {
      this.#indices.setWriteBlocked(this.#index(index), writeBlocked);
    }
  }

  async refresh(index: string): Promise<void> {
    this.#refreshes.refresh(this.#index(index));
  }

  async write(index: string, timestampsMillis: readonly number[]): Promise<void> {
    this.addRows(index, timestampsMillis);
  }

  addRows(index: string, timestampsMillis: readonly number[]): void {
    const found = this.#index(index);
    if (found.writeBlocked) {
      throw new ClusterError(
        403,
        `[type=cluster_block_exception, reason=index [${index}] blocked by: [FORBIDDEN/8/index write (api)];]`,
      );
    }
    this.#rows.write(found.id, timestampsMillis, this.#now());
  }

  async task(id: string): Promise<TaskReport | null> {
    return this.#tasks.find(id);
  }

  async deleteByQuery({ index, lastMillis, batchSize }: DeleteByQueryRequest): Promise<string> {
    refuseEmptyBatch(batchSize);
    const found = this.#matching(index);
    const views = this.#searchAll(found);
    const readable = found.every((each) => canScroll(each, batchSize));
    const total = readable ? this.#count(views, lastMillis) : 0;
    const nextPage = this.#pages(views, lastMillis, batchSize);
    let spared = Math.min(this.#pacing.versionConflicts, total);
    return this.#tasks.start({
      description: `delete-by-query [${found.map(({ physicalName }) => physicalName).join(', ')}]`,
      total,
      timeoutMillis: 0,
      batch: (counts) => {
        if (!readable) {
          return 'failed';
        }
        if (found.some(({ physicalName }) => this.#index(physicalName).writeBlocked)) {
          counts.batches += 1;
          return 'failed';
        }
        const page = nextPage();
        const unchanged = page.filter(({ deleted }) => !deleted);
        const gone = unchanged.slice(spared);
        spared -= unchanged.length - gone.length;
        this.#rows.delete(gone, this.#now());
        counts.deleted += gone.length;
        counts.version_conflicts += page.length - gone.length;
        return page.length < batchSize || counts.deleted + counts.version_conflicts >= total ? 'done' : 'more';
      },
    });
  }

  async reindex({ source, destination, afterMillis, batchSize }: ReindexRequest): Promise<string> {
    refuseEmptyBatch(batchSize);
    const from = this.#index(source);
    const to = this.#index(destination);
    const view = this.#search(from);
    const readable = canScroll(from, batchSize);
    return this.#tasks.start({
      description: `reindex from [${source}] to [${destination}]`,
      total: readable ? this.#rows.count(view, null) - this.#rows.count(view, afterMillis) : 0,
      timeoutMillis: 0,
      batch: readable ? this.#copying(view, to, afterMillis, batchSize) : () => 'failed',
    });
  }

  /** Searching an index refreshes it if nothing else does. */
  #search(index: TimeIndex): RowView {
    return viewOf(index, this.#refreshes.search(index));
  }

  #searchAll(indices: readonly TimeIndex[]): RowView[] {
    return indices.map((index) => this.#search(index));
  }

  #count(views: readonly RowView[], lastMillis: number | null): number {
    return views.reduce((sum, view) => sum + this.#rows.count(view, lastMillis), 0);
  }

  /** Returns the next page with every call: the rows of one index after those of another. */
  #pages(views: readonly RowView[], lastMillis: number, size: number): () => FoundRow[] {
    const left = [...views];
    let after = beforeAll;
    return () => {
      const page: FoundRow[] = [];
      for (let view = left[0]; view && page.length < size; view = left[0]) {
        page.push(...this.#rows.page(view, after, lastMillis, size - page.length));
        if (page.length < size) {
          left.shift();
        }
        after = page.length < size ? beforeAll : (page.at(-1) ?? after);
      }
      return page;
    };
  }

  #copying(view: RowView, to: TimeIndex, afterMillis: number, batchSize: number): BatchWork {
    let after: RowPlace = { timestampMillis: afterMillis, row: Number.MAX_SAFE_INTEGER };
    return (counts) => {
      const page: FoundRow[] = this.#rows.page(view, after, Number.MAX_SAFE_INTEGER, batchSize);
      after = page.at(-1) ?? after;
      const created = this.#rows.copy(page, to.id, this.#now());
      counts.created += created;
      counts.version_conflicts += page.length - created;
      return page.length < batchSize ? 'done' : 'more';
    };
  }

  /** Merges each index with enough deletions that are old enough. */
  #merge(): void {
    const stored = this.#rows.stored();
    const lastDeletion = this.#now() - mergeAfterMillis;
    for (const index of this.#indices.all()) {
      const { live = 0, deleted = 0, lastDeletedAt = 0 } = stored.get(index.id) ?? {};
      if (deleted > 0 && deleted * mergedShare >= live + deleted && lastDeletedAt <= lastDeletion) {
        this.#rows.expunge(index.id, this.#refreshes.seenByAll(index));
      }
    }
  }

  /** Without a match there are none, which is no error. Without `*` a name has to exist. */
  #matching(name: string): readonly TimeIndex[] {
    return name.includes('*') ? this.#indices.matching(name) : [this.#index(name)];
  }

  #index(name: string): TimeIndex {
    const index = this.#indices.find(name);
    if (index === null) {
      throw new ClusterError(404, `[type=index_not_found_exception, reason=no such index [${name}]]`);
    }
    return index;
  }
}

function viewOf(index: TimeIndex, upTo: number): RowView {
  return { indexId: index.id, upTo, shardMissing: index.shardUnassigned };
}

/** False if a task gets no page to work on. It then ends at once, and its status does not say why. */
function canScroll(index: TimeIndex, batchSize: number): boolean {
  return batchSize <= resultWindow && !index.shardUnassigned;
}

function refuseEmptyBatch(batchSize: number): void {
  if (batchSize === 0) {
    const reason = 'Validation Failed: 1: [size] cannot be [0] in a scroll context;';
    throw new ClusterError(400, `[type=action_request_validation_exception, reason=${reason}]`);
  }
}

function bytesOf({ bytesPerRow }: TimeIndex, { live, deleted }: StoredRows = noRows): number {
  return emptyIndexBytes + (live + deleted) * bytesPerRow + deleted * deletionBytes;
}

const noRows: StoredRows = { live: 0, deleted: 0, lastDeletedAt: 0 };

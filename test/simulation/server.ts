/**
 * A metadata service with a few time series indices: it counts, deletes in batches of a task, and fails in the ways
 * of real ones.
 */
import type { TruncationPlan } from '../../src/service/indices/truncationRequest.ts';
import type { Random } from './random.ts';
import { SearchIndex, type Row } from './searchIndex.ts';
import type { Timeline } from './timeline.ts';

export const ENTITY_TYPE = 'dataset';
export const ASPECTS = ['operation', 'datasetprofile', 'datasetusagestatistics'] as const;
export type Aspect = (typeof ASPECTS)[number];

/** Body of a received truncation. */
export interface ReceivedPlan {
  readonly entityType: string;
  readonly aspect: Aspect;
  readonly endTimeMillis: number;
  readonly dryRun: boolean;
  readonly batchSize: number;
  readonly timeoutSeconds?: number;
  readonly forceDeleteByQuery?: boolean;
  readonly forceReindex?: boolean;
}

export function isSame(received: ReceivedPlan, plan: TruncationPlan): boolean {
  return (
    received.entityType === plan.entityType &&
    received.aspect === plan.aspect &&
    received.endTimeMillis === plan.endTimeMillis &&
    received.batchSize === plan.batchSize &&
    received.timeoutSeconds === plan.timeoutSeconds &&
    (received.forceDeleteByQuery === true) === (plan.strategy === 'deleteByQuery') &&
    (received.forceReindex === true) === (plan.strategy === 'reindex')
  );
}

export interface Reply {
  readonly status: number;
  readonly body: string;
}

interface Task {
  readonly id: string;
  total: number;
  done: number;
  conflicts: number;
  completed: boolean;
  readonly counts: 'deleted' | 'created';
}

/** Effect of an execution, with which reports are compared. */
export interface ServerDeletion {
  readonly plan: ReceivedPlan;
  /** Rows to delete when it was received, and rows to keep that every copy showed. */
  readonly going: ReadonlySet<number>;
  readonly staying: readonly Row[];
  readonly strategy: 'reindex' | 'deleteByQuery';
  /** Rows that changed while the deletion ran, and were kept. */
  conflicts: number;
}

const MINUTE = 60_000;
const DAY = 86_400_000;
const BATCH_ROWS = 3;

export class Server {
  readonly #timeline: Timeline;
  readonly #random: Random;
  readonly baseUrl: string;
  readonly #tasks = new Map<string, Task>();
  readonly #indices: Readonly<Record<Aspect, SearchIndex>>;
  #nextRow = 0;
  /** A reindex leaves the refreshing of its index off, as on current servers. */
  readonly #hidesAfterReindex: boolean;
  /** Everything that changed something, in order. */
  readonly deletions: ServerDeletion[] = [];

  constructor(timeline: Timeline, random: Random, baseUrl: string) {
    this.#timeline = timeline;
    this.#random = random;
    this.baseUrl = baseUrl;
    const interval = random.pick([0, 1_000, 30_000]);
    const refreshMillis = random.chance(0.5) ? [interval, interval * 0.6] : [interval];
    this.#hidesAfterReindex = random.chance(0.5);
    const index = (): SearchIndex => new SearchIndex(timeline, random, refreshMillis);
    this.#indices = { operation: index(), datasetprofile: index(), datasetusagestatistics: index() };
    for (const aspect of ASPECTS) {
      const count = random.whole(6, 14);
      this.#indices[aspect].fill(Array.from({ length: count }, () => this.#newRow(random.whole(1, 100) * DAY)));
    }
  }

  /** Stored rows of one index. */
  rowsOf({ aspect }: { readonly aspect: Aspect }): readonly Row[] {
    return this.#indices[aspect].rows;
  }

  /**
   * Rows of one index that each copy shows to readers.
   * @param countedAgo age of the count, in ms
   */
  seenOf({ aspect }: { readonly aspect: Aspect }, countedAgo?: number): readonly (readonly Row[])[] {
    return this.#indices[aspect]?.seen(countedAgo) ?? [];
  }

  /**
   * Rows of one index that each copy shows to readers, and showed to a count.
   * @param countedAgo age of the count, in ms
   */
  seenSince({ aspect }: { readonly aspect: Aspect }, countedAgo: number): readonly (readonly Row[])[] {
    return this.#indices[aspect]?.seenSince(countedAgo) ?? [];
  }

  /** An administrator turns an index's refreshing on for good. */
  refresh(aspect: Aspect): void {
    this.#indices[aspect].refreshAgain();
  }

  /**
   * Adds one row to each index.
   * @param age in ms
   */
  addRows(age: number): void {
    ASPECTS.forEach((aspect) => this.#addRow(age, aspect));
  }

  answer(path: string, body: string): Reply {
    if (path.endsWith('/config')) {
      return json({ noCode: 'true', versions: { 'acryldata/datahub': { version: 'v1.7.0.1' } } });
    }
    if (path.endsWith('/api/graphql')) {
      return body.includes('query schema') ? WITHOUT_SCHEMA : { status: 404, body: '' };
    }
    const action = /[?&]action=(\w+)/.exec(path)?.[1];
    if (!path.includes('/operations')) {
      return { status: 404, body: '' };
    }
    switch (action) {
      case 'truncateTimeseriesAspect':
        return this.#truncate(JSON.parse(body) as ReceivedPlan);
      case 'getEsTaskStatus':
        return this.#taskStatus((JSON.parse(body) as { task: string }).task);
      default:
        return json({ value: { indexSizes: [] } });
    }
  }

  #addRow(age: number, aspect: Aspect): void {
    const row = this.#newRow(age);
    this.#indices[aspect].change((rows) => [...rows, row]);
  }

  #newRow(age: number): Row {
    return { id: this.#nextRow++, at: this.#timeline.wall - this.#timeline.wallOffset - age };
  }

  #truncate(plan: ReceivedPlan): Reply {
    if (plan.forceDeleteByQuery !== undefined && plan.forceDeleteByQuery === plan.forceReindex) {
      return json({ value: 'please only set forceReindex OR forceDeleteByQuery flags' });
    }
    if (!ASPECTS.includes(plan.aspect)) {
      return restliError(400, 'java.lang.IllegalArgumentException: no such aspect');
    }
    const rows = plan.dryRun ? this.#indices[plan.aspect].search() : this.#indices[plan.aspect].rows;
    const going = rows.filter(({ at }) => at <= plan.endTimeMillis);
    const staying = rows.filter(({ at }) => at > plan.endTimeMillis);
    const wantsReindex =
      plan.forceReindex === true || (plan.forceDeleteByQuery !== true && going.length > rows.length / 2);
    const strategy = wantsReindex ? 'reindex' : 'deleteByQuery';
    if (plan.dryRun) {
      const share = rows.length === 0 ? 'NaN' : ((going.length / rows.length) * 100).toFixed(2);
      const how =
        strategy === 'reindex'
          ? 'Reindexing the aspect without the deleted records. '
          : 'Issuing a delete by query request. ';
      return json({
        value:
          `Delete ${going.length} out of ${rows.length} rows (${share}%). ${how}` +
          'This was a dry run. Run with dryRun = false to execute.',
      });
    }
    if (this.#random.chance(0.04)) {
      return json({ value: 'The cluster is read-only at the moment.' });
    }
    const shown = this.#indices[plan.aspect].seen().map(idsOf);
    const seen = staying.filter(({ id }) => shown.every((ids) => ids.has(id)));
    const deletion: ServerDeletion = { plan, going: idsOf(going), staying: seen, strategy, conflicts: 0 };
    this.#liveOn(plan.aspect);
    return strategy === 'reindex' ? this.#reindex(deletion, staying) : this.#deleteByQuery(deletion, going);
  }

  /**
   * Events while a truncation is observed: late rows with earlier dates, a node that leaves, an administrator who
   * helps.
   */
  #liveOn(aspect: Aspect): void {
    const sometimes = (chance: number, latest: number, happen: () => void): void => {
      if (this.#random.chance(chance)) {
        this.#timeline.after(this.#random.whole(0, latest), happen);
      }
    };
    sometimes(0.3, 10 * MINUTE, () => this.#addRow(this.#random.whole(1, 100) * DAY, aspect));
    sometimes(0.2, 15 * MINUTE, () =>
      this.#indices[aspect].loseShard(this.#random.pick([5_000, MINUTE, 5 * MINUTE, 20 * MINUTE])),
    );
    sometimes(0.5, 12 * MINUTE, () => this.refresh(aspect));
  }

  #deleteByQuery(deletion: ServerDeletion, going: readonly Row[]): Reply {
    this.deletions.push(deletion);
    const spared = this.#random.chance(0.2) ? 1 : 0;
    deletion.conflicts = Math.min(spared, going.length);
    const task = this.#start(going.length, 'deleted');
    task.conflicts = deletion.conflicts;
    const left = going.slice(deletion.conflicts);
    const index = this.#indices[deletion.plan.aspect];
    this.#inBatches(task, left, (batch) => {
      const ids = idsOf(batch);
      index.change((rows) => rows.filter(({ id }) => !ids.has(id)));
    });
    return json({ value: task.id });
  }

  /** The alias moves to the new, empty index first. Then the remaining rows are copied to it. */
  #reindex(deletion: ServerDeletion, staying: readonly Row[]): Reply {
    const breaks = this.#random.weighted({ never: 6, before: 2, after: 2 });
    if (breaks === 'before') {
      return restliError(400, 'java.lang.IllegalArgumentException: Async reindex failed');
    }
    this.deletions.push(deletion);
    const copy = this.#indices[deletion.plan.aspect].replace(this.#hidesAfterReindex);
    if (breaks === 'after') {
      return restliError(400, 'java.lang.IllegalArgumentException: Async reindex failed');
    }
    const task = this.#start(staying.length, 'created');
    this.#inBatches(task, staying, copy);
    return json({ value: task.id });
  }

  #start(total: number, counts: Task['counts']): Task {
    const id = `node:${this.#tasks.size + 1}`;
    const task: Task = { id, total, done: 0, conflicts: 0, completed: false, counts };
    this.#tasks.set(id, task);
    return task;
  }

  #inBatches(task: Task, rows: readonly Row[], work: (batch: readonly Row[]) => void): void {
    const breaksAfter = this.#random.chance(0.12) ? this.#random.whole(0, 2) : Number.POSITIVE_INFINITY;
    const lostAfter = this.#random.chance(0.05) ? this.#random.whole(0, 2) : Number.POSITIVE_INFINITY;
    const pause = this.#random.pick([20, 400, 5_000]);
    const step = (from: number, batches: number): void => {
      if (batches >= lostAfter) {
        // Its node has left, and took the task with it.
        this.#tasks.delete(task.id);
        return;
      }
      if (batches >= breaksAfter || from >= rows.length) {
        task.completed = true;
        if (batches === 0) {
          // Its first search failed, so it has counted nothing.
          task.total = 0;
        }
        // A cluster forgets tasks some time after their end, and when a node restarts.
        this.#timeline.after(this.#random.whole(1_000, 600_000), () => this.#tasks.delete(task.id));
        return;
      }
      const batch = rows.slice(from, from + BATCH_ROWS);
      work(batch);
      task.done += batch.length;
      this.#timeline.after(pause, () => step(from + BATCH_ROWS, batches + 1));
    };
    this.#timeline.after(this.#random.whole(0, 200), () => step(0, 0));
  }

  #taskStatus(id: string): Reply {
    const task = this.#tasks.get(id);
    if (task === undefined) {
      return json({ value: JSON.stringify({ error: `Could not get task status for ${id}` }) });
    }
    const { total, done, conflicts, completed, counts } = task;
    const status = {
      total,
      updated: 0,
      created: counts === 'created' ? done : 0,
      deleted: counts === 'deleted' ? done : 0,
      version_conflicts: conflicts,
    };
    return json({ value: JSON.stringify({ completed, taskId: id, runTimeNanos: 1, status: JSON.stringify(status) }) });
  }
}

/** Tells nothing about its schema. */
const WITHOUT_SCHEMA = json({ errors: [{ message: 'Introspection has been disabled', extensions: { code: 400 } }] });

function idsOf(rows: readonly Row[]): ReadonlySet<number> {
  return new Set(rows.map(({ id }) => id));
}

function json(value: unknown): Reply {
  return { status: 200, body: JSON.stringify(value) };
}

function restliError(status: number, message: string): Reply {
  return {
    status,
    body: JSON.stringify({ exceptionClass: 'com.linkedin.restli.server.RestLiServiceException', message, status }),
  };
}

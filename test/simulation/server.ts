/**
 * A metadata service with a few time series indices: it counts, deletes in batches of a task, and fails in the ways
 * of real ones.
 */
import type { TruncationPlan } from '../../src/service/indices/truncationRequest.ts';
import type { Random } from './random.ts';
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

export interface Row {
  /** Unique among the indices of a server. */
  readonly id: number;
  /** Unix time in ms. */
  readonly at: number;
}

/** An index, until a reindex puts another in its place. */
interface Index {
  rows: readonly Row[];
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

/** An execution that changed something. */
export interface ServerDeletion {
  readonly plan: ReceivedPlan;
}

const MINUTE = 60_000;
const DAY = 86_400_000;
const BATCH_ROWS = 3;

export class Server {
  readonly #timeline: Timeline;
  readonly #random: Random;
  readonly baseUrl: string;
  readonly #tasks = new Map<string, Task>();
  readonly #indices: Record<Aspect, Index>;
  #nextRow = 0;
  /** Everything that changed something, in order. */
  readonly deletions: ServerDeletion[] = [];

  constructor(timeline: Timeline, random: Random, baseUrl: string) {
    this.#timeline = timeline;
    this.#random = random;
    this.baseUrl = baseUrl;
    const index = (): Index => {
      const count = random.whole(6, 14);
      return { rows: Array.from({ length: count }, () => this.#newRow(random.whole(1, 100) * DAY)) };
    };
    this.#indices = { operation: index(), datasetprofile: index(), datasetusagestatistics: index() };
  }

  /** Stored rows of one index. */
  rowsOf({ aspect }: { readonly aspect: Aspect }): readonly Row[] {
    return this.#indices[aspect].rows;
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
    const index = this.#indices[aspect];
    index.rows = [...index.rows, this.#newRow(age)];
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
    const rows = this.rowsOf(plan);
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
    if (this.#random.chance(0.6)) {
      // A late row with an earlier date.
      const age = this.#random.whole(1, 100) * DAY;
      this.#timeline.after(this.#random.whole(0, 5 * MINUTE), () => this.#addRow(age, plan.aspect));
    }
    return strategy === 'reindex' ? this.#reindex(plan, staying) : this.#deleteByQuery(plan, going);
  }

  #deleteByQuery(plan: ReceivedPlan, going: readonly Row[]): Reply {
    this.deletions.push({ plan });
    const task = this.#start(going.length, 'deleted');
    // Rows that change while the deletion runs are kept.
    task.conflicts = Math.min(this.#random.chance(0.2) ? 1 : 0, going.length);
    const index = this.#indices[plan.aspect];
    this.#inBatches(task, going.slice(task.conflicts), (batch) => {
      index.rows = index.rows.filter((row) => !batch.includes(row));
    });
    return json({ value: task.id });
  }

  /** The alias moves to the new, empty index first. Then the remaining rows are copied to it. */
  #reindex(plan: ReceivedPlan, staying: readonly Row[]): Reply {
    const breaks = this.#random.weighted({ never: 4, before: 2, after: 4 });
    if (breaks === 'before') {
      return restliError(400, 'java.lang.IllegalArgumentException: Async reindex failed');
    }
    this.deletions.push({ plan });
    const created: Index = { rows: [] };
    this.#indices[plan.aspect] = created;
    if (breaks === 'after') {
      return restliError(400, 'java.lang.IllegalArgumentException: Async reindex failed');
    }
    const task = this.#start(staying.length, 'created');
    this.#inBatches(task, staying, (batch) => {
      created.rows = [...created.rows, ...batch];
    });
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

function json(value: unknown): Reply {
  return { status: 200, body: JSON.stringify(value) };
}

function restliError(status: number, message: string): Reply {
  return {
    status,
    body: JSON.stringify({ exceptionClass: 'com.linkedin.restli.server.RestLiServiceException', message, status }),
  };
}

import { randomUUID } from 'node:crypto';
import { randomId, seededRandom } from '../random.ts';
import type { TaskCounts, TaskReport } from './searchCluster.ts';
import type { TaskRecords } from './taskRecords.ts';

export interface TaskSnapshot extends TaskReport {
  readonly description: string;
  /** Reason for an early end. Null if there was none. */
  readonly ended: 'timeout' | 'failure' | null;
}

/** One batch of work: adds to the counts, and says whether it was the last one or failed. */
export type BatchWork = (counts: TaskCounts) => 'more' | 'done' | 'failed';

export interface TaskRequest {
  readonly description: string;
  readonly total: number;
  readonly batch: BatchWork;
  /** 0: no limit. */
  readonly timeoutMillis: number;
}

/** Faults of tasks. May be changed while the service runs. */
export interface TaskPacing {
  /** Pause after each batch, in ms. With some hundreds a user can watch a task. */
  batchDelayMillis: number;
  /** Stops the progress of tasks. A timeout still ends them. */
  held: boolean;
  /** New tasks fail after this many batches, or never if null. */
  failAfterBatches: number | null;
  /** This many rows of each deletion change while it runs, so they stay. */
  versionConflicts: number;
}

const heldCheckMillis = 10;

interface Task {
  readonly id: string;
  readonly request: TaskRequest;
  readonly counts: TaskCounts;
  readonly startedAt: number;
  readonly failAfterBatches: number | null;
  endedAt: number | null;
  ended: TaskSnapshot['ended'];
  timer: NodeJS.Timeout | null;
  readonly onEnd: (() => void)[];
}

/**
 * Tasks of a cluster's node, or of a database. Losing the node loses its running tasks and leaves their work half
 * done.
 */
export class Tasks {
  readonly #pacing: TaskPacing;
  readonly #newId: () => string;
  readonly #records: TaskRecords;
  readonly #tasks = new Map<string, Task>();

  constructor(pacing: TaskPacing, newId: () => string, records: TaskRecords) {
    this.#pacing = pacing;
    this.#newId = newId;
    this.#records = records;
  }

  /** Starts a task and returns its ID. The first batch runs after this call has returned. */
  start(request: TaskRequest): string {
    const id = this.#newId();
    const task: Task = {
      id,
      request,
      counts: noCounts(request.total),
      startedAt: performance.now(),
      failAfterBatches: this.#pacing.failAfterBatches,
      endedAt: null,
      ended: null,
      timer: null,
      onEnd: [],
    };
    this.#tasks.set(id, task);
    this.#schedule(task);
    return id;
  }

  find(id: string): TaskReport | null {
    const task = this.#tasks.get(id);
    return task ? snapshot(task) : this.#records.find(id);
  }

  /** Tasks since the service started. */
  all(): TaskSnapshot[] {
    return [...this.#tasks.values()].map(snapshot);
  }

  /**
   * Waits for the end of a task.
   * @returns null if it was lost
   */
  async end(id: string): Promise<TaskSnapshot | null> {
    const task = this.#tasks.get(id);
    if (task && task.endedAt === null) {
      await new Promise<void>((resolve) => task.onEnd.push(resolve));
    }
    return task && task.endedAt !== null ? snapshot(task) : null;
  }

  /** Stops every running task where it is and forgets it. Records of finished ones stay. */
  loseRunning(): void {
    for (const task of this.#tasks.values()) {
      if (task.endedAt === null) {
        this.#lose(task);
      }
    }
  }

  #lose(task: Task): void {
    clearTimeout(task.timer ?? undefined);
    this.#tasks.delete(task.id);
    for (const told of task.onEnd) {
      told();
    }
  }

  #finish(task: Task, ended: TaskSnapshot['ended']): void {
    task.ended = ended;
    task.endedAt = performance.now();
    this.#records.keep(snapshot(task));
    for (const told of task.onEnd) {
      told();
    }
  }

  #schedule(task: Task): void {
    task.timer = setTimeout(() => this.#step(task), task.counts.batches === 0 ? 0 : this.#pacing.batchDelayMillis);
  }

  #step(task: Task): void {
    const { request, counts } = task;
    if (request.timeoutMillis > 0 && performance.now() - task.startedAt >= request.timeoutMillis) {
      this.#finish(task, 'timeout');
      return;
    }
    if (this.#pacing.held) {
      task.timer = setTimeout(() => this.#step(task), heldCheckMillis);
      return;
    }
    if (task.failAfterBatches !== null && counts.batches >= task.failAfterBatches) {
      this.#finish(task, 'failure');
      return;
    }
    const outcome = request.batch(counts);
    if (outcome === 'failed') {
      this.#finish(task, 'failure');
      return;
    }
    counts.batches += 1;
    if (outcome === 'more') {
      this.#schedule(task);
    } else {
      this.#finish(task, null);
    }
  }
}

/** IDs like a search cluster's: `<node>:<number>`, with ascending numbers. */
export function nodeTaskIds(): () => string {
  const node = randomId(seededRandom(3), 22);
  // Starts at the time, so that another run never reuses a number.
  let number = Date.now() % 1_000_000_000;
  let given = 0;
  return () => {
    number += 1 + (given % 7);
    given += 1;
    return `${node}:${number}`;
  };
}

/** IDs like a database's, which requests for a status refuse. */
export function databaseTaskIds(): () => string {
  return () => randomUUID();
}

function noCounts(total: number): TaskCounts {
  return { total, created: 0, deleted: 0, batches: 0, version_conflicts: 0, retries: { bulk: 0, search: 0 } };
}

function snapshot(task: Task): TaskSnapshot {
  const completed = task.endedAt !== null;
  return {
    ...task.counts,
    retries: { ...task.counts.retries },
    id: task.id,
    description: task.request.description,
    completed,
    ended: task.ended,
    runMillis: (task.endedAt ?? performance.now()) - task.startedAt,
  };
}

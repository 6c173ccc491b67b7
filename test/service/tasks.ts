import { randomUUID } from 'node:crypto';
import { randomId, seededRandom } from './random.ts';
import type { TaskCounts, TaskReport } from './searchCluster.ts';

export interface TaskSnapshot extends TaskReport {
  readonly description: string;
  /** Why it ended early; null when it did not. */
  readonly ended: 'timeout' | 'failure' | null;
}

/** One batch of work: adds to the counts and says whether it was the last one, or could not be done. `spared` rows must stay. */
export type BatchWork = (counts: TaskCounts, spared: number) => 'more' | 'done' | 'failed';

export interface TaskRequest {
  readonly description: string;
  readonly total: number;
  readonly batch: BatchWork;
  /** 0: no limit. */
  readonly timeoutMillis: number;
}

export interface TaskPacing {
  /** Pause after each batch, in ms; a person can watch a task at some hundreds of them. */
  batchDelayMillis: number;
  /** While true no task goes on; a timeout still ends it. */
  held: boolean;
  /** Tasks started from now on fail after this many batches; null: they do not fail. */
  failAfterBatches: number | null;
  /** So many rows of each deletion change while it runs; they stay, and the task goes on. */
  versionConflicts: number;
  /** Reindexes from now on fail before there is a task: before the alias points to the new index, or after. */
  reindexFailure: 'beforeAlias' | 'afterAlias' | null;
}

const heldCheckMillis = 10;

interface Task {
  readonly id: string;
  readonly request: TaskRequest;
  readonly counts: TaskCounts;
  readonly startedAt: number;
  readonly failAfterBatches: number | null;
  readonly versionConflicts: number;
  endedAt: number | null;
  ended: TaskSnapshot['ended'];
  timer: NodeJS.Timeout | null;
}

/** The tasks of the cluster's node, or of a database. They live in memory: a restart forgets them and leaves their work half done. */
export class Tasks {
  readonly #pacing: TaskPacing;
  readonly #newId: () => string;
  readonly #tasks = new Map<string, Task>();

  constructor(pacing: TaskPacing, newId: () => string) {
    this.#pacing = pacing;
    this.#newId = newId;
  }

  /** Starts a task and returns its id. The first batch runs after this call has returned. */
  start(request: TaskRequest): string {
    const id = this.#newId();
    const task: Task = {
      id,
      request,
      counts: {
        total: request.total,
        created: 0,
        deleted: 0,
        batches: 0,
        version_conflicts: 0,
        retries: { bulk: 0, search: 0 },
      },
      startedAt: performance.now(),
      failAfterBatches: this.#pacing.failAfterBatches,
      versionConflicts: this.#pacing.versionConflicts,
      endedAt: null,
      ended: null,
      timer: null,
    };
    this.#tasks.set(id, task);
    this.#schedule(task);
    return id;
  }

  find(id: string): TaskSnapshot | null {
    const task = this.#tasks.get(id);
    return task ? snapshot(task) : null;
  }

  all(): TaskSnapshot[] {
    return [...this.#tasks.values()].map(snapshot);
  }

  /** Stops every task where it is and forgets it. */
  forget(): void {
    for (const task of this.#tasks.values()) {
      clearTimeout(task.timer ?? undefined);
    }
    this.#tasks.clear();
  }

  #schedule(task: Task): void {
    task.timer = setTimeout(() => this.#step(task), task.counts.batches === 0 ? 0 : this.#pacing.batchDelayMillis);
  }

  #step(task: Task): void {
    const { request, counts } = task;
    if (request.timeoutMillis > 0 && performance.now() - task.startedAt >= request.timeoutMillis) {
      end(task, 'timeout');
      return;
    }
    if (this.#pacing.held) {
      task.timer = setTimeout(() => this.#step(task), heldCheckMillis);
      return;
    }
    if (task.failAfterBatches !== null && counts.batches >= task.failAfterBatches) {
      end(task, 'failure');
      return;
    }
    const outcome = request.batch(counts, task.versionConflicts);
    if (outcome === 'failed') {
      end(task, 'failure');
      return;
    }
    counts.batches += 1;
    if (outcome === 'more') {
      this.#schedule(task);
      return;
    }
    end(task, null);
  }
}

/** Ids as a search cluster gives them: `<node>:<number>`, the number ever higher. */
export function nodeTaskIds(seed: number): () => string {
  const node = randomId(seededRandom(seed + 2), 22);
  // Of the time, so that another run with the same seed never gives a number to a second task.
  let number = Date.now() % 1_000_000_000;
  let given = 0;
  return () => {
    number += 1 + (given % 7);
    given += 1;
    return `${node}:${number}`;
  };
}

/** Ids as a database gives them, which no request for a task's status takes. */
export function databaseTaskIds(): () => string {
  return () => randomUUID();
}

function end(task: Task, ended: TaskSnapshot['ended']): void {
  task.ended = ended;
  task.endedAt = performance.now();
}

function snapshot(task: Task): TaskSnapshot {
  return {
    ...task.counts,
    retries: { ...task.counts.retries },
    id: task.id,
    description: task.request.description,
    completed: task.endedAt !== null,
    ended: task.ended,
    runMillis: (task.endedAt ?? performance.now()) - task.startedAt,
  };
}

/** How a task ended, by its own counts. They say nothing about what readers see: that is judged by counting. Pure. */
import * as v from 'valibot';
import type { TaskStatus } from '../service/indices/tasks.ts';
import type { DryRunReport } from './dryRun.ts';

/**
 * - `whole`: it handled every row that it found.
 * - `short`: it handled some of them.
 * - `neverBegan`: it found no row where the dry run did, or changed none because of conflicts.
 * - `gone`: the server doesn't know it any more.
 */
export type TaskEndKind = 'whole' | 'short' | 'neverBegan' | 'gone';

export const taskEndSchema = () =>
  v.object({
    kind: v.picklist(['whole', 'short', 'neverBegan', 'gone']),
    /** Rows deleted or copied, of so many. Undefined for one that is gone. */
    done: v.optional(v.number()),
    total: v.optional(v.number()),
    versionConflicts: v.optional(v.number()),
    /** Why the server cancelled it, in its words, which may be none. */
    cancelled: v.optional(v.string()),
    failures: v.optional(v.array(v.string())),
  });

export type TaskEnd = v.InferOutput<ReturnType<typeof taskEndSchema>>;

/** How far a task is, in rows. */
export interface TaskProgress {
  /** What is counted: rows deleted, or rows that stay copied into a new index. */
  readonly counts: 'deleted' | 'copied';
  readonly done: number;
  /** Undefined while the server does not tell. */
  readonly total: number | undefined;
  readonly seen?: ProgressSighting;
}

/** Times are Unix times in ms. */
export interface ProgressSighting {
  /** Of the last look. */
  readonly at: number;
  /** Of the first look that found as much. */
  readonly since: number;
  /** Whether a look ever found more than the one before it. */
  readonly hasMoved: boolean;
  /** Whether the server said that the task runs. False: only the rows were counted. */
  readonly isReported: boolean;
}

type KnownStatus = Extract<TaskStatus, { readonly kind: 'known' }>;

/** A reindex counts the rows that it copied, a delete by query those that it deleted. A total of 0 is not known yet. */
export function progressOf(report: DryRunReport, status: KnownStatus): TaskProgress {
  const total = status.total > 0 ? status.total : undefined;
  return isCopying(report, status)
    ? { counts: 'copied', done: status.created + status.updated, total }
    : { counts: 'deleted', done: status.deleted, total };
}

/** Undefined while it runs. @param kept Rows that should stay, if they could be counted. */
export function taskEndOf(report: DryRunReport, kept: number | undefined, status: KnownStatus): TaskEnd | undefined {
  if (!status.completed) {
    return undefined;
  }
  const { total, versionConflicts, cancelled, failures } = status;
  const { counts, done } = progressOf(report, status);
  const expected = counts === 'copied' ? kept : report.rows?.toDelete;
  const found = { done, total, versionConflicts };
  if (cancelled !== undefined || failures.length > 0) {
    return { ...found, kind: 'short', failures: [...failures], ...(cancelled === undefined ? {} : { cancelled }) };
  }
  const hasOnlyConflicts = done === 0 && versionConflicts > 0 && versionConflicts >= total;
  if ((total === 0 && expected !== 0) || hasOnlyConflicts) {
    return { ...found, kind: 'neverBegan' };
  }
  // Rows that changed meanwhile are skipped, or end the task, depending on the server's client (PROTOCOL.md §8.3).
  return { ...found, kind: done + versionConflicts >= total ? 'whole' : 'short' };
}

/** Whether the cluster refuses to write, as it does when its disk is full: it tries again and again, and nothing goes. */
export function refusesWrites({ deleted, created, bulkRetries }: KnownStatus): boolean {
  return deleted === 0 && created === 0 && bulkRetries > 0;
}

function isCopying({ strategy }: DryRunReport, { deleted }: KnownStatus): boolean {
  return strategy === 'reindex' && deleted === 0;
}

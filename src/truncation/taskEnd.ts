/** Progress and end of a task by its own counts, which say nothing about what searches find. Pure. */
import * as v from 'valibot';
import type { DeletionTaskStatus } from '../service/indices/tasks.ts';
import type { DryRunReport } from './dryRun.ts';

/**
 * - `whole`: the task handled every row that it found.
 * - `short`: the task handled some of them.
 * - `neverBegan`: the task found no row although the dry run did, or changed none because of conflicts.
 * - `gone`: the server doesn't know the task any more.
 */
export type TaskEndKind = 'whole' | 'short' | 'neverBegan' | 'gone';

export const taskEndSchema = () =>
  v.object({
    kind: v.picklist(['whole', 'short', 'neverBegan', 'gone']),
    /** Rows handled and found. Undefined if the task is gone. */
    done: v.optional(v.number()),
    total: v.optional(v.number()),
    versionConflicts: v.optional(v.number()),
    /** The server's reason for cancelling, which may be empty. */
    cancelled: v.optional(v.string()),
  });

export type TaskEnd = v.InferOutput<ReturnType<typeof taskEndSchema>>;

/** Progress in rows. */
export interface TaskProgress {
  /** `copied`: rows to keep, into a new index. */
  readonly counts: 'deleted' | 'copied';
  readonly done: number;
  /** Undefined while the server does not report it. */
  readonly total: number | undefined;
  readonly seen?: ProgressSighting;
}

/** Polls so far. Times are Unix times in ms. */
export interface ProgressSighting {
  /** Time of the last poll. */
  readonly at: number;
  /** Time of the first poll that found this progress. */
  readonly since: number;
  /** True once a poll found progress. */
  readonly hasMoved: boolean;
  /** True if reported by the server, false if counted. */
  readonly isReported: boolean;
}

type KnownStatus = Extract<DeletionTaskStatus, { readonly kind: 'known' }>;

/** A reindex counts copied rows, a delete by query deleted ones. A total of 0 is not known yet. */
export function progressOf(report: DryRunReport, status: KnownStatus): TaskProgress {
  const total = status.total > 0 ? status.total : undefined;
  return isCopying(report, status)
    ? { counts: 'copied', done: status.created + status.updated, total }
    : { counts: 'deleted', done: status.deleted, total };
}

/** Undefined while the task runs. @param kept Rows to keep, if they could be counted. */
export function taskEndOf(report: DryRunReport, kept: number | undefined, status: KnownStatus): TaskEnd | undefined {
  if (!status.completed) {
    return undefined;
  }
  const { total, versionConflicts, cancelled } = status;
  const { counts, done } = progressOf(report, status);
  const expected = counts === 'copied' ? kept : report.rows?.toDelete;
  const found = { done, total, versionConflicts };
  if (cancelled !== undefined) {
    return { ...found, kind: 'short', cancelled };
  }
  const hasOnlyConflicts = done === 0 && versionConflicts > 0 && versionConflicts >= total;
  if ((total === 0 && expected !== 0) || hasOnlyConflicts) {
    return { ...found, kind: 'neverBegan' };
  }
  // Rows that changed are skipped or end the task (PROTOCOL.md §8.3).
  return { ...found, kind: done + versionConflicts >= total ? 'whole' : 'short' };
}

/** With a full disk, the cluster retries and deletes nothing. */
export function refusesWrites({ deleted, created, bulkRetries }: KnownStatus): boolean {
  return deleted === 0 && created === 0 && bulkRetries > 0;
}

function isCopying({ strategy }: DryRunReport, { deleted }: KnownStatus): boolean {
  return strategy === 'reindex' && deleted === 0;
}

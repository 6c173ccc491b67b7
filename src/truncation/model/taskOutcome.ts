/** What a task's status says of a truncation. Pure. */
import type { TaskStatus } from '../../service/indices/tasks.ts';
import { taskTexts } from './texts.ts';
import type { DryRunReport } from './dryRun.ts';
import type { Outcome, TaskProgress } from './state.ts';
import type { TruncationRecord } from './record.ts';

type KnownStatus = Extract<TaskStatus, { readonly kind: 'known' }>;

/** A reindex counts the rows that it copied, a delete by query those that it deleted. */
export function progressOf({ report }: Pick<TruncationRecord, 'report'>, status: KnownStatus): TaskProgress {
  const total = status.total > 0 ? status.total : undefined;
  return report.strategy === 'reindex' && status.deleted === 0
    ? { counts: 'copied', done: status.created + status.updated, total }
    : { counts: 'deleted', done: status.deleted, total };
}

/** How it ended; undefined while it runs; `untold` when it is over and its counts don't say what became of the rows. */
export function outcomeOf(
  { report }: Pick<TruncationRecord, 'report'>,
  status: KnownStatus,
): Outcome | 'untold' | undefined {
  if (!status.completed) {
    return undefined;
  }
  if (status.cancelled !== undefined) {
    return { kind: 'failed', failing: taskTexts.cancelled(status.cancelled), failures: status.failures };
  }
  if (status.failures.length > 0) {
    return { kind: 'failed', failing: taskTexts.failed(report.strategy), failures: status.failures };
  }
  // Servers pass on no reason why a task broke off; that it did shows in rows it never came to.
  const handled = status.created + status.updated + status.deleted;
  if (handled + status.versionConflicts < status.total) {
    return { kind: 'failed', failing: taskTexts.endedEarly(report.strategy, handled, status.total), failures: [] };
  }
  if (!areRowsTold(report, status)) {
    return 'untold';
  }
  const deleted = report.strategy === 'reindex' ? report.rows?.toDelete : status.deleted;
  return { kind: 'finished', deleted, versionConflicts: status.versionConflicts };
}

/**
 * Whether the task's own counts are those of what was planned. A task that broke off before its first batch has counted nothing,
 * and so has one whose counts couldn't be read.
 */
function areRowsTold({ rows, strategy }: DryRunReport, status: KnownStatus): boolean {
  if (strategy === 'deleteByQuery' || status.deleted > 0) {
    return status.total > 0 || rows?.toDelete === 0;
  }
  const copied = status.created + status.updated + status.versionConflicts;
  return rows !== undefined && copied >= rows.total - rows.toDelete;
}

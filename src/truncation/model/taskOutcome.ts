/** What a task's status says of a truncation. Pure. */
import type { TaskStatus } from '../../service/indices/tasks.ts';
import { taskTexts } from './texts.ts';
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

/** How it ended, or undefined while it runs. */
export function outcomeOf({ report }: Pick<TruncationRecord, 'report'>, status: KnownStatus): Outcome | undefined {
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
  const planned = report.rows?.toDelete;
  // Counts of nothing where rows were to go are counts that could not be read.
  const isUntold = status.total === 0 && planned !== 0;
  const deleted = report.strategy === 'reindex' ? planned : isUntold ? undefined : status.deleted;
  return { kind: 'finished', deleted, versionConflicts: status.versionConflicts };
}

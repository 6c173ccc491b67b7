/**
 * What a new count says of a task that the server cannot, or can no longer, tell of. Pure.
 * A reindex points readers at an empty index first: "nothing left to delete" proves nothing until the rows that stay are back. What
 * is not known to be a delete by query may be one.
 */
import type { DryRunReport } from './dryRun.ts';
import type { TaskProgress } from './state.ts';

/** The first moments say nothing of the rest. */
const SHORTEST_RATE_MILLIS = 5_000;

interface Remaining {
  readonly isOver: boolean;
  readonly progress: TaskProgress | undefined;
}

/**
 * @param planned The dry run that was executed.
 * @param now The same dry run, taken again.
 * @param old How many rows readers see that were there when the execution was sent; undefined: not known. Rows that were written
 *   since must not pass for those that stay.
 */
export function remaining(planned: DryRunReport, now: DryRunReport, old: number | undefined): Remaining {
  if (now.rows === undefined) {
    return { isOver: false, progress: undefined };
  }
  const { toDelete } = now.rows;
  if (planned.rows === undefined) {
    return { isOver: toDelete === 0 && planned.strategy === 'deleteByQuery', progress: undefined };
  }
  const staying = planned.rows.total - planned.rows.toDelete;
  if (planned.strategy === 'deleteByQuery' || toDelete > 0) {
    const done = Math.max(0, planned.rows.toDelete - toDelete);
    return { isOver: toDelete === 0, progress: { counts: 'deleted', done, total: planned.rows.toDelete } };
  }
  return old === undefined
    ? { isOver: false, progress: undefined }
    : { isOver: old >= staying, progress: { counts: 'copied', done: Math.min(old, staying), total: staying } };
}

/**
 * How fast rows have gone so far, and how long the rest takes at that rate. Undefined: it can't be told yet.
 * @param sentAt When it began: Unix time in ms, like `now`.
 */
export function rateOf(
  progress: TaskProgress | undefined,
  sentAt: number,
  now: number,
): { readonly rowsPerMinute: number; readonly remainingMillis: number } | undefined {
  const elapsed = now - sentAt;
  if (progress?.total === undefined || progress.done <= 0 || elapsed < SHORTEST_RATE_MILLIS) {
    return undefined;
  }
  const { done, total } = progress;
  return {
    rowsPerMinute: (done / elapsed) * 60_000,
    remainingMillis: (Math.max(0, total - done) * elapsed) / done,
  };
}

/** Whether readers see fewer rows than should stay: a reindex is under way, or broke off after it pointed them at the new index. */
export function mayHideRows(planned: DryRunReport, now: DryRunReport): boolean {
  return (
    planned.strategy !== 'deleteByQuery' &&
    planned.rows !== undefined &&
    now.rows !== undefined &&
    now.rows.total < planned.rows.total - planned.rows.toDelete
  );
}

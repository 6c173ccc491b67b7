/**
 * What a new count says of a task that the server cannot, or can no longer, tell of. Pure.
 * A reindex points readers at an empty index first: "nothing left to delete" proves nothing until the rows that stay are back.
 */
import type { DryRunReport } from './dryRun.ts';
import type { TaskProgress } from './state.ts';

export interface Remaining {
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
    return { isOver: toDelete === 0 && planned.strategy !== 'reindex', progress: undefined };
  }
  const staying = planned.rows.total - planned.rows.toDelete;
  if (planned.strategy !== 'reindex' || toDelete > 0) {
    const done = Math.max(0, planned.rows.toDelete - toDelete);
    return { isOver: toDelete === 0, progress: { counts: 'deleted', done, total: planned.rows.toDelete } };
  }
  return old === undefined
    ? { isOver: false, progress: undefined }
    : { isOver: old >= staying, progress: { counts: 'copied', done: Math.min(old, staying), total: staying } };
}

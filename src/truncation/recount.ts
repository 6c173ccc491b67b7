/** Compares the dry run that is repeated just before executing with the one that was shown. Pure. */
import type { DryRunReport } from './dryRun.ts';

/** Reason to review a repeated dry run again; undefined if it deletes no more than the one that was shown. */
export function recountReason(shown: DryRunReport, repeated: DryRunReport): 'grew' | 'shrank' | 'changed' | undefined {
  if (shown.rows === undefined || repeated.rows === undefined) {
    return shown.serverText === repeated.serverText ? undefined : 'changed';
  }
  if (repeated.rows.toDelete > shown.rows.toDelete) {
    return 'grew';
  }
  // Another job deletes rows, or a reindex has hidden them.
  if (repeated.rows.total < shown.rows.total - shown.rows.toDelete) {
    return 'shrank';
  }
  return repeated.strategy === shown.strategy ? undefined : 'changed';
}

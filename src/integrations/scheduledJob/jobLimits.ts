/** Decides which reviewed dry runs a scheduled job can repeat, and within which limits. Pure. */
import * as l10n from '@vscode/l10n';
import type { IndexName } from '../../indices/indexName.ts';
import { shownNameText } from '../../indices/timeseriesAspects.ts';
import { mayHoldPipelineState } from '../../indices/timeseriesAspects.ts';
import { noWholeDays, wholeDaysAgo } from '../recipe/recipeChecks.ts';
import type { RowCounts, ReviewedIndex } from '../../truncation/dryRun.ts';
import type { Problem } from '../../truncation/problem.ts';

/** Largest share of an index that a run deletes, in percent: `MAX_PERCENT` of the script. */
export const MOST_PERCENT = 20;

/** An index in the script, with its limits. */
export interface JobIndex extends IndexName {
  /** Age of the youngest row to delete: whole days. */
  readonly days: number;
  /** Most rows to delete in one run. */
  readonly mostRows: number;
  /** Rows to keep, at least one. A run that finds fewer than half as many rows in all deletes nothing. */
  readonly rowsToKeep: number;
  /** Rows that the search cluster deletes at a time. */
  readonly batchSize: number;
}

/** Returns all indices with their limits, or why there is no job. @param reviewed At least one. */
export function jobIndices(reviewed: readonly ReviewedIndex[]): { readonly indices: readonly JobIndex[] } | Problem {
  const indices: JobIndex[] = [];
  for (const one of reviewed) {
    const index = jobIndex(one);
    if ('sentence' in index) {
      return index;
    }
    indices.push(index);
  }
  return { indices };
}

function jobIndex({ plan, report, at }: ReviewedIndex): JobIndex | Problem {
  const name: IndexName = { entityType: plan.entityType, aspect: plan.aspect };
  if (mayHoldPipelineState(name)) {
    return {
      sentence: l10n.t("A scheduled job doesn't delete the state of pipelines: {0}.", shownNameText(name)),
      next: l10n.t(
        'To delete it anyway, copy the job of another index, and add this one to its INDICES and STATE_INDICES.',
      ),
    };
  }
  const days = wholeDaysAgo({ endTimeMillis: plan.endTimeMillis, chosenAt: at });
  if (days === undefined) {
    return noWholeDays();
  }
  const { rows, strategy } = report;
  if (strategy !== 'deleteByQuery') {
    return {
      sentence: l10n.t(
        "The dry run doesn't show that this server can delete by query, which a scheduled job requires.",
      ),
      next: l10n.t('Under Advanced, select "Delete by query", then run the dry run again.'),
    };
  }
  if (rows === undefined) {
    return { sentence: l10n.t('Row count not available') };
  }
  if (rows.total === 0) {
    return { sentence: l10n.t('Searches find no rows of {0}, so no limit can be set.', shownNameText(name)) };
  }
  return {
    ...name,
    days,
    mostRows: mostRowsOf(rows),
    // Not all rows: an index above the share is truncated by hand before the first run.
    rowsToKeep: Math.max(1, rows.total - rows.toDelete),
    batchSize: plan.batchSize,
  };
}

/** Twice the rows of the dry run: a missed run is caught up. Without any, the share is the only measure. */
function mostRowsOf({ toDelete, total }: RowCounts): number {
  return toDelete > 0 ? 2 * toDelete : Math.max(1, Math.floor((total * MOST_PERCENT) / 100));
}

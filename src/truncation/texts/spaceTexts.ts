/** Estimates of disk space, since rows differ in size. */
import * as l10n from '@vscode/l10n';
import { language } from '../../language.ts';
import { exactBytes, type ReportedSize } from '../../service/indices/indexSize.ts';
import { formatsOf } from '../../ui/formats.ts';
import { type DryRunReport, percentToDelete } from '../dryRun.ts';
import { isOnSearchCluster, type TruncationRecord } from '../record.ts';

/** Dry run and size of an index. */
export interface SizedReport {
  readonly report: DryRunReport;
  readonly size: ReportedSize;
}

/**
 * Estimated bytes of the rows to delete. Deleting them frees no space by itself. Undefined if it isn't known.
 */
export function bytesToDelete({ report: { rows }, size }: SizedReport): number | undefined {
  const bytes = exactBytes(size);
  return rows === undefined || bytes === undefined ? undefined : Math.round((bytes * percentToDelete(rows)) / 100);
}

/**
 * Disk space for the copies of all reindexes, since no old index is removed in between. Undefined without a
 * reindex.
 */
export function spaceNeeded(truncations: readonly SizedReport[]): string | undefined {
  const kept = truncations
    .filter(({ report }) => report.strategy === 'reindex')
    .map(({ report: { rows }, size }) => {
      const bytes = exactBytes(size);
      return rows === undefined || bytes === undefined ? undefined : (bytes * (100 - percentToDelete(rows))) / 100;
    });
  if (kept.length === 0) {
    return undefined;
  }
  if (kept.includes(undefined)) {
    return l10n.t("The copy needs disk space for a while. How much is free isn't known.");
  }
  const bytes = formatsOf(language()).size(kept.reduce<number>((sum, one = 0) => sum + one, 0));
  return kept.length === 1
    ? l10n.t("The copy needs about {0} of disk space for a while. How much is free isn't known.", bytes)
    : l10n.t("The copies need about {0} of disk space for a while. How much is free isn't known.", bytes);
}

/** True if a merge would free space. */
export function canMerge(record: Pick<TruncationRecord, 'ending' | 'report' | 'taskId'>): boolean {
  return record.ending?.kind === 'finished' && record.report.strategy === 'deleteByQuery' && isOnSearchCluster(record);
}

/** Instructions for `mergeRequest`. */
export function mergeAdvice(): string {
  return l10n.t(
    'An administrator can send this request to the search cluster at a quiet time. It needs as much free disk space as the index uses.',
  );
}

/** The disk space of rows, and what a reindex needs of it. Rows differ in size, so all of it is about so much. Pure but for the words. */
import * as l10n from '@vscode/l10n';
import { language } from '../../language.ts';
import { exactBytes, type ReportedSize } from '../../service/indices/indexSize.ts';
import { formatsOf } from '../../ui/formats.ts';
import { type DryRunReport, percentOf } from '../dryRun.ts';
import { isOnSearchCluster, type TruncationRecord } from '../record.ts';

/** A dry run of an index, and its size. */
export interface SizedReport {
  readonly report: DryRunReport;
  readonly size: ReportedSize;
}

/** About how many bytes the rows to delete hold. Deleting them frees none of it by itself. Undefined if it isn't known. */
export function bytesToDelete({ report: { rows }, size }: SizedReport): number | undefined {
  const bytes = exactBytes(size);
  return rows === undefined || bytes === undefined ? undefined : Math.round((bytes * percentOf(rows)) / 100);
}

/** The disk space for all copies that reindexes make, since no old index is removed in between. Undefined if nothing is copied. */
export function spaceNeeded(truncations: readonly SizedReport[]): string | undefined {
  const kept = truncations
    .filter(({ report }) => report.strategy === 'reindex')
    .map(({ report: { rows }, size }) => {
      const bytes = exactBytes(size);
      return rows === undefined || bytes === undefined ? undefined : (bytes * (100 - percentOf(rows))) / 100;
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

/** True where a merge would let go of the deleted rows. */
export function canMerge(record: Pick<TruncationRecord, 'ending' | 'report' | 'taskId'>): boolean {
  return record.ending?.kind === 'finished' && record.report.strategy === 'deleteByQuery' && isOnSearchCluster(record);
}

/** How to use `mergeRequest`. */
export function mergeAdvice(): string {
  return l10n.t(
    'An administrator can send this request to the search cluster at a quiet time. It needs as much free disk space as the index uses.',
  );
}

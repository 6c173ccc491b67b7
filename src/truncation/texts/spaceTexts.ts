/** Disk space after a truncation. Deleting rows frees none by itself (PROTOCOL.md §7.4), so none is claimed. */
import * as l10n from '@vscode/l10n';
import { isTaskId } from '../../service/indices/taskId.ts';
import type { TruncationRecord } from '../record.ts';

type SentTruncation = Pick<TruncationRecord, 'ending' | 'report' | 'taskId'>;

/** A few sentences for a truncation that finished. Rows are called gone only if readers were counted. */
export function spaceText(record: SentTruncation): string {
  if (record.report.strategy === 'reindex') {
    return l10n.t(
      "The old index isn't listed any more and keeps its disk space until it's removed. An upgrade of DataHub may remove it.",
    );
  }
  const isGone = record.ending?.kind === 'finished' && record.ending.readers === 'clean';
  if (!isOnSearchCluster(record)) {
    return isGone
      ? l10n.t('The rows are gone. The table may keep its size; the database reuses the space of deleted rows.')
      : l10n.t('The table may keep its size; the database reuses the space of deleted rows.');
  }
  return isGone
    ? l10n.t(
        'The rows are gone for searches. The index may keep its size until the search engine merges its files, or for good if little was deleted.',
      )
    : l10n.t(
        'The index may keep its size until the search engine merges its files, or for good if little was deleted.',
      );
}

/** True where a merge would let go of the deleted rows. */
export function canMerge(record: SentTruncation): boolean {
  return record.ending?.kind === 'finished' && record.report.strategy === 'deleteByQuery' && isOnSearchCluster(record);
}

/** How to use `mergeRequest`. */
export function mergeAdvice(): string {
  return l10n.t(
    'An administrator can send this request to the search cluster at a quiet time. It needs as much free disk space as the index uses.',
  );
}

/** The ID of a task is one of the cluster, except on PostgreSQL (PROTOCOL.md §10). */
function isOnSearchCluster({ taskId }: SentTruncation): boolean {
  return taskId === undefined || isTaskId(taskId);
}

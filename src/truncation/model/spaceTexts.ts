/** Disk space after a truncation. Deleting rows frees none by itself (PROTOCOL.md §7.4), so none is claimed. */
import * as l10n from '@vscode/l10n';
import { isTaskId } from '../../service/indices/taskId.ts';
import type { TruncationRecord } from './record.ts';

type SentTruncation = Pick<TruncationRecord, 'ending' | 'report' | 'taskId'>;

/** A few sentences for a truncation that finished. */
export function spaceText(record: SentTruncation): string {
  if (record.report.strategy === 'reindex') {
    return l10n.t(
      "The old index isn't listed any more and keeps its disk space until it's removed. An upgrade of DataHub may remove it.",
    );
  }
  return isOnSearchCluster(record)
    ? l10n.t(
        'The rows are gone for searches. The index may keep its size until the search engine merges its files, or for good if little was deleted.',
      )
    : l10n.t('The rows are gone. The table may keep its size; the database reuses the space of deleted rows.');
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

/**
 * Request that gives back the space of deleted rows, for an administrator to send.
 * @param indexName The name on the cluster. Undefined or unusual: a placeholder.
 */
export function mergeRequest(indexName: string | undefined): string {
  // Never `max_num_segments=1`: it makes one file that is too large to be merged again.
  return `POST /${indexName !== undefined && PLAIN_NAME.test(indexName) ? indexName : '<index>'}/_forcemerge?only_expunge_deletes=true`;
}

/** A name with other characters could make another request of it. */
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** The ID of a task is one of the cluster, except on PostgreSQL (PROTOCOL.md §10). */
function isOnSearchCluster({ taskId }: SentTruncation): boolean {
  return taskId === undefined || isTaskId(taskId);
}

/** Requests for an administrator of the search cluster, with the current name of the index. */
import type { IndexName } from '../../../indices/indexName.ts';
import { cancelRequest, mergeRequest, repairRequests } from '../../../truncation/clusterRequests.ts';
import { repairOf } from '../../../truncation/outcome.ts';
import type { TruncationRecord } from '../../../truncation/record.ts';
import type { ClusterRequestKind } from '../protocol.ts';

/**
 * @param listIndexName Looks up the name, which a reindex changes. Undefined if unlisted.
 * @returns undefined if there is nothing to request.
 */
export async function clusterRequests(
  record: TruncationRecord,
  kind: ClusterRequestKind,
  listIndexName: (target: IndexName) => Promise<string | undefined>,
): Promise<string | undefined> {
  switch (kind) {
    case 'repair': {
      const missing = repairOf(record.ending);
      return missing && repairRequests(missing, record, await listIndexName(record.plan));
    }
    case 'merge':
      return mergeRequest(await listIndexName(record.plan));
    case 'cancel':
      return cancelRequest(record);
  }
}

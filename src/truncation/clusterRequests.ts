/**
 * Requests for an administrator to send to the search cluster (PROTOCOL.md §7.9), in the syntax of its console.
 * They contain no host and no credential. The platform's own interface can't do this.
 */
import type { ClusterRequestKind, MissingCause } from './outcome.ts';
import { cancelableTask, repairOf, type TruncationRecord } from './sentTruncation.ts';
import type { IndexName } from '../indices/indexName.ts';

/** Index names. Any other text could be read as a request. */
const INDEX_NAME = /^[a-z0-9][a-z0-9_.-]{0,254}$/;
const UNKNOWN_INDEX = '<index>';
const UPGRADE_WARNING = '# No DataHub upgrade before the last of these: it can delete the old index.';

/** By the cause of missing rows. @param index Current name in the server's list, if any. */
function repairRequests(
  missing: MissingCause | 'copiesDisagree',
  { plan }: Pick<TruncationRecord, 'plan'>,
  index: string | undefined,
): string {
  const physical = physicalName(index);
  const settings = settingsRequest(physical);
  const refresh = `POST /${physical}/_refresh`;
  const copy = copyRequests(physical, plan.endTimeMillis);
  const replicas = replicaRequests(physical);
  const hint = "# DataHub's next system update refreshes it, too, but leaves it without replicas.";
  const requests: Readonly<Record<typeof missing, readonly string[]>> = {
    notAvailable: [`GET /_cluster/health/${physical}`],
    copiesDisagree: [settings],
    notRefreshed: [hint, settings, refresh, replicas],
    notCopied: [UPGRADE_WARNING, copy, refresh],
    notRefreshedOrCopied: [UPGRADE_WARNING, settings, refresh, copy, refresh, replicas],
  };
  return `${requests[missing].join('\n\n')}\n`;
}

/**
 * Frees the space of deleted rows. No `max_num_segments=1`, since that file would be too large to merge again.
 */
export function mergeRequest(index: string | undefined): string {
  return `POST /${physicalName(index)}/_forcemerge?only_expunge_deletes=true\n`;
}

/** Resets to the defaults, so that searches find all rows. */
function settingsRequest(index: string): string {
  const settings = { index: { refresh_interval: null, 'translog.flush_threshold_size': null } };
  return `PUT /${index}/_settings\n${JSON.stringify(settings)}`;
}

/** The old index or a sibling shows the number. */
function replicaRequests(index: string): string {
  return [
    `# <n>: the number that the old index or a sibling has.`,
    `GET /${aliasOf(index)}*/_settings/index.number_of_replicas`,
    '',
    `PUT /${index}/_settings`,
    `{"index":{"number_of_replicas":<n>}}`,
  ].join('\n');
}

/** Creates missing rows only, so newer versions stay. */
function copyRequests(index: string, cutoff: number): string {
  const body = {
    conflicts: 'proceed',
    source: { index: '<old index>', query: { range: { timestampMillis: { gt: cutoff } } } },
    dest: { index: aliasOf(index), op_type: 'create' },
  };
  return [
    `# <old index>: the newest one beside ${index} that holds the rows.`,
    `GET /_cat/indices/${aliasOf(index)}*?v&h=index,docs.count,creation.date.string&s=creation.date`,
    '',
    '# Repeat until "created" is 0.',
    'POST /_reindex',
    JSON.stringify(body),
  ].join('\n');
}

/** A backing index is named after its alias and creation time. */
function aliasOf(index: string): string {
  return index.replace(/(?:_\d+)+$/, '');
}

function physicalName(index: string | undefined): string {
  return index !== undefined && INDEX_NAME.test(index) ? index : UNKNOWN_INDEX;
}

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
      const missing = repairOf(record);
      return missing && repairRequests(missing, record, await listIndexName(record.plan));
    }
    case 'merge':
      return mergeRequest(await listIndexName(record.plan));
    case 'cancel': {
      // None for a reindex, nor for IDs of another system.
      const taskId = cancelableTask(record);
      return taskId && `POST /_tasks/${taskId}/_cancel\n`;
    }
  }
}

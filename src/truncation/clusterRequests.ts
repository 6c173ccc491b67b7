/**
 * Requests to the search cluster for an administrator to send (PROTOCOL.md §7.9): nothing in the platform's own interface can. They
 * hold no host and no credential, and are written as the cluster's own console takes them.
 */
import type { MissingCause } from './outcome.ts';
import { askableTask, type TruncationRecord } from './record.ts';

/** Names of an index in a search cluster: anything else could be a request of its own in the copied text. */
const INDEX_NAME = /^[a-z0-9][a-z0-9_.-]{0,254}$/;
const UNKNOWN_INDEX = '<index>';

/** @param index As the server lists it at the moment; undefined where it doesn't. */
export function repairRequests(
  missing: MissingCause | 'copiesDisagree',
  { plan }: Pick<TruncationRecord, 'plan'>,
  index: string | undefined,
): string | undefined {
  const physical = nameOf(index);
  switch (missing) {
    case 'notAvailable':
      return `GET /_cluster/health/${physical}\n`;
    case 'copiesDisagree':
      return text(settingsRequest(physical));
    case 'notRefreshed':
      return text(settingsRequest(physical), refreshRequest(physical), replicaRequests(physical));
    case 'notCopied':
    case 'notRefreshedOrCopied':
      return text(
        '# No DataHub upgrade before the last of these: it can delete the old index.',
        settingsRequest(physical),
        refreshRequest(physical),
        copyRequests(physical, plan.endTimeMillis),
        refreshRequest(physical),
        replicaRequests(physical),
      );
  }
}

/** Ends the task; rows that it has deleted stay deleted. Undefined for an ID that the cluster can't have given. */
export function cancelRequest(record: TruncationRecord): string | undefined {
  const taskId = askableTask(record);
  return taskId && `POST /_tasks/${taskId}/_cancel\n`;
}

/** Slows the task down to so many rows a second. Undefined as for `cancelRequest`. */
export function throttleRequest(record: TruncationRecord): string | undefined {
  const taskId = askableTask(record);
  const endpoint = record.report.strategy === 'reindex' ? '_reindex' : '_delete_by_query';
  return taskId && `POST /${endpoint}/${taskId}/_rethrottle?requests_per_second=500\n`;
}

/** Gives back the space of deleted rows. Never with `max_num_segments=1`, which makes a file too large to be merged again. */
export function mergeRequest(index: string | undefined): string {
  return `POST /${nameOf(index)}/_forcemerge?only_expunge_deletes=true\n`;
}

/** `null` is the cluster's default; searches find the rows at once, and those that are written later too. */
function settingsRequest(index: string): string {
  return `PUT /${index}/_settings\n${JSON.stringify({ index: { refresh_interval: null, 'translog.flush_threshold_size': null } })}`;
}

function refreshRequest(index: string): string {
  return `POST /${index}/_refresh`;
}

/** The number that the index had is shown by the old one or a sibling. */
function replicaRequests(index: string): string {
  return [
    `# <n>: the number that the old index or a sibling has.`,
    `GET /${aliasOf(index)}*/_settings/index.number_of_replicas`,
    '',
    `PUT /${index}/_settings`,
    `{"index":{"number_of_replicas":<n>}}`,
  ].join('\n');
}

/** Newer versions of a row win, since only rows that aren't there are created. */
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

/** A backing index is named after its alias, with the time of its creation at the end. */
function aliasOf(index: string): string {
  return index.replace(/(?:_\d+)+$/, '');
}

function nameOf(index: string | undefined): string {
  return index !== undefined && INDEX_NAME.test(index) ? index : UNKNOWN_INDEX;
}

function text(...requests: readonly string[]): string {
  return `${requests.join('\n\n')}\n`;
}

import type { ProfileName } from '../service/profiles.ts';

/** A release of DataHub's Python client, `acryl-datahub`. */
export interface ClientRelease {
  readonly version: string;
  /** A server with the model that this release ships. */
  readonly sameModel: ProfileName;
  /** Configuration keys of its source `datahub-gc`. */
  readonly collectorKeys: readonly string[];
  /** Those among them that switch a cleanup of their own on and off. */
  readonly cleanups: readonly string[];
  /** Indices that its `datahub-gc` truncates, in this order and spelling. */
  readonly truncated: readonly string[];
}

const FIRST_KEYS = [
  'cleanup_expired_tokens',
  'truncate_indices',
  'truncate_index_older_than_days',
  'truncation_watch_until',
  'truncation_sleep_between_seconds',
];
const ENTITY_CLEANUPS = ['dataprocess_cleanup', 'soft_deleted_entities_cleanup', 'execution_request_cleanup'];
const ALL_CLEANUPS = [...ENTITY_CLEANUPS, 'query_cleanup'];

const FIRST_TRUNCATED = [
  'dataset/operation',
  'dataset/datasetusagestatistics',
  'chart/chartUsageStatistics',
  'dashboard/dashboardUsageStatistics',
];
const ALL_TRUNCATED = [...FIRST_TRUNCATED, 'query/queryusagestatistics'];

/** One for each kind of `datahub-gc` (PROTOCOL.md §13.2), the newest first. */
export const CLIENT_RELEASES: readonly ClientRelease[] = [
  {
    version: '1.7.0.17',
    sameModel: '1.7',
    collectorKeys: ['dry_run', ...FIRST_KEYS, ...ALL_CLEANUPS],
    cleanups: ALL_CLEANUPS,
    truncated: ALL_TRUNCATED,
  },
  {
    version: '0.15.0.5',
    sameModel: '0.14',
    collectorKeys: ['dry_run', ...FIRST_KEYS, ...ENTITY_CLEANUPS],
    cleanups: ENTITY_CLEANUPS,
    truncated: ALL_TRUNCATED,
  },
  {
    version: '0.13.3.6',
    sameModel: '0.14',
    collectorKeys: FIRST_KEYS,
    cleanups: [],
    truncated: FIRST_TRUNCATED,
  },
];

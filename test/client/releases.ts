import assert from 'node:assert/strict';
import { gcReleasesOf, type GcReleaseRange } from '../../src/integrations/recipe/gcReleases.ts';
import type { ProfileName } from '../service/profiles.ts';

/** A release of DataHub's Python client, `acryl-datahub`. */
export interface ClientRelease {
  readonly version: string;
  /** A server with the same model as this release. */
  readonly sameModel: ProfileName;
  /** Configuration keys of its source `datahub-gc`. */
  readonly collectorKeys: readonly string[];
}

const FIRST_KEYS = [
  'cleanup_expired_tokens',
  'truncate_indices',
  'truncate_index_older_than_days',
  'truncation_watch_until',
  'truncation_sleep_between_seconds',
];
const LATER_KEYS = [
  'dry_run',
  ...FIRST_KEYS,
  'dataprocess_cleanup',
  'soft_deleted_entities_cleanup',
  'execution_request_cleanup',
];

/** Releases with different keys of `datahub-gc` (PROTOCOL.md §13.2), newest first. */
export const CLIENT_RELEASES: readonly ClientRelease[] = [
  { version: '1.7.0.17', sameModel: '1.7', collectorKeys: [...LATER_KEYS, 'query_cleanup'] },
  { version: '0.15.0.5', sameModel: '0.14', collectorKeys: LATER_KEYS },
  { version: '0.13.3.6', sameModel: '0.14', collectorKeys: FIRST_KEYS },
];

/** The extension's knowledge of this release's `datahub-gc`. */
export function knownCollector({ version }: ClientRelease): GcReleaseRange {
  const known = gcReleasesOf(version);
  assert.ok(typeof known === 'object', `${version} is not known`);
  return known;
}

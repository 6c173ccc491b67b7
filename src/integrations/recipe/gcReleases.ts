/**
 * Releases of DataHub's ingestion client (`acryl-datahub`) by what their `datahub-gc` source accepts and truncates,
 * as read in the published packages (PROTOCOL.md §13.2).
 */
import { compareReleases } from '../../service/server/facts.ts';

/** Type of such an ingestion source, and of the source in its recipe. */
export const GC_SOURCE_TYPE = 'datahub-gc';

/** Releases with the same `datahub-gc`. */
export interface GcReleaseRange {
  readonly first: string;
  readonly last: string;
  /** Truncated indices, in this order and spelling. A recipe can't choose among them. */
  readonly truncated: readonly string[];
  /** Cleanups that run unless the recipe sets `enabled: false`. An unknown key makes a release reject the recipe. */
  readonly otherCleanups: readonly string[];
  /** True if a server of the same release runs a cleanup of its own every night (#11518). */
  readonly hasNightlyCleanup: boolean;
}

const USAGE_AND_OPERATIONS = [
  'dataset/operation',
  'dataset/datasetusagestatistics',
  'chart/chartUsageStatistics',
  'dashboard/dashboardUsageStatistics',
];
const ALL_USAGE_AND_OPERATIONS = [...USAGE_AND_OPERATIONS, 'query/queryusagestatistics'];

const ENTITY_CLEANUPS = ['dataprocess_cleanup', 'soft_deleted_entities_cleanup', 'execution_request_cleanup'];

/** Newest first. Releases before the first one of the last entry have no `datahub-gc`. */
export const GC_RELEASES: readonly [GcReleaseRange, ...GcReleaseRange[]] = [
  {
    first: '1.6.0.15',
    last: '1.7.0.17',
    truncated: ALL_USAGE_AND_OPERATIONS,
    otherCleanups: [...ENTITY_CLEANUPS, 'query_cleanup'],
    hasNightlyCleanup: true,
  },
  {
    first: '0.15.0.1',
    last: '1.6.0.14',
    truncated: ALL_USAGE_AND_OPERATIONS,
    otherCleanups: ENTITY_CLEANUPS,
    hasNightlyCleanup: true,
  },
  {
    first: '0.15.0',
    last: '0.15.0',
    truncated: USAGE_AND_OPERATIONS,
    otherCleanups: ENTITY_CLEANUPS,
    hasNightlyCleanup: true,
  },
  {
    first: '0.13.1.3',
    last: '0.14.1.12',
    truncated: USAGE_AND_OPERATIONS,
    // Releases from 0.14.1.1 on have others, but they run only if a recipe names them, and some reject `enabled`.
    otherCleanups: [],
    hasNightlyCleanup: false,
  },
];

/**
 * Finds the entry of a release. A newer one than the table counts as the newest in it.
 * @returns undefined for a text that is no release number, `none` for a release without `datahub-gc`.
 */
export function gcReleasesOf(release: string): GcReleaseRange | 'none' | undefined {
  const numbers = releaseNumbers(release);
  return (
    numbers && (GC_RELEASES.find(({ first }) => compareReleases(numbers, releaseNumbers(first) ?? []) >= 0) ?? 'none')
  );
}

/** True for a release after those in the table. */
export function isNewerThanKnown(release: string): boolean {
  return compareReleases(releaseNumbers(release) ?? [], releaseNumbers(GC_RELEASES[0].last) ?? []) > 0;
}

/** `1.7.0.17` or `1.3.1.7.post3`. Release candidates and custom builds may resemble either neighbor. */
function releaseNumbers(release: string): readonly number[] | undefined {
  const [, numbers] = /^v?(\d{1,6}(?:\.\d{1,6}){1,3})(?:\.post\d{1,6})?$/.exec(release) ?? [];
  return numbers?.split('.').map(Number);
}

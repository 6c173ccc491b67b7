/**
 * Releases of DataHub's ingestion client (`acryl-datahub`) by what their `datahub-gc` source accepts and truncates, as read in the
 * published packages (PROTOCOL.md §13.2).
 */

/** The type of such an ingestion source, and of the source in its recipe. */
export const GC_SOURCE_TYPE = 'datahub-gc';

/** Releases whose `datahub-gc` is the same. */
export interface GcReleases {
  readonly first: string;
  readonly last: string;
  /** Indices that it truncates, in this order and spelling. A recipe can't choose among them. */
  readonly truncated: readonly string[];
  /** Cleanups that run unless the recipe has `enabled: false` for them. A key that a release doesn't know makes it reject the recipe. */
  readonly otherCleanups: readonly string[];
}

const USAGE_AND_OPERATIONS = [
  'dataset/operation',
  'dataset/datasetusagestatistics',
  'chart/chartUsageStatistics',
  'dashboard/dashboardUsageStatistics',
];
const ALL_USAGE_AND_OPERATIONS = [...USAGE_AND_OPERATIONS, 'query/queryusagestatistics'];

const ENTITY_CLEANUPS = ['dataprocess_cleanup', 'soft_deleted_entities_cleanup', 'execution_request_cleanup'];

/** The newest first. There is no `datahub-gc` before the first release of the last entry. */
export const GC_RELEASES: readonly [GcReleases, ...GcReleases[]] = [
  {
    first: '1.6.0.15',
    last: '1.7.0.17',
    truncated: ALL_USAGE_AND_OPERATIONS,
    otherCleanups: [...ENTITY_CLEANUPS, 'query_cleanup'],
  },
  {
    first: '0.15.0.1',
    last: '1.6.0.14',
    truncated: ALL_USAGE_AND_OPERATIONS,
    otherCleanups: ENTITY_CLEANUPS,
  },
  { first: '0.15.0', last: '0.15.0', truncated: USAGE_AND_OPERATIONS, otherCleanups: ENTITY_CLEANUPS },
  {
    first: '0.13.1.3',
    last: '0.14.1.12',
    truncated: USAGE_AND_OPERATIONS,
    // From 0.14.1.1 on there are others, but they run only where a recipe has them, and some of them reject `enabled`.
    otherCleanups: [],
  },
];

/** Indices that all releases truncate, and those that only newer ones do. */
export const ALWAYS_TRUNCATED: readonly string[] = USAGE_AND_OPERATIONS;
export const TRUNCATED_LATER = ALL_USAGE_AND_OPERATIONS.filter((index) => !USAGE_AND_OPERATIONS.includes(index));

/**
 * The entry of a release. One newer than the table is expected to be like the newest in it.
 * @returns undefined for a text that is no release number, `none` for a release without `datahub-gc`.
 */
export function gcReleasesOf(release: string): GcReleases | 'none' | undefined {
  const numbers = releaseNumbers(release);
  return (
    numbers && (GC_RELEASES.find(({ first }) => compareReleases(numbers, releaseNumbers(first) ?? []) >= 0) ?? 'none')
  );
}

/** True for a release that came after those in the table. */
export function isNewerThanKnown(release: string): boolean {
  return compareReleases(releaseNumbers(release) ?? [], releaseNumbers(GC_RELEASES[0].last) ?? []) > 0;
}

/** `1.7.0.17` or `1.3.1.7.post3`. Candidates of a release and builds of one's own may be like the release before or after. */
function releaseNumbers(release: string): readonly number[] | undefined {
  const [, numbers] = /^v?(\d{1,6}(?:\.\d{1,6}){1,3})(?:\.post\d{1,6})?$/.exec(release) ?? [];
  return numbers?.split('.').map(Number);
}

/** Negative: `a` came before. Missing numbers are 0. */
function compareReleases(a: readonly number[], b: readonly number[]): number {
  const place = [0, 1, 2, 3].find((index) => (a[index] ?? 0) !== (b[index] ?? 0));
  return place === undefined ? 0 : (a[place] ?? 0) - (b[place] ?? 0);
}

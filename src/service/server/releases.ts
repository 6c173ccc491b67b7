/**
 * What a server does by its release alone, as neither its schema nor its answers show it. What can be asked or learned is
 * in `facts.ts`; `docs/servers.md` has a row for each.
 */

/** The first release of each difference, by its numbers. */
export const SINCE = {
  /** Before, a week is in the schema, but can't be created (PROTOCOL.md §5.3). */
  createsWeeks: [1, 2, 0, 2],
  /** A reindex leaves its new index without refreshes, unless an administrator turned that off (PROTOCOL.md §7.5). */
  leavesIndexUnrefreshed: [1, 2, 0],
} as const;

/**
 * Whether a server has a difference.
 * @param release As `v1.6.0.16rc6`.
 * @returns undefined if the release is unknown, or may be a date.
 */
export function hasSince(difference: keyof typeof SINCE, release: string | undefined): boolean | undefined {
  const numbers = /^v?(\d(?:\.\d+){1,3})(?!\d)/
    .exec(release ?? '')?.[1]
    ?.split('.')
    .map(Number);
  return numbers && compareReleases(numbers, SINCE[difference]) >= 0;
}

/** Negative if `a` is older. Missing numbers are 0. */
export function compareReleases(a: readonly number[], b: readonly number[]): number {
  const place = [0, 1, 2, 3].find((index) => (a[index] ?? 0) !== (b[index] ?? 0));
  return place === undefined ? 0 : (a[place] ?? 0) - (b[place] ?? 0);
}

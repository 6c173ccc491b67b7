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
  const [, ...parts] = /^v?(\d)\.(\d+)(?:\.(\d+))?(?:\.(\d+))?(?!\d)/.exec(release ?? '') ?? [];
  if (parts.length === 0) {
    return undefined;
  }
  for (const [place, since] of SINCE[difference].entries()) {
    const part = Number(parts[place] ?? 0);
    if (part !== since) {
      return part > since;
    }
  }
  return true;
}

const RELEASE = /^v?(\d)\.(\d+)\b/;

/**
 * True if a reindex of this release leaves its new index without refreshes: all since 1.2.0, unless an administrator
 * turned that off (PROTOCOL.md §7.5). False if the release is unknown, or may be a date.
 * @param release As the server reports it, such as `v1.6.0.16`.
 */
export function neverRefreshesReindexed(release: string | undefined): boolean {
  const [, major, minor] = RELEASE.exec(release ?? '')?.map(Number) ?? [];
  return major !== undefined && minor !== undefined && (major > 1 || (major === 1 && minor >= 2));
}

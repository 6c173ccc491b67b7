import { env } from 'node:process';

/** URL of the cluster that was started for the tests. */
export const STARTED_VARIABLE = 'STARTED_SEARCH_CLUSTER';

/** URL of the cluster that the user names for the tests, or null. */
export function namedSearchCluster(): string | null {
  return env['SEARCH_CLUSTER'] || null;
}

/** @throws Error outside a run of these tests */
export function searchClusterUrl(): string {
  const url = namedSearchCluster() ?? env[STARTED_VARIABLE];
  if (!url) throw new Error('These tests need a search cluster: run them with npm test -- cluster.');
  return url;
}

import { env } from 'node:process';

/** URL of the cluster that tests use: one that the user names, or one started for them. */
export const URL_VARIABLE = 'SEARCH_CLUSTER';
/** Transport address of the leading node, if the cluster was started for the tests. */
export const SEED_VARIABLE = 'SEARCH_CLUSTER_SEED';

/** @throws Error outside a run of these tests */
export function searchClusterUrl(): string {
  const url = env[URL_VARIABLE];
  if (!url) throw new Error('These tests need a search cluster: run them with npm test -- cluster.');
  return url;
}

/** Null if the cluster was not started for the tests, so that they must not stop its nodes. */
export function searchClusterSeed(): string | null {
  return env[SEED_VARIABLE] ?? null;
}

/** URL of the cluster that the user names for the tests, or null. */
export function namedSearchCluster(): string | null {
  return (searchClusterSeed() === null && env[URL_VARIABLE]) || null;
}

import { env } from 'node:process';

/** The URL of the cluster that tests use: one that the user names, or else one that is started for them. */
export const URL_VARIABLE = 'SEARCH_CLUSTER';
/** Transport address of the leading node, where the cluster was started for the tests. */
export const SEED_VARIABLE = 'SEARCH_CLUSTER_SEED';

/** @throws outside of a run of these tests */
export function searchClusterUrl(): string {
  const url = env[URL_VARIABLE];
  if (!url) throw new Error('These tests need a search cluster: run them with npm test -- cluster.');
  return url;
}

/** Null: the cluster was not started for the tests, so none of its nodes is theirs. */
export function searchClusterSeed(): string | null {
  return env[SEED_VARIABLE] ?? null;
}

/** URL of the cluster that the user names for the tests; null where there is none. */
export function namedSearchCluster(): string | null {
  return (searchClusterSeed() === null && env[URL_VARIABLE]) || null;
}

import { env } from 'node:process';
import { startSearchNodes } from './searchNodes.ts';

/** The URL of the cluster that tests use: one that runs already, or else one that is started for them. */
const URL_VARIABLE = 'SEARCH_CLUSTER';
/** Transport address of a started cluster's leading node, for tests that add a node. */
const SEED_VARIABLE = 'SEARCH_CLUSTER_SEED';

/** Runs tests with a search cluster of two nodes, which they find in the environment. */
export async function withSearchCluster<T>(runTests: () => Promise<T>): Promise<T> {
  if (env[URL_VARIABLE]) return runTests();
  const nodes = await startSearchNodes(2);
  try {
    const [leading] = nodes;
    Object.assign(env, { [URL_VARIABLE]: leading?.url, [SEED_VARIABLE]: leading?.transport });
    return await runTests();
  } finally {
    await Promise.all(nodes.map((node) => node.kill()));
  }
}

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

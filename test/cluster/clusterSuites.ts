import { env } from 'node:process';
import { runNodeSuite, testFiles, type NodeSuite, type RunOptions } from '../../tools/run/nodeSuite.ts';
import { addTallies, failedSuite, type Tally } from '../../tools/run/tally.ts';
import { namedSearchCluster, STARTED_VARIABLE } from './clusterUrl.ts';
import { startSearchNodes } from './searchNodes.ts';

const MINUTE = 60_000;

/** Space of deleted rows is freed after up to 30 s, refreshes may be as far apart, and figures are 10 s old. */
const SUITE = { concurrency: 1, testLimit: 2 * MINUTE, suiteLimit: 10 * MINUTE };
/** One file at a time, because they fill and change the same cluster. */
const COMPARISON: NodeSuite = { ...SUITE, folder: 'test/cluster/comparison' };
/** Starts its own cluster, because it often waits while the others are busy. */
const STORY: NodeSuite = { ...SUITE, folder: 'test/cluster/story' };

/** Runs the tests that need a search cluster: the one named in the environment, or nodes started for them. */
export async function runClusterSuites(options: RunOptions): Promise<Tally> {
  const suites = [COMPARISON, STORY].filter(({ folder }) =>
    testFiles(folder).some((file) => file.includes(options.only ?? '')),
  );
  if (suites.length === 0) return failedSuite('test/cluster', `There is no test for ${String(options.only)}.`);
  if (namedSearchCluster() !== null) {
    const tallies: Tally[] = [];
    for (const suite of suites) tallies.push(await runNodeSuite(suite, options));
    return addTallies(tallies);
  }
  const nodes = suites.includes(COMPARISON) ? await startSearchNodes(2) : [];
  try {
    const [leading] = nodes;
    if (leading) env[STARTED_VARIABLE] = leading.url;
    return addTallies(await Promise.all(suites.map((suite) => runNodeSuite(suite, options))));
  } finally {
    await Promise.all(nodes.map((node) => node.kill()));
  }
}

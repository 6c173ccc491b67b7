import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { startService, type RunningService } from '../../service/main.ts';
import { OpenSearchClient } from '../../service/timeseries/openSearchClient.ts';
import type { ServiceOptions } from '../../service/options.ts';
import { searchClusterUrl } from '../clusterUrl.ts';

/** A service over a search cluster, with ways to interfere with that cluster's tasks. */
export interface Engine {
  readonly service: RunningService;
  /** Slows a running task down. In the stand-in, it makes no progress at all. */
  hold(task: string): Promise<void>;
  release(task: string): Promise<void>;
}

/** The same small sample for both engines. */
const SAMPLE: ServiceOptions = { tokens: 0, rows: 8000, lagMillis: 0, refreshIntervalMillis: null };

export async function startStandIn(options: ServiceOptions = {}): Promise<Engine> {
  const service = await startService({ ...SAMPLE, ...options });
  return {
    service,
    hold: async () => void (service.pacing.held = true),
    release: async () => void (service.pacing.held = false),
  };
}

export async function startReal(options: ServiceOptions = {}): Promise<Engine> {
  const searchCluster = searchClusterUrl();
  const service = await startService({ ...SAMPLE, ...options, searchCluster });
  const cluster = new OpenSearchClient(searchCluster);
  const throttle = (task: string, requestsPerSecond: number): Promise<unknown> =>
    cluster.send('POST', `/_delete_by_query/${task}/_rethrottle?requests_per_second=${requestsPerSecond}`);
  return {
    service,
    hold: (task) => throttle(task, 1).then(() => {}),
    release: (task) => throttle(task, -1).then(() => {}),
  };
}

/** Observations of an engine, without parts that differ between runs. */
type Observation = Readonly<Record<string, unknown>>;

/**
 * Body of a test that does the same in both engines and compares the observations.
 * @param real shared by several tests
 */
export function inBoth(
  real: () => Engine,
  scenario: (engine: Engine) => Promise<Observation>,
): (context: TestContext) => Promise<void> {
  return async (context) => {
    const standIn = await startStandIn({ profile: real().service.profile });
    context.after(() => standIn.service.close());
    const [seen, stoodIn] = await Promise.all([scenario(real()), scenario(standIn)]);
    assert.deepEqual(stoodIn, seen);
  };
}

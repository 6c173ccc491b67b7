import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { startService, type RunningService } from '../../service/main.ts';
import { OpenSearchClient } from '../../service/openSearchClient.ts';
import type { ServiceOptions } from '../../service/options.ts';
import { eventually } from './truncations.ts';
import { searchClusterUrl } from '../searchCluster.ts';

/** A service over a search cluster, with ways to interfere with that cluster's tasks. */
export interface Engine {
  readonly service: RunningService;
  /** Slows a running task down. In the stand-in, it makes no progress at all. */
  hold(task: string): Promise<void>;
  release(task: string): Promise<void>;
  /** Fills the disks of all nodes, or frees them. */
  flood(full: boolean): Promise<void>;
}

/** The same small sample for both engines. */
const SAMPLE: ServiceOptions = { tokens: 0, rows: 8000, lagMillis: 0, refreshIntervalMillis: null };

export async function startStandIn(options: ServiceOptions = {}): Promise<Engine> {
  const service = await startService({ ...SAMPLE, ...options });
  return {
    service,
    hold: async () => void (service.pacing.held = true),
    release: async () => void (service.pacing.held = false),
    flood: async (full) => void (service.pacing.floodStage = full),
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
    flood: (full) => flood(cluster, full),
  };
}

const WATERMARK = 'cluster.routing.allocation.disk.watermark';
const REROUTE_INTERVAL = 'cluster.routing.allocation.disk.reroute_interval';
/** Parts of these paths exist only if the setting does. */
const WRITE_BLOCK = '/*aspect_v1*/_settings/index.blocks.read_only_allow_delete';
const CREATION_BLOCK = '/_cluster/settings?filter_path=persistent.cluster.blocks.create_index';

/**
 * Requires more free space than a disk has. The cluster checks its disks every ten seconds, and then blocks or frees
 * every index.
 */
async function flood(cluster: OpenSearchClient, full: boolean): Promise<void> {
  const room = (terabytes: number): string | null => (full ? `${terabytes}tb` : null);
  await cluster.send('PUT', '/_cluster/settings', {
    transient: {
      [`${WATERMARK}.low`]: room(999),
      [`${WATERMARK}.high`]: room(998),
      [`${WATERMARK}.flood_stage`]: room(997),
      [REROUTE_INTERVAL]: '5s',
    },
  });
  const isSet = async (path: string): Promise<boolean> =>
    Object.keys((await cluster.send('GET', path)) as object).length > 0;
  // The cluster lifts the second block itself, after the interval above. If lifted by hand, it returns.
  await eventually('the blocks of a full disk change', async () => {
    const blocks = [await isSet(WRITE_BLOCK), await isSet(CREATION_BLOCK)];
    return blocks.every((found) => found === full);
  });
  if (!full) await cluster.send('PUT', '/_cluster/settings', { transient: { [REROUTE_INTERVAL]: null } });
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

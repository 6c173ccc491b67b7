import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openSearchClassPath } from './openSearch.ts';

/** A running node of a search cluster. */
export interface SearchNode {
  readonly name: string;
  /** Address for requests, without a trailing slash. */
  readonly url: string;
  /** Ends its process at once, as in a crash. Its data is lost as well. */
  kill(): Promise<void>;
}

/** Time limit for a node's start, in ms. */
const START_LIMIT = 120_000;

/** Less memory than a node usually gets, for a quick start: it stores little, and not for long. */
const JAVA_OPTIONS = ['-Xms256m', '-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

/** Starts a cluster on loopback ports, led by the first node. */
export async function startSearchNodes(count: number): Promise<readonly SearchNode[]> {
  const classPath = await openSearchClassPath();
  const seed = `127.0.0.1:${await freePort()}`;
  const names = Array.from({ length: count }, (_, index) => `node-${index}`);
  const starting = names.map((name, index) =>
    startSearchNode(name, { classPath, seed, leads: index === 0, nodes: count }),
  );
  const results = await Promise.allSettled(starting);
  const started = results.filter((result) => result.status === 'fulfilled').map(({ value }) => value);
  const failure = results.find((result) => result.status === 'rejected');
  if (failure === undefined) return started;
  await Promise.all(started.map((node) => node.kill()));
  throw failure.reason;
}

interface Membership {
  readonly classPath: string;
  /** Transport address of the leading node. */
  readonly seed: string;
  readonly leads: boolean;
  /** Size of the cluster once this node is ready. */
  readonly nodes: number;
}

async function startSearchNode(name: string, { classPath, seed, leads, nodes }: Membership): Promise<SearchNode> {
  const home = await mkdtemp(join(tmpdir(), 'search-node-'));
  const port = await freePort();
  const transport = leads ? seed : `127.0.0.1:${await freePort()}`;
  const settings = {
    'cluster.name': 'metadata-service-tests',
    'node.name': name,
    'node.roles': leads ? 'cluster_manager,data' : 'data',
    'network.host': '127.0.0.1',
    'http.type': 'netty4',
    'http.port': port,
    'transport.type': 'netty4',
    'transport.port': transport.split(':')[1],
    'discovery.seed_hosts': seed,
    ...(leads ? { 'cluster.initial_cluster_manager_nodes': name } : {}),
    // Keeps shards assigned even if the disk is nearly full.
    'cluster.routing.allocation.disk.watermark.low': '3mb',
    'cluster.routing.allocation.disk.watermark.high': '2mb',
    'cluster.routing.allocation.disk.watermark.flood_stage': '1mb',
    'cluster.info.update.interval': '10s',
    // A shard that moves to another node is refreshed there, which would reveal rows that a test expects to be
    // hidden.
    'cluster.routing.rebalance.enable': 'none',
  };
  const child = spawn(
    'java',
    [
      ...JAVA_OPTIONS,
      '-cp',
      classPath,
      'SearchNode',
      home,
      ...Object.entries(settings).map(([key, value]) => `${key}=${value}`),
    ],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  const node: SearchNode = {
    name,
    url: `http://127.0.0.1:${port}`,
    kill: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const exit = once(child, 'exit');
        child.kill('SIGKILL');
        await exit;
      }
      await rm(home, { recursive: true, force: true });
    },
  };
  try {
    await whenReady(node, child, nodes);
    return node;
  } catch (error) {
    await node.kill();
    throw error;
  }
}

/** @throws Error with the node's output if it ends or does not answer */
async function whenReady(node: SearchNode, child: ChildProcess, nodes: number): Promise<void> {
  let said = '';
  const listen = (chunk: Buffer): void => void (said = (said + chunk.toString()).slice(-4000));
  child.stdout?.on('data', listen);
  child.stderr?.on('data', listen);
  const deadline = performance.now() + START_LIMIT;
  while (!(await hasNodes(node.url, nodes))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${node.name} ended:\n${said}`);
    if (performance.now() > deadline) throw new Error(`${node.name} did not become ready:\n${said}`);
    await delay(200);
  }
}

async function hasNodes(url: string, nodes: number): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/_cluster/health?wait_for_nodes=${nodes}&timeout=5s`, {
      signal: AbortSignal.timeout(10_000),
    });
    return answer.ok;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

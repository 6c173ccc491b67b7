import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { makeEnvironments } from '../../test/client/environments.ts';
import { runClusterSuites } from '../../test/cluster/clusterSuites.ts';
import { runHostSuites } from '../../test/host/hostSuites.ts';
import { browserProgram } from '../../test/host/vscode/browserProgram.ts';
import { codeServer } from '../../test/host/vscode/codeServer.ts';
import { findShellcheck } from '../../test/job/shellcheck.ts';
import { freshPackage } from '../../test/e2e/harness/freshPackage.ts';
import { root } from '../paths.ts';
import { runNodeSuite, type NodeSuite, type RunOptions } from './nodeSuite.ts';
import { EMPTY_TALLY, failedSuite, type Tally } from './tally.ts';

const MINUTE = 60_000;

/** A part of the tests that can be run separately. */
export type Part = {
  readonly title: string;
  /** The following parts need not wait for its end. */
  readonly runsBeside?: boolean;
  /** Starts once all earlier parts have ended, even one that runs beside others. */
  readonly waitsForAll?: boolean;
  /** Needs more than Node.js and npm, so a run of all tests omits it. */
  readonly onlyWhenNamed?: boolean;
  /** Starts with the run, beside earlier parts: downloads wait for the network, and no window for the package. */
  readonly prepare?: () => Promise<unknown>;
  run(options: RunOptions): Promise<Tally>;
};

const UNIT: NodeSuite = {
  folder: 'test/unit',
  concurrency: 2,
  sharing: true,
  suiteLimit: 10 * MINUTE,
};
const CONFORMANCE: NodeSuite = { ...UNIT, folder: 'test/conformance' };
const JOB: NodeSuite = { ...UNIT, folder: 'test/job' };
// node:test holds a whole suite to the limit, and some stop the host after each of 23 writes.
const INVARIANTS: NodeSuite = {
  ...UNIT,
  folder: 'test/invariants',
  slowest: ['changedSince', 'crash', 'finished'],
  sharing: false,
  testLimit: 4 * MINUTE,
};
const SIMULATION: NodeSuite = {
  folder: 'test/simulation',
  concurrency: 1,
  // One minute alone, several beside other load.
  suiteLimit: 40 * MINUTE,
};
// More than processors: each test waits for a server and a window half of the time.
const E2E: NodeSuite = {
  folder: 'test/e2e',
  // Those of the languages are the shortest files, and take a minute.
  slowest: ['leaving', 'canary', 'failures', 'german', 'japanese'],
  concurrency: 3,
  suiteLimit: 30 * MINUTE,
};
const CLIENT: NodeSuite = { folder: 'test/client', concurrency: 2, suiteLimit: 10 * MINUTE };

let ready: Promise<unknown> | undefined;

/**
 * Prepares for windows, once, since each process would otherwise install its own: VS Code, a browser, and the package
 * to ship, which is the one under test.
 */
function readyForWindows(): Promise<unknown> {
  ready ??= Promise.all([freshPackage(), codeServer('newest'), browserProgram()]);
  return ready;
}

/** Runs a command of the repository as one test. */
async function runCommand(title: string, program: string, ...programArguments: string[]): Promise<Tally> {
  const file = join(root, 'node_modules', program);
  const { stdout, stderr, status } = await new Promise<{ stdout: string; stderr: string; status: number }>((resolve) =>
    execFile(process.execPath, [file, ...programArguments], { cwd: root }, (error, out, err) =>
      resolve({ stdout: out, stderr: err, status: error === null ? 0 : 1 }),
    ),
  );
  return status === 0 ? { ...EMPTY_TALLY, passed: 1 } : failedSuite(title, `${stdout}${stderr}`);
}

/**
 * All parts in the order of their start. Most keep two processors busy, so they run one after the other. The windows of
 * the extension host wait a third of their time, which short parts, the simulation and the job's script use.
 */
export const PARTS = {
  types: {
    title: 'Types',
    runsBeside: true,
    onlyWhenNamed: true,
    run: () => runCommand('Types', 'typescript/bin/tsc', '-b'),
  },
  lint: {
    title: 'Lint',
    runsBeside: true,
    onlyWhenNamed: true,
    run: () => runCommand('Lint', 'oxlint/bin/oxlint', '--deny-warnings'),
  },
  unit: { title: 'Unit', run: (options) => runNodeSuite(UNIT, options) },
  invariants: { title: 'Invariants', run: (options) => runNodeSuite(INVARIANTS, options) },
  host: {
    title: 'Extension host',
    runsBeside: true,
    prepare: readyForWindows,
    run: async (options) => {
      await readyForWindows();
      return runHostSuites({ kind: 'browser', engine: 'newest' }, options);
    },
  },
  conformance: { title: 'Conformance', run: (options) => runNodeSuite(CONFORMANCE, options) },
  simulation: { title: 'Simulation', runsBeside: true, run: (options) => runNodeSuite(SIMULATION, options) },
  job: {
    title: 'Scheduled job',
    prepare: findShellcheck,
    run: async (options) => {
      await findShellcheck();
      return runNodeSuite(JOB, options);
    },
  },
  e2e: {
    title: 'End to end',
    waitsForAll: true,
    prepare: readyForWindows,
    run: async (options) => {
      await readyForWindows();
      return runNodeSuite(E2E, options);
    },
  },
  client: {
    title: "DataHub's own client",
    onlyWhenNamed: true,
    run: async (options) => {
      await makeEnvironments();
      return runNodeSuite(CLIENT, options);
    },
  },
  cluster: {
    title: 'Search cluster',
    onlyWhenNamed: true,
    run: async (options) => {
      await readyForWindows();
      return runClusterSuites(options);
    },
  },
} as const satisfies Record<string, Part>;

/** Parts for each change, together in about a minute and a half. */
export const QUICK_PARTS: readonly PartName[] = ['types', 'lint', 'unit'];

export type PartName = keyof typeof PARTS;

export function isPartName(name: string): name is PartName {
  return Object.hasOwn(PARTS, name);
}

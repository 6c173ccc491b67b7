import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { runHostSuites } from '../host/hostSuites.ts';
import { buildPackage } from '../package/build.ts';
import { root } from '../paths.ts';
import { runNodeSuite } from './nodeSuite.ts';
import type { NodeSuite, RunOptions } from './nodeSuite.ts';
import type { Tally } from './tally.ts';

const run = promisify(execFile);

const MINUTE = 60_000;

/** A part of the tests, which can be run by itself. */
export type Part = {
  readonly title: string;
  /** It takes nothing but processor time, and only what others leave: it runs beside them. */
  readonly runsBeside?: boolean;
  run(options: RunOptions): Promise<Tally>;
};

const UNIT: NodeSuite = {
  folder: 'test/unit',
  concurrency: 2,
  sharing: true,
  testLimit: 5 * MINUTE,
  suiteLimit: 10 * MINUTE,
};
const SERVICE: NodeSuite = { ...UNIT, folder: 'test/service', sharing: false };
const SIMULATION: NodeSuite = {
  folder: 'test/simulation',
  concurrency: 1,
  testLimit: 20 * MINUTE,
  suiteLimit: 20 * MINUTE,
};
const E2E: NodeSuite = { folder: 'test/e2e', concurrency: 2, testLimit: 5 * MINUTE, suiteLimit: 20 * MINUTE };

/** All parts, in the order in which they run: the quick ones first. */
export const PARTS = {
  unit: { title: 'Unit', run: (options) => runNodeSuite(UNIT, options) },
  service: { title: 'Local service', run: (options) => runNodeSuite(SERVICE, options) },
  simulation: { title: 'Simulation', runsBeside: true, run: (options) => runNodeSuite(SIMULATION, options) },
  host: {
    title: 'Extension host',
    run: async ({ only, shuffle }) => {
      await run(process.execPath, ['esbuild.config.mjs'], { cwd: root });
      return runHostSuites({ kind: 'browser', engine: 'newest' }, { grep: only, shuffle });
    },
  },
  e2e: {
    title: 'End to end',
    run: async (options) => {
      await buildPackage();
      return runNodeSuite(E2E, options);
    },
  },
} as const satisfies Record<string, Part>;

export type PartName = keyof typeof PARTS;

export function isPartName(name: string): name is PartName {
  return Object.hasOwn(PARTS, name);
}

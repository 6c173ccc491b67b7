/** Tries one mutant on the tests that reach it, the likeliest and the quickest first, until one notices. */
import { availableParallelism, loadavg } from 'node:os';
import type { Baseline } from './baseline.ts';
import { applied } from './mutants.ts';
import type { Mutant, Outcome } from './mutant.ts';
import type { Runner } from './runner/runner.ts';
import type { TestFile } from './sources.ts';

/** A test counts as hanging when it takes this much longer than its whole file does unchanged, or this long. */
const SLOWER = 5;
const LEAST_LIMIT_MILLIS = 5_000;

/** On a machine that does more than it has processors for, everything takes longer. */
function limitFor(baseline: Baseline | undefined): number {
  const busy = Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
  return busy * Math.max(LEAST_LIMIT_MILLIS, SLOWER * (baseline?.millis ?? 0));
}

/** The tests that execute the place, in the order in which they are tried. */
export function reachingTests(
  mutant: Mutant,
  tests: readonly TestFile[],
  baselines: ReadonlyMap<string, Baseline>,
  lastKiller: string | undefined,
): TestFile[] {
  const mirror = mutant.file.replace(/^src\//, 'test/unit/').replace(/\.ts$/, '.test.ts');
  const rank = ({ path }: TestFile): number => {
    if (path === lastKiller) return -2;
    return path === mirror ? -1 : (baselines.get(path)?.millis ?? 0);
  };
  return tests.filter(({ path }) => reaches(baselines.get(path), mutant)).toSorted((a, b) => rank(a) - rank(b));
}

function reaches(baseline: Baseline | undefined, { file, start }: Mutant): boolean {
  const unreached = baseline?.coverage[file];
  return unreached !== undefined && !unreached.some(([from, to]) => from <= start && start < to);
}

/** @param javascript The source without the change, as `stripped` gives it. */
export async function tryMutant(
  mutant: Mutant,
  javascript: string,
  tests: readonly TestFile[],
  baselines: ReadonlyMap<string, Baseline>,
  runner: Runner,
): Promise<Outcome> {
  if (tests.length === 0) return { status: 'uncovered' };
  const change = { file: mutant.file, javascript: applied(mutant, javascript) };
  for (const { path } of tests) {
    const result = await runner.run({ test: path, change, coverage: false }, limitFor(baselines.get(path)));
    if (result.kind === 'failed') return { status: 'killed', by: path, test: result.title };
    if (result.kind === 'hung') return { status: 'timeout', by: path, test: result.title };
  }
  return { status: 'survived' };
}

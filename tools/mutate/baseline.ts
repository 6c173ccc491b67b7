/** What each file of tests reaches and how long it takes, found by running it once with nothing changed. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outFolder } from '../paths.ts';
import type { Coverage } from './runner/coverage.ts';
import { Runner } from './runner/runner.ts';
import { digestOf } from './sources.ts';
import type { TestFile } from './sources.ts';

export type Baseline = {
  readonly millis: number;
  readonly tests: number;
  readonly coverage: Coverage;
};

/** Longer than any test takes, on a busy machine too. */
const LIMIT_MILLIS = 120_000;

export const mutationFolder = join(outFolder, 'mutation');
const MEMORY = join(mutationFolder, 'baseline.json');

/** Of every file that passes; of those that nothing has changed for, as it was measured the last time. */
export async function baselines(
  tests: readonly TestFile[],
  progress: (line: string) => void,
): Promise<Map<string, Baseline>> {
  const remembered = read();
  const result = new Map<string, Baseline>();
  const kept: Record<string, Baseline> = {};
  const runner = new Runner();
  try {
    for (const { path, loads } of tests) {
      const key = digestOf([...loads]);
      const baseline = remembered[key] ?? (await measured(path, runner, progress));
      if (baseline === undefined) continue;
      result.set(path, baseline);
      kept[key] = baseline;
      write({ ...remembered, ...kept });
    }
  } finally {
    runner.stop();
  }
  write(kept);
  return result;
}

/** The second run counts: the first one loads packages too. */
async function measured(path: string, runner: Runner, progress: (line: string) => void): Promise<Baseline | undefined> {
  progress(`Measuring ${path}`);
  const first = await runner.run({ test: path, coverage: true }, LIMIT_MILLIS);
  if (first.kind !== 'passed') {
    progress(
      `  Left out, for it fails with nothing changed: ${first.title}\n${first.kind === 'failed' ? first.message : 'It hangs.'}`,
    );
    return undefined;
  }
  const started = performance.now();
  await runner.run({ test: path, coverage: true }, LIMIT_MILLIS);
  return { millis: Math.round(performance.now() - started), tests: first.tests, coverage: first.coverage ?? {} };
}

function read(): Record<string, Baseline> {
  try {
    return JSON.parse(readFileSync(MEMORY, 'utf8')) as Record<string, Baseline>;
  } catch {
    return {};
  }
}

function write(all: Record<string, Baseline>): void {
  mkdirSync(mutationFolder, { recursive: true });
  writeFileSync(MEMORY, JSON.stringify(all));
}

// npm run mutate: changes the sources of the protocol and of the truncation model in small ways, one at a time, and tells which
// changes no unit test notices.
//
//   npm run mutate -- [--only text]… [--quick] [--workers N] [--fresh]
//
// --only takes sources whose path holds one of the texts, --quick no tests that take long, for a first look. What an earlier run found is kept in out/mutation/ and holds as long as
// the source and the tests that decided it are unchanged; --fresh forgets it. Ends with status 1 where fewer than 95 % of the
// changes are noticed, not counting those in equivalents.json, which may be 5 % of all,
// or where a file of tests fails with nothing changed.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../paths.ts';
import { baselines as measure, mutationFolder } from './baseline.ts';
import type { Baseline } from './baseline.ts';
import { readEquivalents, staleEntries } from './equivalents.ts';
import { Memory } from './memory.ts';
import { identityOf } from './mutant.ts';
import { mutantsOf } from './mutants.ts';
import { isGoodEnough, table, unnoticed } from './report.ts';
import type { Tried } from './report.ts';
import { Runner } from './runner/runner.ts';
import { mutatedFiles, testsThatLoad } from './sources.ts';
import type { TestFile } from './sources.ts';
import { stripped } from './syntax.ts';
import { reachingTests, tryMutant } from './trial.ts';

/** Of a file of tests. */
const QUICK_MILLIS = 2_000;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [''] },
    quick: { type: 'boolean', default: false },
    workers: { type: 'string', default: '2' },
    fresh: { type: 'boolean', default: false },
  },
});

const files = mutatedFiles().filter((file) => values.only.some((text) => file.includes(text)));
if (files.length === 0) fail(`There is no mutated source whose path holds ${values.only.join(' or ')}.`);
const equivalents = readEquivalents();
const allTests = testsThatLoad(files);
const baselines: ReadonlyMap<string, Baseline> = await measure(allTests, (line) => console.log(line));
const leftOut = allTests.filter(({ path }) => !baselines.has(path)).map(({ path }) => path);
const tests = values.quick
  ? allTests.filter(({ path }) => (baselines.get(path)?.millis ?? 0) < QUICK_MILLIS)
  : allTests;
const memory = new Memory(values.fresh);
const runners = Array.from({ length: Math.max(1, Number(values.workers) || 1) }, () => new Runner());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => (stopAll(), process.exit(130)));

const tried: Tried[] = [];
try {
  for (const file of files) tried.push(...(await tryFile(file)));
} finally {
  stopAll();
}
const stale = staleEntries(
  equivalents,
  tried.map(({ mutant }) => mutant),
);
writeFileSync(join(mutationFolder, 'survivors.txt'), `${unnoticed(tried)}\n`);
writeFileSync(join(mutationFolder, 'table.md'), `${table(tried)}\n`);
console.log(`\n${table(tried)}`);
for (const path of leftOut) console.log(`Left out, for it fails with nothing changed: ${path}`);
for (const entry of stale) console.log(`In equivalents.json, but no such mutant: ${entry}`);
process.exit(isGoodEnough(tried) && stale.length + leftOut.length === 0 ? 0 : 1);

async function tryFile(file: string): Promise<Tried[]> {
  const javascript = stripped(readFileSync(join(root, file), 'utf8'));
  const queue = [...mutantsOf(file, javascript).entries()];
  const result: Tried[] = [];
  const started = performance.now();
  const work = async (runner: Runner): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, mutant] = next;
      const outcome = equivalents.has(identityOf(mutant))
        ? ({ status: 'equivalent' } as const)
        : await outcomeOf(mutant, javascript, runner);
      result[index] = { mutant, outcome };
    }
  };
  await Promise.all(runners.map(work));
  console.log(
    `${file}: ${result.length} mutants in ${Math.round((performance.now() - started) / 1000)} s\n${unnoticed(result)}`,
  );
  return result;
}

async function outcomeOf(mutant: Tried['mutant'], javascript: string, runner: Runner): Promise<Tried['outcome']> {
  const reaching: readonly TestFile[] = reachingTests(mutant, tests, baselines, memory.lastKiller(mutant));
  const known = memory.outcome(mutant, reaching);
  if (known !== undefined) return known;
  const outcome = await tryMutant(mutant, javascript, reaching, baselines, runner);
  memory.keep(mutant, outcome, reaching);
  return outcome;
}

function stopAll(): void {
  for (const runner of runners) runner.stop();
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

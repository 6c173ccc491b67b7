// npm run mutate: StrykerJS changes the sources in small ways, one at a time, and reports which changes no unit test
// notices.
//
// npm run mutate -- [--only text]… [--concurrency N] [--fresh]
//
// --only selects sources whose path includes one of the texts. Results are kept in out/mutation and reused while the
// source and its tests are unchanged; --fresh ignores them. Ends with status 1 if fewer than 95 % of the mutants are
// noticed, not counting those in equivalents.json, or if an entry of that list matches no mutant.
import { Stryker } from '@stryker-mutator/core';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../paths.ts';
import { describeMutant, readEquivalents, staleEntries } from './equivalents.ts';
import { readMutationScope } from './scope.ts';

const LEAST_PERCENT_NOTICED = 95;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [''] },
    concurrency: { type: 'string', default: '2' },
    fresh: { type: 'boolean', default: false },
  },
});
const { sources, tests } = readMutationScope(values.only);
if (sources.length === 0) {
  console.error(`No unit test loads a source whose path holds ${values.only.join(' or ')}.`);
  process.exit(1);
}

// The runner starts `node`, which must be this one.
process.env['PATH'] = [dirname(process.execPath), process.env['PATH']].join(delimiter);
process.env['NODE_COMPILE_CACHE'] = join(root, 'out/mutation/compiled');
process.chdir(root);
const results = await new Stryker({
  mutate: [...sources],
  testRunner: 'nearest-first',
  plugins: ['@stryker-mutator/tap-runner', './tools/mutate/nearestFirst.ts'],
  tap: {
    testFiles: [...tests],
    nodeArgs: [
      '--disable-warning=ExperimentalWarning',
      '--test-reporter=./tools/mutate/tapReporter.ts',
      '-r',
      '{{hookFile}}',
      '{{testFile}}',
    ],
  },
  coverageAnalysis: 'perTest',
  // For all tests in sequence, even on a busy machine.
  dryRunTimeoutMinutes: 60,
  concurrency: Number(values.concurrency),
  incremental: true,
  incrementalFile: 'out/mutation/results.json',
  force: values.fresh,
  tempDirName: 'out/mutation/sandbox',
  ignorePatterns: ['/.vscode-test', '/dist', '/media', '/out'],
  // StrykerJS would read it with an older TypeScript API.
  tsconfigFile: 'none',
  reporters: ['progress-append-only'],
  clearTextReporter: { reportTests: false },
}).runMutationTest();

const mutants = results.map((result) => describeMutant(result, readFileSync(result.fileName, 'utf8')));
const equivalents = readEquivalents();
const counted = mutants.filter(({ identity }) => !equivalents.has(identity));
const unnoticed = counted.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
const stale = staleEntries(equivalents, sources, mutants);
for (const { identity, line, status } of unnoticed) console.log(`${status}, line ${line}: ${identity}`);
for (const entry of stale) console.log(`In equivalents.json, but there is no such mutant: ${entry}`);
const percentNoticed = counted.length === 0 ? 100 : (1 - unnoticed.length / counted.length) * 100;
console.log(
  `${mutants.length} mutants, ${mutants.length - counted.length} equivalent, ${unnoticed.length} not noticed: ` +
    `${percentNoticed.toFixed(1)} % noticed`,
);
process.exit(percentNoticed >= LEAST_PERCENT_NOTICED && stale.length === 0 ? 0 : 1);

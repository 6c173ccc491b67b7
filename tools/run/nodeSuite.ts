import { readdirSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { run } from 'node:test';
import { root } from '../paths.ts';
import type { PartProgress } from './progress.ts';
import { ownProcesses, sharedProcesses } from './sharedProcesses.ts';
import { TestEvents } from './testEvents.ts';
import { TEST_LIMIT_MS } from './testLimit.ts';
import { failedSuite, type Tally } from './tally.ts';

/** Options for running a part of the tests. */
export type RunOptions = {
  /** Only files whose path includes this text. */
  readonly only?: string | undefined;
  /** Stops the run. */
  readonly signal: AbortSignal;
  readonly progress: PartProgress;
};

export type NodeSuite = {
  /** Folder below the repository's, searched for `*.test.ts`. */
  readonly folder: string;
  /** Number of files that run at the same time. */
  readonly concurrency: number;
  /** Names of short files that take long, the longest first. */
  readonly slowest?: readonly string[];
  /** Number of processes shared by files without special needs. */
  readonly sharing?: boolean;
  /** Time that each test may take, in ms. One minute unless it waits for intervals of another program. */
  readonly testLimit?: number;
  /** Time after which the whole suite counts as hanging, in ms. Running processes are ended then. */
  readonly suiteLimit: number;
};

/** Runs a folder of tests on node:test. */
export async function runNodeSuite(suite: NodeSuite, { only = '', signal, progress }: RunOptions): Promise<Tally> {
  // Starts with the longest, so that it does not run alone at the end.
  const slowest = (suite.slowest ?? []).toReversed();
  const rank = (file: string): number => slowest.indexOf(basename(file, '.test.ts'));
  const files = testFiles(suite.folder)
    .filter((file) => file.includes(only))
    .map((file) => join(root, file))
    .toSorted((a, b) => rank(b) - rank(a) || statSync(b).size - statSync(a).size);
  if (files.length === 0) return failedSuite(suite.folder, `There is no test in ${suite.folder}.`);
  const programs = suite.sharing === true ? sharedProcesses(files, suite.concurrency) : ownProcesses(files);
  const { testLimit = TEST_LIMIT_MS } = suite;
  const events = new TestEvents(testLimit);
  progress.expect(files.length);
  const stream = run({
    files: programs.map(({ program }) => program),
    concurrency: suite.concurrency,
    timeout: testLimit,
    signal: AbortSignal.any([signal, AbortSignal.timeout(suite.suiteLimit)]),
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  for await (const event of stream) {
    if (event.type === 'test:start') events.started(event.data);
    if (event.type === 'test:pass') {
      events.passed(event.data);
      if (typeof event.data.skip === 'string') progress.print(`  - ${event.data.name}: skipped, ${event.data.skip}`);
    }
    if (event.type === 'test:fail') events.failed(event.data);
    if (event.type === 'test:stderr') events.said(event.data.file, event.data.message);
    const ended = endedFile(event);
    for (const file of programs.find(({ program }) => program === ended)?.files ?? []) {
      events.ended(file);
      const { failures } = events.ofFile(file);
      if (failures.length > 0)
        progress.print(`  ✗ ${relative(root, file)}: ${failures.length} failed\n${events.saidBy(file)}`.trimEnd());
      progress.advance(failures.length > 0);
    }
  }
  return events.tally();
}

/** Tests below a folder, relative to the repository's folder. */
export function testFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .toSorted()
    .map((name) => join(folder, name));
}

/** A file ends with a summary, or, if it cannot be loaded or dies, with a failure in its own name. */
function endedFile(event: RunEvent): string | undefined {
  if (event.type === 'test:summary') return event.data.file;
  return event.type === 'test:fail' && event.data.name === event.data.file ? event.data.file : undefined;
}

type RunEvent = ReturnType<typeof run> extends AsyncIterable<infer Event> ? Event : never;

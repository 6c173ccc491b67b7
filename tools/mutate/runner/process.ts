/** A process that runs files of tests, again and again, with one source changed or none. Its parent ends it when it hangs. */
import { configureGlobal } from 'fast-check';
import { CoverageSession } from './coverage.ts';
import type { Coverage } from './coverage.ts';
import { addressForRun, isOfEarlierRun } from './loader.ts';
import type { ChangedSource } from './loader.ts';
import { runDefined, strayError } from './nodeTest.ts';

export type RunRequest = {
  readonly test: string;
  readonly change?: ChangedSource | undefined;
  readonly coverage: boolean;
};

export type RunReport =
  | { readonly kind: 'running'; readonly title: string }
  | {
      readonly kind: 'passed';
      readonly tests: number;
      readonly coverage?: Coverage | undefined;
      readonly isFull: boolean;
    }
  | { readonly kind: 'failed'; readonly title: string; readonly message: string; readonly isFull: boolean };

/** Modules that were loaded stay loaded, and a test that was cut short leaves things open: so large a process is to be replaced. */
const FULL_BYTES = 700_000_000;

// The same values each time: what is noticed once is noticed again.
configureGlobal({ seed: 20_260_101 });

process.on('uncaughtException', stray);
process.on('unhandledRejection', stray);
process.on('message', (request: RunRequest) => void answer(request));

let session: CoverageSession | undefined;

async function answer({ test, change, coverage }: RunRequest): Promise<void> {
  const timeZone = process.env['TZ'];
  let title = '';
  let tests = 0;
  if (coverage) session ??= new CoverageSession();
  session?.take();
  try {
    await runDefined(
      () => import(addressForRun(test, change)),
      (next) => {
        title = next;
        tests++;
        report({ kind: 'running', title });
      },
    );
    report({ kind: 'passed', tests, coverage: session?.take(), isFull: isFull() });
  } catch (error) {
    report({
      kind: 'failed',
      title,
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
      isFull: isFull(),
    });
  } finally {
    if (timeZone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = timeZone;
  }
}

function stray(error: unknown): void {
  if (!isOfEarlierRun(error)) strayError(error);
}

function isFull(): boolean {
  return process.memoryUsage.rss() > FULL_BYTES;
}

function report(one: RunReport): void {
  process.send?.(one);
}

/** Runs tests in a copy of the repository. */
import { spawn, type ChildProcess } from 'node:child_process';
import type { Defect } from './defect.ts';

export type SuiteResult = { readonly passed: boolean; readonly output: string };

let running: ChildProcess | undefined;

/** Enough schedules for the rarest events to occur many times. */
const SCHEDULES = '20000';

export async function runSuite(folder: string, { suite, only }: Pick<Defect, 'suite' | 'only'>): Promise<SuiteResult> {
  const narrowed = only === '' ? [] : ['--only', only];
  // The simulation's own test suite puts defects back too, and has its own number of schedules.
  const program =
    suite === 'simulation'
      ? ['tools/simulate/main.ts', '--theme', only === '' ? 'mixed' : only, '--schedules', SCHEDULES, '--until-broken']
      : ['tools/run/main.ts', suite, ...narrowed];
  running = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...program], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  running.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  running.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const { promise, resolve } = Promise.withResolvers<number | null>();
  running.on('close', resolve);
  return { passed: (await promise) === 0 && (suite === 'simulation' || hasRunTests(output)), output };
}

/** Interrupts the running suite, so that it can clean up. */
export function interruptSuite(): void {
  running?.kill('SIGINT');
}

/** A pattern that fits no title runs no test, and notices nothing. */
export function hasRunTests(output: string): boolean {
  return /^[1-9]\d* passed, /mu.test(output);
}

/** Failed tests, by the titles that a run prints. */
export function failedTitles(output: string): string[] {
  return Array.from(output.matchAll(/^✗ (.+)$/gmu), ([, title = '']) => title);
}

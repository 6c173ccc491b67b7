/** Runs files of tests in a process of its own, which is replaced when it hangs, dies or has grown. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { root } from '../../paths.ts';
import type { RunReport, RunRequest } from './process.ts';

export type RunResult = Exclude<RunReport, { readonly kind: 'running' }> | { readonly kind: 'hung'; readonly title: string };

/** Modules that were loaded stay loaded: after so many runs a fresh process is cheaper. */
const RUNS_PER_PROCESS = 400;

export class Runner {
  #child: ChildProcess | undefined;
  #runs = 0;

  /** @param limitMillis How long a single test may take until it counts as hanging. */
  async run(request: RunRequest, limitMillis: number): Promise<RunResult> {
    const child = this.#ready();
    const { promise, resolve } = Promise.withResolvers<RunResult>();
    let title = '';
    let hangs = setTimeout(stop, limitMillis);
    function stop(): void {
      resolve({ kind: 'hung', title });
    }
    const told = (report: RunReport): void => {
      clearTimeout(hangs);
      if (report.kind !== 'running') return resolve(report);
      title = report.title;
      hangs = setTimeout(stop, limitMillis);
    };
    const died = (): void => resolve({ kind: 'failed', title, message: 'The process died.' });
    child.on('message', told);
    child.on('exit', died);
    child.send(request);
    const result = await promise;
    clearTimeout(hangs);
    child.off('message', told);
    child.off('exit', died);
    if (result.kind === 'hung' || ++this.#runs >= RUNS_PER_PROCESS) this.stop();
    return result;
  }

  stop(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
    this.#runs = 0;
  }

  #ready(): ChildProcess {
    if (this.#child === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) {
      const program = fileURLToPath(new URL('process.ts', import.meta.url));
      this.#child = fork(program, { cwd: root, execArgv: ['--disable-warning=ExperimentalWarning'], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
      this.#runs = 0;
    }
    return this.#child;
  }
}

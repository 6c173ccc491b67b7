/** Runs files of tests in a process of its own, which is replaced when it hangs, dies or has grown. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { root } from '../../paths.ts';
import type { RunReport, RunRequest } from './process.ts';

export type RunResult =
  | Exclude<RunReport, { readonly kind: 'running' }>
  | { readonly kind: 'hung'; readonly title: string };

export class Runner {
  #child: ChildProcess | undefined;

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
    const died = (): void => resolve({ kind: 'failed', title, message: 'The process died.', isFull: true });
    child.on('message', told);
    child.on('exit', died);
    child.send(request);
    const result = await promise;
    clearTimeout(hangs);
    child.off('message', told);
    child.off('exit', died);
    if (result.kind === 'hung' || result.isFull) this.stop();
    return result;
  }

  stop(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  #ready(): ChildProcess {
    if (this.#child === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) {
      const program = fileURLToPath(new URL('process.ts', import.meta.url));
      this.#child = fork(program, {
        cwd: root,
        execArgv: ['--disable-warning=ExperimentalWarning'],
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      });
    }
    return this.#child;
  }
}

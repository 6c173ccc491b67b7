import { durationInWords, LiveLines, progressBar, type ProgressOutput } from '../liveLines.ts';
import { tallyLine, type Tally } from './tally.ts';

/** Progress of one part of the run, counted in files, tests or commands. */
export type PartProgress = {
  /** Adds to the total number, once it is known. */
  expect(total: number): void;
  advance(failed: boolean): void;
  /** Prints a lasting line, such as a failure. */
  print(line: string): void;
  end(tally: Tally): void;
};

type RunningPart = { readonly title: string; readonly startedAt: number; done: number; failed: number; total: number };

/**
 * Shows all running parts: in a terminal one line each with a bar, redrawn in place; elsewhere one line at the start
 * and one at the end.
 */
export class RunProgress {
  readonly #live: LiveLines;
  readonly #now: () => number;
  readonly #running = new Set<RunningPart>();

  /** @param now ms since any fixed moment */
  constructor(output: ProgressOutput, now: () => number = () => performance.now()) {
    this.#live = new LiveLines(output, () => [...this.#running].map((part) => this.#lineOf(part)));
    this.#now = now;
  }

  begin(title: string): PartProgress {
    const part: RunningPart = { title, startedAt: this.#now(), done: 0, failed: 0, total: 0 };
    this.#running.add(part);
    if (!this.#live.isTerminal) this.print(`${title}…`);
    this.#live.start();
    return {
      expect: (total) => {
        part.total += total;
        this.#live.redraw();
      },
      advance: (failed) => {
        part.done += 1;
        if (failed) part.failed += 1;
        this.#live.redraw();
      },
      print: (line) => this.print(line),
      end: (tally) => {
        this.#running.delete(part);
        this.print(`${title}: ${tallyLine(tally)} in ${durationInWords(this.#now() - part.startedAt)}`);
        if (this.#running.size === 0) this.#live.stop();
      },
    };
  }

  /** Prints a line above those that are redrawn. */
  print(line: string): void {
    this.#live.print(line);
  }

  #lineOf({ title, startedAt, done, failed, total }: RunningPart): string {
    return [
      title.padEnd(16),
      progressBar(done, total),
      total === 0 ? 'starting' : `${done}/${total}`,
      durationInWords(this.#now() - startedAt),
      ...(failed > 0 ? [`${failed} failed`] : []),
    ].join('  ');
  }
}

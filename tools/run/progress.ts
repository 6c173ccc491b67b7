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

type RunningPart = { readonly title: string; done: number; failed: number; total: number };

/** Moves to the start of the line, and erases it. */
const CLEAR_LINE = '\r\u001B[K';

/** Prints a line at the start and at the end of each part. In a terminal, the last line says how far they are. */
export class RunProgress {
  readonly #output: NodeJS.WriteStream;
  readonly #running = new Set<RunningPart>();

  constructor(output: NodeJS.WriteStream) {
    this.#output = output;
  }

  begin(title: string): PartProgress {
    const [part, startedAt] = [{ title, done: 0, failed: 0, total: 0 }, performance.now()];
    this.#running.add(part);
    this.print(`${title}…`);
    return {
      expect: (total) => {
        part.total += total;
        this.#show();
      },
      advance: (failed) => {
        part.done += 1;
        if (failed) part.failed += 1;
        this.#show();
      },
      print: (line) => this.print(line),
      end: (tally) => {
        this.#running.delete(part);
        const seconds = Math.round((performance.now() - startedAt) / 1_000);
        this.print(`${title}: ${tallyLine(tally)} in ${seconds} s`);
      },
    };
  }

  print(line: string): void {
    this.#output.write(`${this.#output.isTTY ? CLEAR_LINE : ''}${line}\n`);
    this.#show();
  }

  #show(): void {
    if (!this.#output.isTTY) return;
    const parts = Array.from(this.#running, ({ title, done, total, failed }) =>
      [`${title} ${done}/${total}`, ...(failed > 0 ? [`${failed} failed`] : [])].join(', '),
    );
    // Some terminals don't say how wide they are.
    this.#output.write(CLEAR_LINE + parts.join('  ').slice(0, (this.#output.columns || 80) - 1));
  }
}

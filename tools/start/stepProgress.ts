import { durationInWords, LiveLines, progressBar, type ProgressOutput } from '../liveLines.ts';

type RunningStep = { readonly title: string; readonly startedAt: number };

/** Shows steps that follow each other: a line for each, and in a terminal a bar with the running one below them. */
export class StepProgress {
  readonly #live: LiveLines;
  readonly #total: number;
  readonly #now: () => number;
  #done = 0;
  #running: RunningStep | undefined;

  /** @param now ms since any fixed moment */
  constructor(total: number, output: ProgressOutput, now: () => number = () => performance.now()) {
    this.#live = new LiveLines(output, () => (this.#running === undefined ? [] : [this.#lineOf(this.#running)]));
    this.#total = total;
    this.#now = now;
  }

  /** Runs a step. @throws what it throws */
  async run<T>(title: string, step: () => Promise<T>): Promise<T> {
    const running = { title, startedAt: this.#now() };
    this.#running = running;
    if (!this.#live.isTerminal) this.print(`${title}…`);
    this.#live.start();
    try {
      const result = await step();
      this.#done += 1;
      const isShown = this.#running === running;
      this.stop();
      if (isShown && this.#live.isTerminal) this.print(`${title}: ${this.#duration(running)}`);
      return result;
    } finally {
      this.stop();
    }
  }

  /** Prints a line above the running step. */
  print(line: string): void {
    this.#live.print(line);
  }

  /** Shows no step any more. */
  stop(): void {
    this.#running = undefined;
    this.#live.stop();
  }

  #lineOf(step: RunningStep): string {
    const bar = progressBar(this.#done, this.#total);
    // The time comes before the title, which a narrow terminal cuts off.
    return `${bar}  ${this.#done}/${this.#total}  ${this.#duration(step)}  ${step.title}…`;
  }

  #duration({ startedAt }: RunningStep): string {
    return durationInWords(this.#now() - startedAt);
  }
}

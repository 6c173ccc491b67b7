import { tallyLine, type Tally } from './tally.ts';

const BAR_CELLS = 24;
const REDRAW_MS = 1_000;
/** Moves to the start of the line above, and erases from the cursor to the end of the screen. */
const LINE_UP = '\u001B[1A';
const ERASE_BELOW = '\u001B[0J';

/** Output for the progress, usually standard output. */
export type ProgressOutput = {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
};

/** Progress of one part of the run, counted in files, tests or commands. */
export type PartProgress = {
  /** Sets the total number once it is known. */
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
  readonly #output: ProgressOutput;
  readonly #now: () => number;
  readonly #running = new Set<RunningPart>();
  #drawnLines = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param now ms since any fixed moment */
  constructor(output: ProgressOutput, now: () => number = () => performance.now()) {
    this.#output = output;
    this.#now = now;
  }

  begin(title: string): PartProgress {
    const part: RunningPart = { title, startedAt: this.#now(), done: 0, failed: 0, total: 0 };
    this.#running.add(part);
    if (!this.#isTerminal) this.print(`${title}…`);
    this.#timer ??= setInterval(() => this.#redraw(), REDRAW_MS).unref();
    this.#redraw();
    return {
      expect: (total) => {
        part.total = total;
        this.#redraw();
      },
      advance: (failed) => {
        part.done += 1;
        if (failed) part.failed += 1;
        this.#redraw();
      },
      print: (line) => this.print(line),
      end: (tally) => {
        this.#running.delete(part);
        this.print(`${title}: ${tallyLine(tally)} in ${durationInWords(this.#now() - part.startedAt)}`);
        if (this.#running.size === 0) this.#stop();
      },
    };
  }

  /** Prints a line above those that are redrawn. */
  print(line: string): void {
    this.#erase();
    this.#output.write(`${line}\n`);
    this.#redraw();
  }

  get #isTerminal(): boolean {
    return this.#output.isTTY === true;
  }

  #redraw(): void {
    if (!this.#isTerminal) return;
    this.#erase();
    const lines = [...this.#running].map((part) => this.#lineOf(part).slice(0, (this.#output.columns ?? 80) - 1));
    this.#output.write(lines.map((line) => `${line}\n`).join(''));
    this.#drawnLines = lines.length;
  }

  #erase(): void {
    if (this.#drawnLines > 0) this.#output.write(`${LINE_UP.repeat(this.#drawnLines)}\r${ERASE_BELOW}`);
    this.#drawnLines = 0;
  }

  #lineOf({ title, startedAt, done, failed, total }: RunningPart): string {
    const filled = total === 0 ? 0 : Math.round((BAR_CELLS * Math.min(done, total)) / total);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR_CELLS - filled);
    const count = total === 0 ? 'starting' : `${done}/${total}`;
    return [
      title.padEnd(16),
      bar,
      count,
      durationInWords(this.#now() - startedAt),
      ...(failed > 0 ? [`${failed} failed`] : []),
    ].join('  ');
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** A readable duration from ms: `47 s`, `3:05 min`. */
export function durationInWords(millis: number): string {
  const seconds = Math.round(millis / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} min`;
}

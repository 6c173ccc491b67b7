const REDRAW_MS = 1_000;
/** Moves to the start of the line above, and erases from the cursor to the end of the screen. */
const LINE_UP = '\u001B[1A';
const ERASE_BELOW = '\u001B[0J';
const BAR_CELLS = 24;

/** Output for progress, usually standard output. */
export type ProgressOutput = {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
};

/** Lines at the end of a terminal, redrawn in place. Elsewhere nothing is drawn, only printed. */
export class LiveLines {
  readonly #output: ProgressOutput;
  readonly #lines: () => readonly string[];
  #drawnLines = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param lines the current ones; may change at any time */
  constructor(output: ProgressOutput, lines: () => readonly string[]) {
    this.#output = output;
    this.#lines = lines;
  }

  get isTerminal(): boolean {
    return this.#output.isTTY === true;
  }

  /** Redraws each second until `stop`, for times that pass. */
  start(): void {
    this.#timer ??= setInterval(() => this.redraw(), REDRAW_MS).unref();
    this.redraw();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.redraw();
  }

  redraw(): void {
    if (!this.isTerminal) return;
    this.#erase();
    const lines = this.#lines().map((line) => line.slice(0, (this.#output.columns || 80) - 1));
    this.#output.write(lines.map((line) => `${line}\n`).join(''));
    this.#drawnLines = lines.length;
  }

  /** Prints a line above those that are redrawn. */
  print(line: string): void {
    this.#erase();
    this.#output.write(`${line}\n`);
    this.redraw();
  }

  #erase(): void {
    if (this.#drawnLines > 0) this.#output.write(`${LINE_UP.repeat(this.#drawnLines)}\r${ERASE_BELOW}`);
    this.#drawnLines = 0;
  }
}

/** A bar that is as full as `done` of `total`; empty while the total is unknown, 0. */
export function progressBar(done: number, total: number): string {
  const filled = total === 0 ? 0 : Math.round((BAR_CELLS * Math.min(done, total)) / total);
  return '█'.repeat(filled) + '░'.repeat(BAR_CELLS - filled);
}

/** A readable duration from ms: `47 s`, `3:05 min`. */
export function durationInWords(millis: number): string {
  const seconds = Math.round(millis / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} min`;
}

/** Time that a test lets pass. All windows of a machine share it. */
export class MachineTime {
  readonly #start = Date.now();
  #passed = 0;
  #shift = 0;
  #timers: { readonly at: number; readonly run: () => void }[] = [];

  /** Unix time in ms by the machine's clock. */
  now(): number {
    return this.real() + this.#shift;
  }

  /** Unix time in ms by a clock that nobody sets. */
  real(): number {
    return this.#start + this.#passed;
  }

  /** Sets the clock, as a user or a time server does. @param millis Negative to set it back. */
  shift(millis: number): void {
    this.#shift += millis;
  }

  /** Milliseconds since the machine started. */
  monotonic(): number {
    return this.#passed;
  }

  /** Calls `run` once, in `millis` ms. @returns a function that cancels the call. */
  after(millis: number, run: () => void): () => void {
    const timer = { at: this.#passed + Math.max(0, millis || 0), run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  /** Milliseconds until the next timer is due. Undefined if there is none. */
  untilNextTimer(): number | undefined {
    const next = Math.min(...this.#timers.map(({ at }) => at));
    return Number.isFinite(next) ? next - this.#passed : undefined;
  }

  /** Lets time pass and calls what is due by then, in the order of its time. */
  pass(millis: number): void {
    this.#passed += millis;
    const due = this.#timers.filter(({ at }) => at <= this.#passed).toSorted((a, b) => a.at - b.at);
    this.#timers = this.#timers.filter((one) => !due.includes(one));
    for (const { run } of due) {
      run();
    }
  }
}

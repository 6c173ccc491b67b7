/** A clock that a test moves: timers fire when their time comes, and the time of day can be set apart from them. */
import type { Clock } from '../../src/time.ts';

export class SteppedClock implements Clock {
  #passed = 0;
  #offset: number;
  #timers: { readonly at: number; readonly run: () => void }[] = [];

  /** @param start Unix time in ms. */
  constructor(start = 1_790_000_000_000) {
    this.#offset = start;
  }

  now(): number {
    return this.#offset + this.#passed;
  }

  monotonic(): number {
    return this.#passed;
  }

  after(millis: number, run: () => void): () => void {
    const timer = { at: this.#passed + millis, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  /** How many timers wait. */
  get waiting(): number {
    return this.#timers.length;
  }

  /** Milliseconds until the next timer is due. Undefined if there is none. */
  untilNextTimer(): number | undefined {
    const next = Math.min(...this.#timers.map(({ at }) => at));
    return Number.isFinite(next) ? Math.max(0, next - this.#passed) : undefined;
  }

  /** Lets time pass, and fires what comes due on the way. */
  advance(millis: number): void {
    this.#passed += millis;
    const due = this.#timers.filter(({ at }) => at <= this.#passed).toSorted((a, b) => a.at - b.at);
    this.#timers = this.#timers.filter((one) => !due.includes(one));
    for (const { run } of due) {
      run();
    }
  }

  /** Sets the time of day; timers do not care. */
  set(now: number): void {
    this.#offset = now - this.#passed;
  }

  /** The machine sleeps: the time of day goes on, timers do not. */
  sleep(millis: number): void {
    this.#offset += millis;
  }
}

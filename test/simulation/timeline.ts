/** Events in order of time, and the program's clocks. */
import type { Clock } from '../../src/time.ts';

interface Event {
  readonly at: number;
  readonly order: number;
  readonly happen: () => void;
}

/** 21 November 2026, noon. */
const START = Date.UTC(2026, 10, 21, 12);

/** Changes less than this before an execution leaves come too late, in ms, because its credential is being read. */
export const LAST_MOMENT_MILLIS = 1_000;

export class Timeline {
  readonly #events: Event[] = [];
  #now = 0;
  #order = 0;
  /** Error of the system clock, in ms. */
  wallOffset = 0;
  /** Time the machine slept, in ms. The monotonic clock stood still meanwhile. */
  slept = 0;
  /** One line per event. */
  readonly trace: string[] = [];

  /** Milliseconds since the start that really passed. */
  get now(): number {
    return this.#now;
  }

  get wall(): number {
    return START + this.#now + this.wallOffset;
  }

  /** @returns a function that cancels it */
  after(millis: number, happen: () => void): () => void {
    const event: Event = { at: this.#now + Math.max(0, millis), order: this.#order++, happen };
    this.#insert(event);
    return () => {
      const at = this.#events.indexOf(event);
      if (at >= 0) {
        this.#events.splice(at, 1);
      }
    };
  }

  note(line: string): void {
    this.trace.push(`${String(Math.round(this.#now)).padStart(9)} ${line}`);
  }

  /** Runs events until none are left, `until` is reached, or this many have happened. */
  async run(until: number, mostEvents: number): Promise<void> {
    await drained();
    for (let count = 0; count < mostEvents; count++) {
      const event = this.#events[0];
      if (event === undefined || event.at > until) {
        return;
      }
      this.#events.shift();
      this.#now = event.at;
      event.happen();
      // All consequences of an event precede the next one.
      await drained();
    }
  }

  /** Clocks as a program on this machine reads them. */
  clock(after: Clock['after']): Clock {
    return { now: () => Math.round(this.wall), monotonic: () => this.#now - this.slept, after };
  }

  #insert(event: Event): void {
    let at = this.#events.length;
    while (at > 0 && (this.#events[at - 1] as Event).at > event.at) {
      at--;
    }
    this.#events.splice(at, 0, event);
  }
}

/** Waits until no promise can settle by itself. */
function drained(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

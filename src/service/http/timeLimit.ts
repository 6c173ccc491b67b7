/** How long a request may take. Those of dry runs and truncations have a limit of their own (truncationRequest.ts). */
import type { Clock } from '../../time.ts';

/** The response to a change, such as a new token, comes once. A short timeout for reads must not lose it. */
export const LEAST_MUTATION_MILLIS = 30_000;

/** Longer than any user waits, and still valid for timers. */
const LONGEST_LIMIT_MILLIS = 3_600_000;

/** A signal that aborts when the time is up, or earlier with one of the given ones. */
export class TimeLimit {
  readonly #clock: Clock;
  readonly #expiry = new AbortController();
  readonly signal: AbortSignal;
  millis: number;
  isStopped = false;
  #stopTimer: () => void = () => undefined;

  constructor(clock: Clock, millis: number, others: readonly (AbortSignal | undefined)[]) {
    this.#clock = clock;
    this.signal = AbortSignal.any([this.#expiry.signal, ...others.filter((one) => one !== undefined)]);
    this.millis = Math.min(millis, LONGEST_LIMIT_MILLIS);
    this.restart(0);
  }

  get isOver(): boolean {
    return this.#expiry.signal.aborted;
  }

  /** Begins again. @param atLeast In ms: a shorter limit becomes this long. */
  restart(atLeast: number): void {
    this.#stopTimer();
    this.millis = Math.max(this.millis, atLeast);
    this.#stopTimer = this.#clock.after(this.millis, () => this.#expiry.abort());
  }

  stop(): void {
    this.isStopped = true;
    this.#stopTimer();
  }
}

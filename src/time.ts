/** Lengths of time in ms, and the clock. A day always has 24 hours, even if clocks change that night. */
export const MILLIS_PER_SECOND = 1_000;
export const MILLIS_PER_MINUTE = 60 * MILLIS_PER_SECOND;
export const MILLIS_PER_HOUR = 60 * MILLIS_PER_MINUTE;
export const MILLIS_PER_DAY = 24 * MILLIS_PER_HOUR;

/** Injected time, so that tests can let it pass, jump or go back. */
export interface Clock {
  /** Unix time in ms, as the system reports it: it can jump, and go back. */
  now(): number;
  /** Milliseconds since some moment in the past. Never goes back, but may stand still while the machine sleeps. */
  monotonic(): number;
  /** Calls `run` once, in `millis` ms. @returns a function that cancels the call. */
  after(millis: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (millis, run) => {
    const timer = setTimeout(run, millis);
    return () => clearTimeout(timer);
  },
};

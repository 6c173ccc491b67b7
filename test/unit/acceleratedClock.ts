/** The system's clock, so many times as fast: for what waits on purpose, where a test can't step through each wait. */
import { systemClock, type Clock } from '../../src/time.ts';

export function acceleratedClock(clock: Clock, factor: number): Clock {
  const start = systemClock.monotonic();
  const passed = (): number => (systemClock.monotonic() - start) * (factor - 1);
  return {
    // Keeps changes that a test makes to the clock.
    now: () => clock.now() + passed(),
    monotonic: () => clock.monotonic() + passed(),
    after: (millis, run) => clock.after(millis / factor, run),
  };
}

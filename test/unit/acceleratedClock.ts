/** The system clock, sped up by a factor, for code whose waits a test can't step through. */
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

/** Sends a read again when a moment later it may well succeed. Never used for create, revoke or execute. */
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { ServiceFailure, cancelled } from '../failure/failure.ts';

const MOST_ATTEMPTS = 3;
const FIRST_PAUSE_MILLIS = 250;
/** A server that asks for a longer pause gets none of ours: the person is told instead. */
const LONGEST_PAUSE_MILLIS = 5_000;

export type Pause = (millis: number, signal: AbortSignal | undefined) => Promise<void>;

/** @param pause Waits; replaced in tests, which wait for nothing. */
export async function withRetries<T>(read: () => Promise<T>, signal?: AbortSignal, pause: Pause = sleep): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- each attempt follows from the one before
      return await read();
    } catch (thrown) {
      if (!(thrown instanceof ServiceFailure) || !thrown.transient || attempt === MOST_ATTEMPTS) {
        throw thrown;
      }
      const ours = FIRST_PAUSE_MILLIS * 2 ** (attempt - 1) * (1 + Math.random());
      const wait = Math.max(thrown.retryAfterMillis ?? ours, FIRST_PAUSE_MILLIS);
      if (wait > LONGEST_PAUSE_MILLIS) {
        throw thrown;
      }
      // oxlint-disable-next-line no-await-in-loop -- see above
      await pause(wait, signal);
    }
  }
}

/** Waits `millis`, or throws `cancelled` as soon as the signal says so. */
export function sleep(millis: number, signal: AbortSignal | undefined, clock: Clock = systemClock): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      stopTimer();
      reject(cancelled());
    };
    const stopTimer = clock.after(millis, () => {
      signal?.removeEventListener('abort', stop);
      resolve();
    });
    if (signal?.aborted === true) {
      stop();
    } else {
      signal?.addEventListener('abort', stop, { once: true });
    }
  });
}

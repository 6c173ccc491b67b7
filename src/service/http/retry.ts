/** Repeats reads that failed for a moment. A change is never repeated. */
import { ServiceFailure } from '../failure/failure.ts';

const MOST_ATTEMPTS = 3;
const FIRST_PAUSE_MILLIS = 250;
/** A longer pause that a server asks for becomes a message to the user. */
const LONGEST_PAUSE_MILLIS = 5_000;

export type PauseFunction = (millis: number, signal: AbortSignal | undefined) => Promise<void>;

/** @param pause Waits between attempts. */
export async function withRetries<T>(
  read: () => Promise<T>,
  signal: AbortSignal | undefined,
  pause: PauseFunction,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
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
      await pause(wait, signal);
    }
  }
}

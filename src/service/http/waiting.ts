/** Waits that can be abandoned, and reads that are repeated. */
import { systemClock, type Clock } from '../../time.ts';
import { ServiceFailure, cancelledFailure } from '../failure/failure.ts';

/**
 * Waits for work that goes on by itself, such as a hanging keychain.
 * @throws ServiceFailure `cancelled` as soon as the signal is aborted.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) {
    return work;
  }
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(cancelledFailure());
  signal.addEventListener('abort', stop);
  if (signal.aborted) {
    stop();
  }
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Waits `millis`, or throws `cancelled` as soon as the signal is aborted. */
export async function sleep(
  millis: number,
  signal: AbortSignal | undefined,
  clock: Clock = systemClock,
): Promise<void> {
  const { promise: isOver, resolve } = Promise.withResolvers<void>();
  const stopTimer = clock.after(millis, resolve);
  await untilAborted(isOver, signal).finally(stopTimer);
}

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

/** Waits that can be abandoned. */
import { systemClock, type Clock } from '../../time.ts';
import { cancelledFailure } from '../failure/failure.ts';

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

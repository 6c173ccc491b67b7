/** Waiting that can be given up, for work that itself goes on: a keychain that hangs, a request that several wait for. */
import { cancelled } from '../failure/failure.ts';

/**
 * What the work gives. The work is not stopped when the wait is given up.
 * @throws ServiceFailure `cancelled` as soon as the signal is aborted.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) {
    return work;
  }
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(cancelled());
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

/** Several that want the same answer at once share one request; that is why no caller's signal may abort it. */
export class SingleFlight<T> {
  #pending: Promise<T> | undefined;

  /** @param ask Sends the request, unless one is under way. */
  async get(ask: () => Promise<T>): Promise<T> {
    const mine = (this.#pending ??= ask());
    try {
      return await mine;
    } finally {
      if (this.#pending === mine) {
        this.#pending = undefined;
      }
    }
  }

  /** Who asks from now on gets an answer of its own. */
  forget(): void {
    this.#pending = undefined;
  }
}

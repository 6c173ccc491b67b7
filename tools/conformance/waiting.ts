import { ServiceFailure } from '../../src/service/failure/failure.ts';
import { sleep } from '../../src/service/http/waiting.ts';
import type { ServerSession } from './session.ts';

/** A listing lags behind: half a minute is several times as long as usual (PROTOCOL.md §5.7). */
const MOST_LOOKS = 10;
const PAUSE_MILLIS = 3_000;

/**
 * Polls until a result is as expected.
 * @returns the last result, even if it isn't; undefined if every request failed
 */
export async function eventually<T>(
  { signal, pause = sleep }: Pick<ServerSession, 'signal' | 'pause'>,
  look: () => Promise<T>,
  isEnough: (seen: T) => boolean,
): Promise<T | undefined> {
  let seen: T | undefined;
  for (let looks = 1; looks <= MOST_LOOKS; looks += 1) {
    try {
      seen = await look();
      if (isEnough(seen)) return seen;
    } catch (thrown) {
      // A row that was revoked a moment ago can make the whole listing fail.
      if (!(thrown instanceof ServiceFailure) || thrown.kind !== 'server') throw thrown;
    }
    if (looks < MOST_LOOKS) await pause(PAUSE_MILLIS, signal);
  }
  return seen;
}

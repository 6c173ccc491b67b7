/** Pauses between the polls of a sent truncation, in ms. */
import { countsSinceEnd, isUncounted, type Polls } from './pollHistory.ts';

export const FIRST_PAUSE_MILLIS = 1_000;
export const LONGEST_PAUSE_MILLIS = 30_000;
/** Reaches the longest after about a minute. */
const PAUSE_GROWTH = 1.4;
/** Pause between right counts: five take ten seconds. */
const CLEAN_PAUSE_MILLIS = 2_500;

/** Repeats right counts soon; otherwise pauses grow. @param before The pause before the last poll. */
export function pauseAfter(polls: Polls, before: number): number {
  const counts = countsSinceEnd(polls);
  if (counts.at(-1)?.toDelete === 0 && !isUncounted(polls)) {
    return Math.min(CLEAN_PAUSE_MILLIS * Math.max(1, Math.ceil(counts.length / 10)), LONGEST_PAUSE_MILLIS);
  }
  return Math.min(LONGEST_PAUSE_MILLIS, before * PAUSE_GROWTH);
}

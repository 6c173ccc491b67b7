/** How fast a truncation is. Pure. */
import type { TaskProgress } from './state.ts';

/** The first moments say nothing of the rest. */
const SHORTEST_RATE_MILLIS = 5_000;

/**
 * How fast rows have gone so far, and how long the rest takes at that rate. Undefined: it can't be told yet.
 * @param sentAt When it began: Unix time in ms, like `now`.
 */
export function rateOf(
  progress: TaskProgress | undefined,
  sentAt: number,
  now: number,
): { readonly rowsPerMinute: number; readonly remainingMillis: number } | undefined {
  const elapsed = now - sentAt;
  if (progress?.total === undefined || progress.done <= 0 || elapsed < SHORTEST_RATE_MILLIS) {
    return undefined;
  }
  const { done, total } = progress;
  return {
    rowsPerMinute: (done / elapsed) * 60_000,
    remainingMillis: (Math.max(0, total - done) * elapsed) / done,
  };
}

/** Added so that two moments differ, in ms. Small enough not to matter, large enough for a double. */
const step = 0.001;

/**
 * The cluster's clock in Unix ms. Every reading is later than the one before, so that events within a millisecond
 * have an order. If the given clock is set back, this one continues from where it was, at the same speed.
 */
export function clusterClock(clock: () => number): () => number {
  let seen = 0;
  let ahead = 0;
  let last = 0;
  return () => {
    const now = clock();
    ahead += Math.max(0, seen - now);
    seen = now;
    last = Math.max(now + ahead, last + step);
    return last;
  };
}

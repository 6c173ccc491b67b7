/** Less than two moments can differ by, in ms, and enough for a double to tell them apart. */
const step = 0.001;

/**
 * The cluster's own moments in Unix ms, each later than the one before, so that what happens within a millisecond has an order. A
 * clock that is set back is followed from there: the cluster's goes on as fast as before.
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

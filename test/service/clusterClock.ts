/** Less than two moments can differ by, in ms, and enough for a double to tell them apart. */
const step = 0.001;

/** The cluster's own moments in Unix ms, each later than the one before, so that what happens within a millisecond has an order. */
export function clusterClock(clock: () => number): () => number {
  let last = 0;
  return () => {
    last = Math.max(clock(), last + step);
    return last;
  };
}

/** Work on many things, two at a time: a server has others to answer too. */

/** @param work Never rejects for what can be shown of a thing. What is left when `stop` is aborted is not begun. */
export async function inPairs<T>(
  things: readonly T[],
  stop: AbortSignal,
  work: (thing: T) => Promise<void>,
): Promise<void> {
  const left = [...things];
  const takeTurns = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined && !stop.aborted; next = left.shift()) {
      // oxlint-disable-next-line no-await-in-loop -- one after another in each of the two
      await work(next);
    }
  };
  await Promise.all([takeTurns(), takeTurns()]);
}

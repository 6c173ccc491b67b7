/** Far longer than anything takes on a busy machine; shorter than the limit of a test, so that it is this that tells what was missing. */
const PATIENCE_MS = 20_000;
const PAUSE_MS = 15;
/** An act without an effect after this time was lost. */
const LOST_MS = 3_000;

/**
 * Waits for a condition, never for a time.
 *
 * @param what subject of the failure: "Waited in vain for …"
 * @param look returns the expected value; false, null and undefined mean "not yet"
 * @param patience in ms, where the extension itself waits on purpose
 * @returns the first value that is one
 */
export async function until<T>(
  what: string | (() => string),
  look: () => T | Promise<T>,
  patience = PATIENCE_MS,
): Promise<NonNullable<Exclude<T, false>>> {
  const end = realMillis() + patience;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) {
      return found as NonNullable<Exclude<T, false>>;
    }
    if (realMillis() > end) {
      throw new Error(`Waited in vain for ${typeof what === 'string' ? what : what()}.`);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/**
 * Acts until the effect is seen: VS Code loses an answer to a quick input whose rows it is just drawing.
 *
 * @param act must do no harm when it is repeated
 */
export async function actUntil<T>(
  what: string,
  act: () => Promise<unknown>,
  look: () => T | Promise<T>,
): Promise<NonNullable<Exclude<T, false>>> {
  let lastAct = Number.NEGATIVE_INFINITY;
  return until(what, async () => {
    const found = await look();
    if ((found === undefined || found === null || found === false) && realMillis() - lastAct > LOST_MS) {
      lastAct = realMillis();
      await act();
    }
    return found;
  });
}

/** Time that no test changes, in ms since some moment. */
function realMillis(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/**
 * Far longer than anything takes on a busy machine, but shorter than the limit of a test, so that the failure names
 * the condition.
 */
export const PATIENCE_MS = 20_000;
const PAUSE_MS = 15;
/**
 * Time without an effect after which an act was lost, in ms. Events of an input arrive before the result of the
 * command that causes them, so it need not be long.
 */
const LOST_MS = 600;

/**
 * Waits for a condition, never for a time.
 *
 * @param what subject of the failure: "Waited in vain for …"
 * @param look returns the expected value; false, null and undefined mean "not yet"
 * @param patience in ms, if the extension itself waits on purpose
 * @returns the first value
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
 * Acts until the effect is visible, because VS Code loses an answer to a quick input while it draws its rows.
 *
 * @param act must be harmless if repeated
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

/** Time that no test changes, in ms since any fixed moment. */
export function realMillis(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Far longer than anything takes on a busy machine; shorter than the limit of a test, so that it is this that tells what was missing. */
const PATIENCE_MS = 20_000;
const PAUSE_MS = 15;

/**
 * Waits for a condition, never for a time.
 *
 * @param what stands in the failure: "Waited in vain for …"
 * @param look gives what is waited for; false, null and undefined mean "not yet"
 * @returns the first value that is one
 */
export async function until<T>(
  what: string | (() => string),
  look: () => T | Promise<T>,
): Promise<NonNullable<Exclude<T, false>>> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) {
      return found as NonNullable<Exclude<T, false>>;
    }
    if (Date.now() > end) {
      throw new Error(`Waited in vain for ${typeof what === 'string' ? what : what()}.`);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

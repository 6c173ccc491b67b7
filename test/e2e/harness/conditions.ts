import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { PATIENCE_MS } from './workbench.ts';

/** How often something outside the browser is looked at, in ms. */
const LOOK_EVERY_MS = 50;

/**
 * Waits until a check passes, for what happens outside the browser, such as in the service's database. (A locator of the
 * page waits by itself.)
 *
 * @param check throws, as assertions do, while the condition does not hold
 * @throws what the check threw last, when it does not pass in time
 */
export async function eventually<T>(check: () => T | Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
  const end = performance.now() + patienceMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await pause(LOOK_EVERY_MS);
  }
}

/** Waits until a value is what it should be. */
export function eventuallyEqual<T>(read: () => T | Promise<T>, expected: T): Promise<void> {
  return eventually(async () => assert.deepEqual(await read(), expected));
}

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { PATIENCE_MS } from './patience.ts';

/** Interval for checking a condition outside the browser, in ms. */
const LOOK_EVERY_MS = 50;

/**
 * Waits until a check passes, for conditions outside the browser, such as in the service's database. (A locator of
 * the page waits by itself.)
 *
 * @param check throws, like an assertion, while the condition does not hold
 * @throws the last error of the check if it does not pass in time
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

/** Evidence that an act had its effect: a visible element, or a check. */
export type Effect = Locator | (() => boolean | Promise<boolean>);

/** More acts without an effect than these are no accident. */
const MOST_ACTS = 5;
/**
 * After this time without an effect, an act was lost or the machine is slow, so each further act gets as much more,
 * in ms.
 */
const SETTLED_MS = 3_000;

/**
 * Repeats an act until its effect is visible. VS Code loses a press on a row that it is replacing, and a key while it
 * moves the focus.
 *
 * @param act must be harmless if repeated, and must do nothing if the effect is already there
 * @throws the missing effect, with the state from `describe`
 */
export async function actUntil(
  act: () => Promise<unknown>,
  effect: Effect,
  describe: () => Promise<string> = () => Promise.resolve(String(effect)),
): Promise<void> {
  for (let acts = 1; acts <= MOST_ACTS; acts += 1) {
    await act();
    const end = performance.now() + acts * SETTLED_MS;
    do {
      if (await isSeen(effect)) return;
      await pause(LOOK_EVERY_MS);
    } while (performance.now() < end);
  }
  throw new Error(`${MOST_ACTS} acts had no effect: ${await describe()}`);
}

export async function isSeen(effect: Effect): Promise<boolean> {
  return typeof effect === 'function' ? effect() : effect.first().isVisible();
}

/** Waits until a value equals the expected one. */
export function eventuallyEqual<T>(read: () => T | Promise<T>, expected: T): Promise<void> {
  return eventually(async () => assert.deepEqual(await read(), expected));
}

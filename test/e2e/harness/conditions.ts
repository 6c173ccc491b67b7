import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { PATIENCE_MS } from './patience.ts';

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

/** Evidence that an act had its effect: an element that is visible, or a check. */
export type Effect = Locator | (() => boolean | Promise<boolean>);

/** More acts in vain than these are no accident. */
const MOST_ACTS = 5;
/** An act without an effect after this time was lost, or the machine is slow: each further one is given as much more, in ms. */
const SETTLED_MS = 3_000;

/**
 * Repeats an act until its effect is seen. VS Code loses a press on a row that it is replacing, and a key that comes while it gives
 * the focus back.
 *
 * @param act must do no harm when it is repeated, and must not act when the effect is there already
 * @throws what was missing, with what `describe` says of the state of things
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

async function isSeen(effect: Effect): Promise<boolean> {
  return typeof effect === 'function' ? effect() : effect.first().isVisible();
}

/** Waits until a value is what it should be. */
export function eventuallyEqual<T>(read: () => T | Promise<T>, expected: T): Promise<void> {
  return eventually(async () => assert.deepEqual(await read(), expected));
}

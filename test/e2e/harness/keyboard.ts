import { setTimeout as pause } from 'node:timers/promises';
import type { Frame, Locator, Page } from 'playwright-core';
import { actUntil, type Effect } from './conditions.ts';
import { focusedElement } from './focus.ts';
import { quickInput, quickPickRow } from './quickInput.ts';

/** More presses than anything that is gone to takes. */
const MOST_PRESSES = 150;

/** A palette without the command after this time did not get what was typed, in ms. */
const OFFERED_MS = 5_000;

/** Longer than VS Code takes to give the focus back to a page after a quick input has closed, in ms. */
const KEPT_MS = 400;

/**
 * Runs a command by its title as one who has no mouse: the palette's key, typing, Enter. It is run again until it has an effect: what
 * is typed can come while VS Code gives the focus back to a page.
 */
export async function typeCommand(page: Page, title: string, effect: Effect): Promise<void> {
  await actUntil(
    async () => {
      await openPalette(page);
      await page.keyboard.type(title);
      const row = quickPickRow(page, title).and(page.locator('.focused'));
      const isOffered = await row.waitFor({ timeout: OFFERED_MS }).then(
        () => true,
        () => false,
      );
      if (isOffered) await page.keyboard.press('Enter');
    },
    effect,
    async () => `"${title}" changed nothing. The focus is in ${await focusedElement(page)}`,
  );
}

/**
 * Runs a command that asks something, until that has the focus. As the palette closes VS Code gives the focus back to a page, in a
 * timer and a message: one that is late takes it from a list that has opened meanwhile.
 */
export async function typeCommandThatAsks(page: Page, title: string, asked: Locator): Promise<void> {
  await typeCommand(page, title, async () => {
    if (!(await asked.isVisible()) || !(await quickInputHasFocus(page))) return false;
    await pause(KEPT_MS);
    return quickInputHasFocus(page);
  });
}

/** Types an answer instead of what the open box holds, and accepts. */
export async function typeAnswer(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Backspace');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/**
 * Presses a key until it has led somewhere, down a list unless said otherwise.
 *
 * @throws where the focus is, when it does not
 */
export async function arrowTo(page: Page, isThere: () => Promise<boolean>, key = 'ArrowDown'): Promise<void> {
  for (let presses = 0; presses < MOST_PRESSES; presses += 1) {
    if (await isThere()) return;
    await page.keyboard.press(key);
  }
  if (!(await isThere())) {
    throw new Error(`${MOST_PRESSES} times ${key} did not lead there. The focus is in ${await focusedElement(page)}`);
  }
}

async function openPalette(page: Page): Promise<void> {
  await actUntil(
    () => page.keyboard.press('F1'),
    () => quickInputHasFocus(page),
    async () => `no command palette. The focus is in ${await focusedElement(page)}`,
  );
}

function quickInputHasFocus(page: Page): Promise<boolean> {
  return quickInput(page).and(page.locator(':focus-within')).isVisible();
}

/** Counts presses of a pointer in a window, its frames, and those that are still to come. */
export async function countPointer(page: Page): Promise<() => Promise<number>> {
  const listen = (): void => {
    const counter = globalThis as { pointerPresses?: number };
    counter.pointerPresses ??= 0;
    // A key that presses a button makes a click event too: only a pointer makes this one.
    addEventListener('pointerdown', () => (counter.pointerPresses = (counter.pointerPresses ?? 0) + 1), {
      capture: true,
    });
  };
  await page.addInitScript(listen);
  await Promise.all(page.frames().map((frame) => frame.evaluate(listen)));
  return async () => {
    const counts = await Promise.all(
      page
        .frames()
        .map((frame: Frame) => frame.evaluate(() => (globalThis as { pointerPresses?: number }).pointerPresses)),
    );
    if (counts.includes(undefined)) throw new Error('A frame is not listened to.');
    return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  };
}

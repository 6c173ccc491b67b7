import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { actUntil, type Effect } from './conditions.ts';
import { focusedElement } from './focus.ts';
import { openPalette, quickInput, quickPickRow } from './quickInput.ts';

/** More presses than any element needs. */
const MOST_PRESSES = 150;

/** A palette that lacks the command after this time lost the typed text, in ms. */
const OFFERED_MS = 5_000;

/** Longer than VS Code takes to return the focus to a page after a quick input has closed, in ms. */
const KEPT_MS = 400;

/**
 * Runs a command by its title with the keyboard: palette, title, Enter. Repeated until it has an effect, because
 * typed text may be lost while VS Code returns the focus to a page.
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
 * Runs a command with a question, and waits until that has the focus. As the palette closes, VS Code returns the
 * focus to a page by a timer and a message, which may take it from a list that has opened meanwhile.
 */
export async function typeCommandThatAsks(page: Page, title: string, asked: Locator): Promise<void> {
  await typeCommand(page, title, async () => {
    if (!(await asked.isVisible()) || !(await quickInputHasFocus(page))) return false;
    await pause(KEPT_MS);
    return quickInputHasFocus(page);
  });
}

/** Types an answer into the open box, and accepts. */
export async function typeAnswer(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Backspace');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/**
 * Presses a key until a condition holds, by default downwards in a list.
 *
 * @throws with the focused element if it never holds
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

function quickInputHasFocus(page: Page): Promise<boolean> {
  return quickInput(page).and(page.locator(':focus-within')).isVisible();
}

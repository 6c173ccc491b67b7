import type { Frame, Page } from 'playwright-core';
import { quickInput, quickPickRow } from './quickInput.ts';

/** Runs a command by its title as one who has no mouse: the palette's key, typing, Enter. */
export async function typeCommand(page: Page, title: string): Promise<void> {
  await page.keyboard.press('F1');
  await quickInput(page).waitFor();
  await page.keyboard.type(title);
  await quickPickRow(page, title).and(page.locator('.focused')).waitFor();
  await page.keyboard.press('Enter');
}

/** Types an answer instead of what the open box holds, and accepts. */
export async function typeAnswer(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Backspace');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/** Goes down in a list until a row has the focus. */
export async function arrowTo(page: Page, isThere: () => Promise<boolean>, key = 'ArrowDown'): Promise<void> {
  while (!(await isThere())) await page.keyboard.press(key);
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

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually } from './conditions.ts';

/**
 * Makes the windows of a person as they are without a driver: only the one in front has the focus. (A browser that is driven
 * lets every page believe that it has it.) To be called again when one of them was reloaded.
 */
export async function tellFocus(...windows: readonly Page[]): Promise<void> {
  for (const window of windows) {
    const session = await window.context().newCDPSession(window);
    // On first, so that off is a change whatever a reload has made of it.
    for (const enabled of [true, false]) await session.send('Emulation.setFocusEmulationEnabled', { enabled });
    await session.detach();
  }
  // VS Code takes no notice of the first change after a window was loaded.
  for (const window of [...windows, ...windows]) {
    await window.bringToFront();
    // A blur is told by a timer, and forgotten when the focus is back before.
    for (const each of windows) await each.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)));
  }
}

/** Whether a window can tell that another one is in front: some headless browsers give each of them the focus. */
export async function canTellFocus(behind: Page, front: Page): Promise<boolean> {
  await front.bringToFront();
  return !(await behind.evaluate(() => document.hasFocus()));
}

/** Brings a window to the front, and waits until VS Code has noticed it in each of them: it greys the title bars of the others. */
export async function goToWindow(window: Page): Promise<void> {
  await window.bringToFront();
  for (const each of window.context().pages()) {
    const isInactive = (): Promise<boolean> => each.locator('.part.titlebar').evaluate((bar) => bar.classList.contains('inactive'));
    await eventually(async () => assert.equal(await isInactive(), each !== window));
  }
}

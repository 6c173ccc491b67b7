import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { eventually } from './conditions.ts';
import { browserStores, placesWith } from './traces.ts';

/** Added to each page: true if VS Code should consider its window focused. */
type ControlledWindow = typeof globalThis & { windowHasFocus?: boolean };

/**
 * From now on, only `goToWindow` decides which window of a user has the focus. A driven browser gives it to all of
 * them: some headless ones always, others by default.
 */
export async function controlFocus(person: BrowserContext): Promise<void> {
  await person.addInitScript(takeFocusOver);
  for (const page of person.pages()) await page.evaluate(takeFocusOver);
}

/**
 * Focuses a window, so that all others lose the focus. Waits until VS Code has noticed it in each of them, by the
 * grey title bars of the others.
 */
export async function goToWindow(window: Page): Promise<void> {
  await window.bringToFront();
  const windows = window.context().pages();
  for (const each of windows) await setFocus(each, each === window);
  for (const each of windows) {
    const isInactive = (): Promise<boolean> =>
      each.locator('.part.titlebar').evaluate((bar) => bar.classList.contains('inactive'));
    await eventually(async () => assert.equal(await isInactive(), each !== window));
  }
}

/** Removes the focus for a moment, so that the window writes its state. */
export async function lookAway(window: Page): Promise<void> {
  await setFocus(window, false);
  await setFocus(window, true);
}

/**
 * Waits until VS Code has stored a text in each of these places. In a browser it does so when idle, which a busy
 * machine may never be, and when the window loses the focus, which this therefore causes. Needs `controlFocus`.
 */
export async function kept(window: Page, text: string, ...places: readonly RegExp[]): Promise<void> {
  await eventually(async () => {
    await lookAway(window);
    const found = placesWith(await browserStores(window), text).join('\n');
    for (const place of places) assert.match(found, place);
  });
}

/** Runs in a page. VS Code only checks the focus of the outermost document. */
function takeFocusOver(): void {
  const page = globalThis as ControlledWindow;
  if (window !== window.top) return;
  // An opened or reloaded window is in front.
  page.windowHasFocus ??= true;
  document.hasFocus = () => page.windowHasFocus === true;
}

async function setFocus(page: Page, has: boolean): Promise<void> {
  await page.evaluate(async (focused) => {
    (globalThis as ControlledWindow).windowHasFocus = focused;
    // VS Code checks the focus only on an event. The browser may have sent some of its own, so the last event must be
    // a change.
    for (const change of focused ? ['blur', 'focus'] : ['focus', 'blur']) {
      window.dispatchEvent(new FocusEvent(change));
      // VS Code handles a blur in a timer.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }, has);
}

import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { eventually } from './conditions.ts';

/** Added to each page: true if VS Code should take its window for the focused one. */
type ControlledWindow = typeof globalThis & { windowHasFocus?: boolean };

/**
 * From now on only `goToWindow` decides which window of a person has the focus. A browser that is driven gives it to each of
 * them: some headless ones always, the others by default.
 */
export async function controlFocus(person: BrowserContext): Promise<void> {
  await person.addInitScript(takeFocusOver);
  for (const page of person.pages()) await page.evaluate(takeFocusOver);
}

/** Goes to a window: all others lose the focus. Waits until VS Code has noticed it in each of them: it greys the title bars of the others. */
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

/** Looks at something else for a moment: a window that loses the focus writes down what it knows. */
export async function lookAway(window: Page): Promise<void> {
  await setFocus(window, false);
  await setFocus(window, true);
}

/** Runs in a page. VS Code checks the focus of the outermost document only. */
function takeFocusOver(): void {
  const page = globalThis as ControlledWindow;
  if (window !== window.top) return;
  // A window that is opened or reloaded is in front.
  page.windowHasFocus ??= true;
  document.hasFocus = () => page.windowHasFocus === true;
}

async function setFocus(page: Page, has: boolean): Promise<void> {
  await page.evaluate(async (focused) => {
    (globalThis as ControlledWindow).windowHasFocus = focused;
    // VS Code counts changes, and asks only then; the browser may have made some of its own: the last one is to be a change.
    for (const change of focused ? ['blur', 'focus'] : ['focus', 'blur']) {
      window.dispatchEvent(new FocusEvent(change));
      // It looks at a blur in a timer.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }, has);
}

import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { collapseRow, expandRow, treeRow } from '../../test/e2e/harness/tree.ts';
import { webviewPage } from '../../test/e2e/harness/webview.ts';

/** Watches every webview of this user's windows for its first field, from now on. */
export async function watchFields(person: BrowserContext): Promise<void> {
  await person.addInitScript(recordField);
}

/**
 * Opens a page by an index's icon in the tree.
 * @returns the time from the press to the first usable field, in ms
 */
export async function firstField(page: Page, command: string): Promise<number> {
  // The rows of many tokens leave no room for the indices.
  await collapseRow(page, 'Access tokens');
  await expandRow(page, 'Time series indices');
  const row = treeRow(page, /^dataset, operation/).first();
  await row.hover();
  const button = row.getByRole('button', { name: command });
  const press = page.evaluate(recordPress);
  await button.click();
  const field = webviewPage(page).locator('[data-first-field]');
  await field.waitFor();
  const usable = Number(await field.getAttribute('data-first-field'));
  // The field may be one of the presets, chosen by the space key.
  const state = (): Promise<string> =>
    field.evaluate((one) => (one instanceof HTMLInputElement ? `${one.checked} ${one.value}` : ''));
  const before = await state();
  await field.press('Space');
  assert.notEqual(await state(), before, 'the field takes input');
  return usable - (await press);
}

/** Set in the page: when the pointer was pressed, as Unix time in ms. */
function recordPress(): Promise<number> {
  return new Promise((resolve) => {
    addEventListener('click', ({ timeStamp }) => resolve(performance.timeOrigin + timeStamp), {
      capture: true,
      once: true,
    });
  });
}

/**
 * Runs in every frame: records when a webview's first field accepts input, as Unix time in ms. It checks often, and
 * as a user would: the frame is visible, the field is enabled, and a press at its place would hit it.
 */
function recordField(): void {
  if (window === top) return;
  const timer = setInterval(() => {
    if (window.frameElement?.id !== 'active-frame') return;
    const field = [...document.querySelectorAll<HTMLInputElement>('input, select, textarea')].find((one) => {
      const { left, top: above, width, height } = one.getBoundingClientRect();
      return (
        !one.disabled &&
        !one.readOnly &&
        width > 0 &&
        document.elementFromPoint(left + width / 2, above + height / 2) === one
      );
    });
    if (field === undefined) return;
    clearInterval(timer);
    field.dataset['firstField'] = String(performance.timeOrigin + performance.now());
  }, 1);
}

import type { Locator, Page } from 'playwright-core';
import { escaped } from '../../escaped.ts';
import { eventually } from './conditions.ts';
import { tooWide } from './layout.ts';

const MOST_PRESSES = 5;

/** A palette that is not there after this time did not hear the key, and one without the command does not know it, in ms. */
const SETTLED_MS = 3_000;

/** More presses than any list that is picked from has rows. */
const LONGEST_LIST = 200;

/** The open quick pick or input box. */
export function quickInput(page: Page): Locator {
  return page.locator('.quick-input-widget:visible');
}

/** Waits for the step with this title (as written, without the step count that VS Code adds). */
export async function quickInputStep(page: Page, title: string | RegExp): Promise<void> {
  await quickInput(page).locator('.quick-input-title', { hasText: title }).waitFor();
}

/** Puts text into the open box, instead of what was there. */
export async function fillQuickInput(page: Page, text: string): Promise<void> {
  await quickInput(page).locator('.quick-input-box input').fill(text);
}

export async function acceptQuickInput(page: Page): Promise<void> {
  await quickInput(page).locator('.quick-input-box input').press('Enter');
}

/** The line below an input box: its prompt, or what is wrong with the text. */
export function quickInputMessage(page: Page): Locator {
  return quickInput(page).locator('.quick-input-message');
}

/** The open box while it asks this, in the words that stand in it when it is empty. */
export function quickInputAsking(page: Page, placeholder: string): Locator {
  return quickInput(page).getByPlaceholder(placeholder);
}

/** A row of a quick pick: by its whole label when it is a string, else by a part of it. */
export function quickPickRow(page: Page, label: string | RegExp): Locator {
  const whole = typeof label === 'string' ? new RegExp(`^\\s*${escaped(label)}\\s*$`) : label;
  const labels = page.locator('.quick-input-list-label .label-name', { hasText: whole });
  return quickInput(page).locator('.monaco-list-row').filter({ has: labels }).first();
}

/** The rows of the open list whose text does not fit into its line. */
export function cutOffRows(page: Page): Promise<string[]> {
  return tooWide(quickInput(page).locator('.monaco-list-row .quick-input-list-rows > .quick-input-list-row'));
}

/** Picks a row with the keyboard: goes to it and accepts. */
export async function pick(page: Page, label: string | RegExp): Promise<void> {
  const row = quickPickRow(page, label);
  await row.waitFor();
  for (let presses = 0; !(await row.evaluate((element) => element.classList.contains('focused'))); presses += 1) {
    if (presses > LONGEST_LIST) throw new Error(`The keyboard does not come to ${label}: is the focus elsewhere?`);
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
}

export async function cancelQuickInput(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await quickInput(page).waitFor({ state: 'hidden' });
}

/** Runs a command by its title through the command palette, such as `Metadata Service (DataHub): Add Connection...`. */
export async function runCommand(page: Page, title: string): Promise<void> {
  // A palette that was opened before VS Code had read its extensions does not know their commands, nor learns of them.
  await eventually(async () => {
    if (await quickInput(page).isVisible()) await page.keyboard.press('Escape');
    await openPalette(page);
    await fillQuickInput(page, `>${title}`);
    await quickPickRow(page, title).waitFor({ timeout: SETTLED_MS });
  });
  await pick(page, title);
}

/** A key that comes while a window or a webview in it is still loading goes nowhere: then it is pressed again. */
async function openPalette(page: Page): Promise<void> {
  const palette = quickInputAsking(page, 'Type the name of a command to run.');
  for (let presses = 0; presses < MOST_PRESSES && !(await palette.isVisible()); presses += 1) {
    await page.keyboard.press('F1');
    await palette.waitFor({ timeout: SETTLED_MS }).catch(() => undefined);
  }
  await palette.waitFor();
}

import type { Locator, Page } from 'playwright-core';
import { escaped } from '../../../tools/escaped.ts';
import { actUntil, eventually } from './conditions.ts';
import { focusedElement } from './focus.ts';
import { tooWide } from './layout.ts';
import { PATIENCE_MS } from './patience.ts';

/** After this time, a palette lacks an unknown command, and a closed one stays closed, in ms. */
const SETTLED_MS = 3_000;

/** More presses than any list has rows. */
const LONGEST_LIST = 200;

export function quickInput(page: Page): Locator {
  return page.locator('.quick-input-widget:visible');
}

/** Title of the open quick input, without the step count that VS Code appends. */
export function quickInputTitle(page: Page, title: string | RegExp): Locator {
  return quickInput(page).locator('.quick-input-title', { hasText: title });
}

export async function quickInputStep(page: Page, title: string | RegExp): Promise<void> {
  await quickInputTitle(page, title).waitFor();
}

export async function fillQuickInput(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
}

/** Presses a key in the open quick input, wherever VS Code has moved the focus. */
async function pressInQuickInput(page: Page, key: string, timeout = PATIENCE_MS): Promise<void> {
  await field(page).press(key, { timeout });
}

/** Accepts the open box, and waits until it has closed or asks something else. */
export async function acceptQuickInput(page: Page): Promise<void> {
  const asked = await question(page);
  await actUntil(
    async () => {
      if ((await question(page)) === asked) await pressInQuickInput(page, 'Enter');
    },
    async () => (await question(page)) !== asked,
    async () => `it still asks "${asked}". The focus is in ${await focusedElement(page)}`,
  );
}

/** Presses a key in the open quick input, again while nothing came of it. */
export async function pressUntil(page: Page, key: string, outcome: Locator): Promise<void> {
  await actUntil(async () => {
    if (!(await outcome.first().isVisible())) await pressInQuickInput(page, key);
  }, outcome);
}

function field(page: Page): Locator {
  return quickInput(page).locator('.quick-input-box input');
}

/** Line below an input box: its prompt, or the problem with its text. */
export function quickInputMessage(page: Page): Locator {
  return quickInput(page).locator('.quick-input-message');
}

/** The open box with this placeholder. */
export function quickInputAsking(page: Page, placeholder: string): Locator {
  return quickInput(page).getByPlaceholder(placeholder);
}

/** A row of a quick pick: by its whole label for a string, otherwise by a part of it. */
export function quickPickRow(page: Page, label: string | RegExp): Locator {
  const whole = typeof label === 'string' ? new RegExp(`^\\s*${escaped(label)}\\s*$`) : label;
  // Not the second line: VS Code reuses rows, and only hides the detail of the item before.
  const labels = page.locator('.quick-input-list-row:first-child .label-name', { hasText: whole });
  return quickInput(page).locator('.monaco-list-row').filter({ has: labels }).first();
}

/** Rows of the open list whose text does not fit into its line. */
export function clippedRows(page: Page): Promise<string[]> {
  return tooWide(quickInput(page).locator('.monaco-list-row .quick-input-list-rows > .quick-input-list-row'));
}

/**
 * Picks a row with the keyboard: moves to it and accepts, until the list has closed or changed.
 *
 * @param timeout limit for the row to appear, and for a list that VS Code closed meanwhile, in ms
 */
export async function pick(page: Page, label: string | RegExp, timeout = PATIENCE_MS): Promise<void> {
  const row = quickPickRow(page, label);
  await row.waitFor({ timeout });
  const asked = await question(page);
  let isEntered = false;
  const isTaken = async (): Promise<boolean> => !(await row.isVisible()) || (await question(page)) !== asked;
  await actUntil(
    async () => {
      // A list that closed before Enter wasn't answered.
      if (isEntered && (await isTaken())) return;
      await goToRow(page, row, timeout);
      await pressInQuickInput(page, 'Enter', timeout);
      isEntered = true;
    },
    isTaken,
    async () => `"${label}" is still offered. The focus is in ${await focusedElement(page)}`,
  );
}

async function goToRow(page: Page, row: Locator, timeout: number): Promise<void> {
  const marked = row.and(page.locator('.focused'));
  for (let presses = 0; presses < LONGEST_LIST && !(await marked.isVisible()); presses += 1) {
    await pressInQuickInput(page, 'ArrowDown', timeout);
  }
  if (!(await marked.isVisible())) {
    throw new Error(`The keyboard does not come to the row. The focus is in ${await focusedElement(page)}`);
  }
}

/** Question of the open quick input, which differs from step to step. Empty if none is open. */
function question(page: Page): Promise<string> {
  return page.evaluate(() => {
    const isShown = (element: Element): boolean => element.getClientRects().length > 0;
    const widget = [...document.querySelectorAll('.quick-input-widget')].find(isShown);
    const texts = [...(widget?.querySelectorAll<HTMLElement>('.quick-input-title, .quick-input-message') ?? [])];
    const placeholder = widget?.querySelector<HTMLInputElement>('.quick-input-box input')?.placeholder ?? '';
    return [...texts.map(({ innerText }) => innerText), placeholder].join('\n').trim();
  });
}

export async function cancelQuickInput(page: Page): Promise<void> {
  const isClosed = async (): Promise<boolean> => !(await quickInput(page).isVisible());
  await actUntil(async () => {
    if (!(await isClosed())) await pressInQuickInput(page, 'Escape');
  }, isClosed);
}

/** Runs a command by its title through the command palette, such as `DataHub: Add Connection...`. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await inPalette(page, title, () => pick(page, title, SETTLED_MS));
}

/** Lists the commands that match a text in the command palette, once this one is among them. */
export async function listCommands(page: Page, text: string, title: string): Promise<void> {
  await inPalette(page, text, () => quickPickRow(page, title).waitFor({ timeout: SETTLED_MS }));
}

/** Types a text into the command palette, again if what follows fails. */
async function inPalette(page: Page, text: string, then: () => Promise<void>): Promise<void> {
  // A palette that was opened before VS Code had read its extensions never lists their commands, and a late one may close.
  await eventually(async () => {
    if (await quickInput(page).isVisible()) await cancelQuickInput(page);
    await openPalette(page);
    await field(page).fill(`>${text}`, { timeout: SETTLED_MS });
    await then();
  });
}

/** While a window or a webview in it is still loading, a key may be lost, so it is pressed again. */
export async function openPalette(page: Page): Promise<void> {
  const palette = quickInputAsking(page, 'Type the name of a command to run.').and(page.locator(':focus'));
  await actUntil(
    () => page.keyboard.press('F1'),
    palette,
    async () => `no command palette. The focus is in ${await focusedElement(page)}`,
  );
}

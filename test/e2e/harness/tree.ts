import type { Locator, Page } from 'playwright-core';
import { tooWide } from './layout.ts';

const MOST_PRESSES = 5;

/** A row that is not as wanted after this time has been pressed by something else too, in ms. */
const SETTLED_MS = 3_000;
/** Longer than VS Code waits before it asks for rows that it was told to show anew. */
const QUIET_MS = 400;

/** A row of a tree in the side bar, by what a screen reader says of it, or a part of that. */
export function treeRow(page: Page, name: string | RegExp): Locator {
  return page.locator('.part.sidebar').getByRole('treeitem', { name });
}

/** Opens a row. What is below it comes when it has been loaded: wait for the row that you expect. */
export function expandRow(page: Page, name: string | RegExp): Promise<void> {
  return toggleRow(page, name, 'true');
}

/** Closes a row: what was below it is not in the page any more. */
export function collapseRow(page: Page, name: string | RegExp): Promise<void> {
  return toggleRow(page, name, 'false');
}

async function toggleRow(page: Page, name: string | RegExp, wanted: 'true' | 'false'): Promise<void> {
  const row = treeRow(page, name).first();
  const toggled = row.and(page.locator(`[aria-expanded="${wanted}"]`));
  await row.waitFor();
  // A window that has just opened restores by itself what was expanded: a press can meet a row that this has opened, and
  // close it. Then it is pressed again.
  for (let presses = 0; presses < MOST_PRESSES && (await row.getAttribute('aria-expanded')) !== wanted; presses += 1) {
    // The arrow, not the label: a click on the label of some rows runs a command.
    await row.locator('.monaco-tl-twistie').click();
    await toggled.waitFor({ timeout: SETTLED_MS }).catch(() => undefined);
  }
  await toggled.waitFor();
}

/** The rows in sight whose text does not fit into the side bar, by what a screen reader says of them. */
export function cutOffTreeRows(page: Page): Promise<string[]> {
  return tooWide(page.locator('.part.sidebar').getByRole('treeitem'));
}

/** Chooses an entry of a row's context menu. */
export async function chooseFromRow(page: Page, row: string | RegExp, entry: string): Promise<void> {
  await openMenu(page, row);
  const item = page.locator('.context-view').getByRole('menuitem', { name: entry, exact: true });
  await item.waitFor();
  const menu = page.locator('.context-view .monaco-menu');
  // A press on a menu that is still opening is taken for the end of the press that opened it: then it is pressed again.
  for (let presses = 0; presses < MOST_PRESSES && (await menu.isVisible()); presses += 1) {
    await item.hover();
    await item.click();
    await menu.waitFor({ state: 'hidden', timeout: SETTLED_MS }).catch(() => undefined);
  }
  await menu.waitFor({ state: 'hidden' });
}

/** The entries of a row's context menu, which stays open until Escape. */
export async function rowMenu(page: Page, row: string | RegExp): Promise<string[]> {
  await openMenu(page, row);
  const items = page.locator('.context-view').getByRole('menuitem');
  return (await items.allInnerTexts()).map((text) => text.trim());
}

/** A row may move away between the look and the press, where the tree takes in what was loaded: then it is tried again. */
async function openMenu(page: Page, row: string | RegExp): Promise<void> {
  const found = treeRow(page, row).first();
  for (;;) {
    await rowsAreFree(page);
    await found.click({ button: 'right' });
    await page.locator('.context-view').getByRole('menuitem').first().waitFor();
    if (await found.evaluate((element) => element.classList.contains('focused'))) return;
    await page.keyboard.press('Escape');
    await page.locator('.context-view .monaco-menu').waitFor({ state: 'hidden' });
  }
}

/**
 * Waits until nothing is being loaded into the side bar, and its rows have stayed as they are for a while: of a row that is just being
 * replaced VS Code doesn't tell a command which one it was.
 */
export async function treeIsQuiet(page: Page): Promise<void> {
  await page.locator('.part.sidebar .monaco-progress-container.active').waitFor({ state: 'hidden' });
  await page.locator('.part.sidebar').evaluate(
    (sideBar, quietMs) =>
      new Promise<void>((resolve) => {
        let timer: ReturnType<typeof setTimeout>;
        const begin = (): void => {
          clearTimeout(timer);
          timer = setTimeout(() => {
            observer.disconnect();
            resolve();
          }, quietMs);
        };
        const observer = new MutationObserver(begin);
        observer.observe(sideBar, {
          subtree: true,
          childList: true,
          characterData: true,
          attributeFilter: ['aria-label'],
        });
        begin();
      }),
    QUIET_MS,
  );
}

/** Waits until rows stay where they are and nothing lies over them, as the hover of a row that is pointed at does over the next one. */
async function rowsAreFree(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await treeIsQuiet(page);
}

/**
 * Points at a row until VS Code shows what it has to say of it.
 *
 * @returns the hover
 */
export async function rowHover(page: Page, row: string | RegExp): Promise<Locator> {
  const hover = page.locator('.monaco-hover:visible').first();
  // A row that is replaced while it is pointed at has no hover: then it is pointed at again.
  for (let tries = 0; tries < MOST_PRESSES && !(await hover.isVisible()); tries += 1) {
    await rowsAreFree(page);
    await treeRow(page, row).first().locator('.label-name').hover();
    await hover.waitFor({ timeout: SETTLED_MS }).catch(() => undefined);
  }
  await hover.waitFor();
  return hover;
}

/** Presses an icon in a row, by its title. */
export async function pressRowIcon(page: Page, row: string | RegExp, title: string): Promise<void> {
  await rowsAreFree(page);
  const found = treeRow(page, row).first();
  await found.hover();
  await found.getByRole('button', { name: title }).click();
}

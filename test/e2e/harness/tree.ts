import type { Locator, Page } from 'playwright-core';
import { actUntil, isSeen, type Effect } from './conditions.ts';
import { tooWide } from './layout.ts';

/** Longer than VS Code waits before it requests changed rows. */
const QUIET_MS = 400;

/** Time for which a button is pressed on a menu, in ms. */
const MENU_OPENS_MS = 120;

/** A row of a tree in the side bar, by its accessible name or a part of it. */
export function treeRow(page: Page, name: string | RegExp): Locator {
  return page.locator('.part.sidebar').getByRole('treeitem', { name });
}

/** Expands a row and waits for a row below it. Before that, VS Code may collapse it again as it redraws its parent. */
export async function expandRow(page: Page, name: string | RegExp): Promise<void> {
  const row = treeRow(page, name).first();
  await row.waitFor();
  await toggleRow(row, 'true', () => hasRowBelow(row));
}

/** Collapses a row, and waits until the rows below it are removed from the page. */
export async function collapseRow(page: Page, name: string | RegExp): Promise<void> {
  const row = treeRow(page, name).first();
  await row.waitFor();
  await toggleRow(row, 'false', async () => !(await hasRowBelow(row)));
}

/**
 * A new window restores expanded rows by itself, so that a press may collapse a row again. Then it is repeated. VS Code
 * doesn't tell the extension of a press on a row that it is replacing, so the tree must be quiet.
 */
async function toggleRow(row: Locator, wanted: 'true' | 'false', effect: Effect): Promise<void> {
  const isWanted = async (): Promise<boolean> => (await row.getAttribute('aria-expanded')) === wanted;
  await actUntil(async () => {
    if (await isWanted()) return;
    await rowsAreFree(row.page());
    // Presses the arrow: a click on the label of some rows runs a command.
    if (!(await isWanted())) await row.locator('.monaco-tl-twistie').click();
  }, effect);
  await pointAtNothing(row.page());
}

/** A row being replaced has no rows below it. */
async function hasRowBelow(row: Locator): Promise<boolean> {
  const [level, index] = await Promise.all([row.getAttribute('aria-level'), row.getAttribute('data-index')]);
  const next = row.page().locator(`.part.sidebar [role="treeitem"][data-index="${Number(index) + 1}"]`);
  const levels = await next.evaluateAll((rows) => rows.map((one) => one.getAttribute('aria-level')));
  return levels.some((below) => Number(below) > Number(level));
}

/** Visible rows whose text does not fit into the side bar, by their accessible name. */
export function clippedTreeRows(page: Page): Promise<string[]> {
  return tooWide(page.locator('.part.sidebar').getByRole('treeitem'));
}

/** Chooses an entry of a row's context menu. */
export async function chooseFromRow(page: Page, row: string | RegExp, entry: string): Promise<void> {
  await openMenu(page, row);
  await chooseFromMenu(page, entry);
  await pointAtNothing(page);
}

/** Chooses an entry of the open menu. */
export async function chooseFromMenu(page: Page, entry: string): Promise<void> {
  const item = page.locator('.context-view').getByRole('menuitem', { name: entry, exact: true });
  await item.waitFor();
  // A menu ignores releases in its first 100 ms, which may take longer on a busy machine. Then the press is repeated.
  await actUntil(
    async () => {
      if (!(await menuIsClosed(page))) {
        await item.hover();
        await item.click({ delay: MENU_OPENS_MS });
      }
    },
    () => menuIsClosed(page),
  );
}

/** Presses the icon of the view that refreshes everything, until that has an effect, as for an icon in a row. */
export function refreshTree(page: Page, effect: Effect): Promise<void> {
  return actUntil(async () => {
    await rowsAreFree(page);
    // VS Code shows the title of an only view as that of its container.
    await page.locator('.part.sidebar > .composite.title').getByRole('button', { name: 'Refresh' }).click();
    await pointAtNothing(page);
  }, effect);
}

async function menuIsClosed(page: Page): Promise<boolean> {
  return !(await page.locator('.context-view .monaco-menu').first().isVisible());
}

/** A row may move between locating and pressing it while the tree loads. Then it is repeated. */
async function openMenu(page: Page, row: string | RegExp): Promise<void> {
  const found = treeRow(page, row).first();
  const isItsMenu = async (): Promise<boolean> =>
    (await page.locator('.context-view').getByRole('menuitem').first().isVisible()) &&
    (await found.and(page.locator('.focused')).isVisible());
  await actUntil(async () => {
    await closeMenu(page);
    await rowsAreFree(page);
    await found.click({ button: 'right' });
  }, isItsMenu);
}

async function closeMenu(page: Page): Promise<void> {
  await actUntil(
    async () => {
      if (!(await menuIsClosed(page))) await page.keyboard.press('Escape');
    },
    () => menuIsClosed(page),
  );
}

/**
 * Waits until the side bar has loaded everything and its rows have not changed for a while. For a row that is being
 * replaced, VS Code does not pass the row to a command.
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

/** Waits until rows do not move and nothing covers them, such as the hover of another row. */
async function rowsAreFree(page: Page): Promise<void> {
  await pointAtNothing(page);
  await treeIsQuiet(page);
}

/**
 * Points at a row until VS Code shows its hover.
 *
 * @returns the hover
 */
export async function rowHover(page: Page, row: string | RegExp): Promise<Locator> {
  // VS Code shows "loading" until the text arrives.
  const hover = page
    .locator('.monaco-hover:visible')
    .filter({ hasNotText: /^\s*Loading\.\.\.\s*$/ })
    .first();
  // A row that is replaced while it is pointed at shows no hover. Then it is pointed at again.
  await actUntil(async () => {
    await rowsAreFree(page);
    await treeRow(page, row).first().locator('.label-name').hover();
  }, hover);
  return hover;
}

/**
 * Presses an icon in a row, by its title, until that has an effect, because VS Code loses a press on a row that it is
 * replacing.
 *
 * @param effect caused only by the press, which may be repeated before the effect is visible
 */
export async function pressRowIcon(page: Page, row: string | RegExp, title: string, effect: Effect): Promise<void> {
  const found = treeRow(page, row).first();
  await actUntil(async () => {
    await rowsAreFree(page);
    await found.hover();
    await found.getByRole('button', { name: title }).click();
  }, effect);
  await pointAtNothing(page);
}

/** Presses a row until that has an effect, as for an icon in it. */
export async function pressRow(page: Page, row: string | RegExp, effect: Effect): Promise<void> {
  await actUntil(async () => {
    await rowsAreFree(page);
    // A refresh that was chosen before may remove the row meanwhile.
    if (!(await isSeen(effect))) await treeRow(page, row).first().click();
  }, effect);
  await pointAtNothing(page);
}

/** Moves the pointer away: the hover of a row covers its neighbours, and may appear late on a busy machine. */
async function pointAtNothing(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
}

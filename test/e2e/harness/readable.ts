import assert from 'node:assert/strict';
import type { FrameLocator, Page } from 'playwright-core';
import { axeViolations } from './axe.ts';
import { faintFocusRings } from './contrast.ts';
import { freeze, leaveAlone } from './frozen.ts';
import { clippedParts, coveredFocus, setPageWidth } from './layout.ts';
import { differenceFromApproved } from './approvedPictures.ts';
import type { Stage } from './stage.ts';
import { PICTURED_THEMES, shownTheme, showTheme, type Theme } from './themes.ts';
import { treeIsQuiet } from './tree.ts';
import { webviewPage } from './webview.ts';

/** Minimum width of a page, in px. */
const NARROW = 300;

export type Look = {
  /** Those of the pictures by default. */
  readonly themes?: readonly Theme[];
  /** Names of the approved pictures without their theme, and the parts of the window that they show. */
  readonly pictures?: Readonly<Record<string, string>>;
  /** True for a part that may be cut off, because its whole text is shown elsewhere. */
  readonly mayBeCut?: (part: string) => boolean;
  /** Finds what else is wrong in a theme. */
  readonly alsoInTheme?: () => Promise<readonly string[]>;
  /** Finds what else is wrong in a narrow window. */
  readonly alsoNarrow?: () => Promise<readonly string[]>;
};

/**
 * Asserts that everybody can read the page in its present state: in themes with the contrasts that are needed, and in
 * narrow windows.
 *
 * @returns how it differs from the approved pictures
 */
export async function assertReadable({ page, vscode }: Stage, state: string, look: Look = {}): Promise<string[]> {
  const webview = webviewPage(page);
  const faults: string[] = [];
  const differences: (string | undefined)[] = [];
  // VS Code takes long to change its theme, so the one that is shown comes first.
  const shown = await shownTheme(page);
  const themes = (look.themes ?? PICTURED_THEMES).toSorted(
    (one, other) => Number(other === shown) - Number(one === shown),
  );
  for (const theme of themes) {
    await showTheme(page, vscode, theme);
    for (const [name, part] of Object.entries(look.pictures ?? {})) {
      const picture = await pictureOf(page, webview, part);
      differences.push(await differenceFromApproved(`${name}-${theme.slug}`, picture));
    }
    const found = [
      ...(await axeViolations(webview)),
      ...(await faintFocusRings(page, webview)),
      ...((await look.alsoInTheme?.()) ?? []),
    ];
    faults.push(...found.map((fault) => `${theme.id}: ${fault}`));
  }
  const size = page.viewportSize() ?? assert.fail('the window has a size');
  const checkLayout = async (at: string): Promise<void> => {
    const cut = (await clippedParts(webview)).filter((part) => look.mayBeCut?.(part) !== true);
    const found = [...cut, ...(await coveredFocus(webview)), ...((await look.alsoNarrow?.()) ?? [])];
    faults.push(...found.map((fault) => `${at}: ${fault}`));
  };
  await setPageWidth(page, webview, NARROW);
  await checkLayout(`${NARROW} px`);
  // Like zooming, this halves the width and height.
  await page.setViewportSize({ width: size.width / 2, height: size.height / 2 });
  await checkLayout('200 %');
  await page.setViewportSize(size);
  assert.deepEqual(faults, [], state);
  return differences.filter((difference) => difference !== undefined);
}

/** A picture of a part of the window, without what changes over time. */
async function pictureOf(page: Page, webview: FrameLocator, part: string): Promise<Buffer> {
  await leaveAlone(page, webview);
  await treeIsQuiet(page);
  await freeze(page.locator('.part.sidebar'));
  await freeze(webview.locator('body'));
  await webview.locator('html').evaluate((root) => {
    root.scrollTop = 0;
    document.querySelector('#primary')?.scrollIntoView({ block: 'nearest' });
  });
  return page.locator(part).screenshot();
}

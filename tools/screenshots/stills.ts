// The pictures of the walkthrough, and those further down in the README.
import type { Locator, Page } from 'playwright-core';
import { runCommand } from '../../test/e2e/harness/quickInput.ts';
import { treeRow } from '../../test/e2e/harness/tree.ts';
import { webviewPage } from '../../test/e2e/harness/webview.ts';
import { chooseDays, dryRun, openWizard } from '../../test/e2e/steps/wizard.ts';
import { palettePng, readPng } from './png.ts';
import { areaOf, type ScreenArea } from './screenArea.ts';

type Save = (name: string, picture: Buffer) => Promise<void>;

/** Number of colours of each picture. Two of them are in the package, and more colours make no visible difference. */
const COLOURS = 16;
/** Space below the last element in a picture of a page, in px. */
const MARGIN = 12;

/** Takes pictures of a window whose tree shows the tokens and indices of one connection. */
export async function takeStills(page: Page, save: Save): Promise<void> {
  const editor = page.locator('.part.editor .editor-container').first();
  await take('tree', await fromTo(page.locator('.part.sidebar'), treeRow(page, /dashboardUsageStatistics/), 0));

  const wizard = await openWizard(page, /^dataset, datasetProfile/);
  await chooseDays(wizard, 365);
  await wizard.getByRole('button', { name: 'Count Again' }).waitFor();
  await take('wizard', await fromTo(editor, wizard.locator('.legend')));

  await dryRun(wizard);
  await take('report', await fromTo(editor, wizard.locator('#primary')));

  await runCommand(page, 'DataHub: Time Series Indices');
  const overview = webviewPage(page);
  for (const name of ['datasetusagestatistics', 'assertionrunevent'])
    await overview.getByRole('checkbox', { name: new RegExp(name, 'i') }).click();
  await take('overview', await fromTo(editor, overview.getByRole('table')));

  async function take(name: string, clip: ScreenArea): Promise<void> {
    const { width, height } = page.viewportSize() ?? { width: 1, height: 1 };
    // The element under the pointer has a frame.
    await page.mouse.move(width - 1, height - 1);
    await save(`${name}-dark.png`, palettePng(readPng(await page.screenshot({ clip })), COLOURS));
  }
}

/** A part of the window, from its top to slightly below an element in it. */
async function fromTo(part: Locator, last: Locator, margin = MARGIN): Promise<ScreenArea> {
  const [{ x, y, width }, end] = await Promise.all([areaOf(part), areaOf(last)]);
  return { x, y, width, height: end.y + end.height + margin - y };
}

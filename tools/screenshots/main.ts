// npm run screenshots: takes the pictures under media/ from the running product, each in a dark and in a light theme.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { runCommand } from '../../test/e2e/harness/quickInput.ts';
import { expandRow, treeRow } from '../../test/e2e/harness/tree.ts';
import { startVSCode, type Settings } from '../../test/e2e/harness/vscode.ts';
import { webviewPage } from '../../test/e2e/harness/webview.ts';
import { openWorkbench } from '../../test/e2e/harness/workbench.ts';
import { addConnection } from '../../test/e2e/steps/connections.ts';
import { chooseDays, confirmDeletion, deleteButton, dryRun, openWizard } from '../../test/e2e/steps/wizard.ts';
import { newPerson, openBrowser } from '../../test/host/vscode/browser.ts';
import { buildPackage } from '../package/build.ts';
import { root } from '../paths.ts';
import { palettePng, readPng } from './png.ts';
import { startService } from '../../test/service/main.ts';

/** High enough for the wizard down to its button. */
const WINDOW = { width: 1280, height: 860 };
/** Wide enough for the names in the tree, in px. */
const SIDE_BAR_WIDTH = 400;
/** Number of colours of each picture. Two pictures are in the package, and more colours make no visible difference. */
const COLOURS = 16;
/** Stops the truncation after its first batch, so that a picture can show it running. */
const AN_HOUR = 3_600_000;

/** Hides everything except the extension, and shows few enough tokens for the indices to fit below them. */
const SETTINGS: Settings = {
  'metadataService.tokens.pageSize': 10,
  'window.commandCenter': false,
  'window.menuBarVisibility': 'hidden',
  'workbench.layoutControl.enabled': false,
  'workbench.navigationControl.enabled': false,
  'workbench.preferredDarkColorTheme': 'Default Dark Modern',
  'workbench.preferredLightColorTheme': 'Default Light Modern',
};
/**
 * The theme of the window at the start comes first. The classes are those of VS Code's page and of the pages inside
 * it.
 */
const THEMES = [
  { name: 'dark', workbench: '.vs-dark', webview: '.vscode-dark' },
  { name: 'light', workbench: '.vs', webview: '.vscode-light' },
] as const;

type ScreenArea = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
/** Space below the last row of the tree, in px. */
const MARGIN = 12;

const parts: (() => Promise<unknown>)[] = [];
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void stop().finally(() => process.exit(1)));
try {
  await takeAll();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await stop();
}

async function stop(): Promise<void> {
  for (const stopPart of parts.splice(0).toReversed()) await stopPart();
}

async function takeAll(): Promise<void> {
  const { file } = await buildPackage();
  const service = await startService({ profile: 'next', batchDelayMillis: AN_HOUR });
  parts.push(() => service.close());
  const vscode = await startVSCode({ vsix: file, settings: SETTINGS });
  parts.push(() => vscode.stop());
  const browser = await openBrowser();
  parts.push(() => browser.close());
  const page = await openWorkbench(await newPerson(browser, WINDOW), vscode);

  await addConnection(page, {
    address: service.frontUrl,
    actor: 'admin',
    token: service.users.admin.token,
    name: 'Staging',
  });
  await widenSideBar(page);
  await expandRow(page, 'Access tokens');
  await expandRow(page, 'Time series indices');
  const lastRow = treeRow(page, /dashboardusagestatistics/);
  await lastRow.waitFor();
  // A press outside the tree removes the frame of the row that was opened last.
  await page.locator('.part.editor').click();
  await take('tree', page, await fromTo(page.locator('.part.sidebar'), lastRow));

  const wizard = await openWizard(page, /^dataset, datasetprofile/);
  await chooseDays(wizard, 365);
  await wizard.locator('#primary[aria-disabled=false]').waitFor();
  await wizard.getByRole('button', { name: 'Show Rows by Age' }).click();
  await wizard.getByRole('button', { name: 'Refresh' }).waitFor();
  await take('wizard', page);

  const report = await dryRun(wizard);
  await take('dry-run', page);
  // The walkthrough shows the same picture in all themes.
  const editor = page.locator('.part.editor .editor-container').first();
  await take('report', page, await fromTo(editor, wizard.locator('#primary')), ['dark']);

  await runCommand(page, 'Metadata Service (DataHub): Show Index Overview');
  await webviewPage(page).getByRole('row').filter({ hasText: 'datasetprofile' }).first().waitFor();
  // Makes room for its columns.
  await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
  await take('overview', page);
  await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
  await runCommand(page, 'View: Close Editor');

  await deleteButton(wizard).click();
  await confirmDeletion(page, 'dataset/datasetprofile');
  await wizard
    .getByText(`Deleting: 10,000 of ${report.rowsToDelete.toLocaleString('en')} rows`)
    .first()
    .waitFor();
  await treeRow(page, /^Truncations 1 running/).waitFor();
  await take('task', page);
}

/** Takes one picture in each of these themes, of the whole window or a part of it. */
async function take(
  name: string,
  page: Page,
  clip?: ScreenArea,
  themes: readonly string[] = THEMES.map((theme) => theme.name),
): Promise<void> {
  // Notifications of the last action stay for a few seconds.
  await page.locator('.statusbar-item', { hasText: /added$/ }).waitFor({ state: 'detached' });
  for (const theme of THEMES) {
    await untilShown(theme, page);
    // The element under the pointer has a frame.
    await page.mouse.move(WINDOW.width - 1, WINDOW.height - 1);
    if (themes.includes(theme.name)) {
      const picture = palettePng(readPng(await page.screenshot(clip === undefined ? {} : { clip })), COLOURS);
      const file = join('media', `${name}-${theme.name}.png`);
      await writeFile(join(root, file), picture);
      console.log(`${file}: ${picture.length.toLocaleString('en')} bytes`);
    }
    await runCommand(page, 'Preferences: Toggle between Light/Dark Themes');
  }
}

async function untilShown(theme: (typeof THEMES)[number], page: Page): Promise<void> {
  await page.locator(`.monaco-workbench${theme.workbench}`).waitFor();
  if ((await page.locator('iframe.webview.ready').count()) > 0)
    await webviewPage(page).locator(`body${theme.webview}`).waitFor();
}

/** A part of the window, from its top to slightly below an element in it. */
async function fromTo(part: Locator, last: Locator): Promise<ScreenArea> {
  const [{ x, y, width }, end] = await Promise.all([boxOf(part), boxOf(last)]);
  return { x, y, width, height: end.y + end.height + MARGIN - y };
}

async function boxOf(part: Locator): Promise<ScreenArea> {
  const box = await part.boundingBox();
  if (box === null) throw new Error('What is to be in the picture is not visible.');
  return box;
}

/** Drags the border of the side bar, because no setting has its width. */
async function widenSideBar(page: Page): Promise<void> {
  const box = await boxOf(page.locator('.part.sidebar'));
  const [edge, middle] = [box.x + box.width, box.y + box.height / 2];
  await page.mouse.move(edge, middle);
  await page.mouse.down();
  await page.mouse.move(box.x + SIDE_BAR_WIDTH, middle, { steps: 5 });
  await page.mouse.up();
}

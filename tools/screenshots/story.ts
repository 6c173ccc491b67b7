// The moving picture of the README: an access token is created, then an index is truncated, from the tree to the end.
import type { Page } from 'playwright-core';
import { modal } from '../../test/e2e/harness/dialogs.ts';
import { quickInput, quickInputMessage, quickInputStep, quickPickRow } from '../../test/e2e/harness/quickInput.ts';
import { treeIsQuiet, treeRow } from '../../test/e2e/harness/tree.ts';
import { webviewPage } from '../../test/e2e/harness/webview.ts';
import { deleteButton, rowsToDelete as rowsShown } from '../../test/e2e/steps/wizard.ts';
import type { RunningService } from '../../test/service/main.ts';
import { DEFAULT_BATCH_SIZE } from '../../src/truncation/plan.ts';
import { Camera } from './camera.ts';
import type { Frame } from './gif.ts';
import { areaOf } from './screenArea.ts';

/** How long a picture is shown that has something to read, in ms: a glance, a sentence, a page. */
const GLANCE = 600;
const SENTENCE = 1100;
const PAGE = 1700;
/** The last picture stays before the first one follows. */
const END = 3000;

/** Where the pointer covers nothing: in the empty editor, and beside the button of the page. */
const IN_EDITOR = { x: 580, y: 430 };
const BESIDE_BUTTON = { x: 700, y: 545 };

/** Pause after each batch of the task, in ms: long enough to film it, and for the page to ask again. */
export const BATCH_MILLIS = 8000;
/** Share of the chart that the cutoff is dragged over. */
const DRAGGED = 0.24;

/** Films a window whose tree shows the tokens and indices of one connection. */
export async function filmStory(page: Page, service: RunningService): Promise<readonly Frame[]> {
  const camera = await Camera.open(page, IN_EDITOR);
  await camera.show(SENTENCE);
  await createToken(page, camera);
  const rows = await chooseCutoff(page, camera);
  await deleteRows(page, camera);
  for (let deleted = DEFAULT_BATCH_SIZE; deleted < rows; deleted += DEFAULT_BATCH_SIZE) {
    await untilShown(page, `Deleting: ${deleted.toLocaleString('en')} of`);
    if (deleted === DEFAULT_BATCH_SIZE) await camera.glide(BESIDE_BUTTON);
    await camera.show(GLANCE);
  }
  service.pacing.batchDelayMillis = 0;
  await untilShown(page, `${rows.toLocaleString('en')} rows deleted · `);
  await treeIsQuiet(page);
  await camera.show(END);
  return camera.frames;
}

async function createToken(page: Page, camera: Camera): Promise<void> {
  const tokens = treeRow(page, /^Access tokens/);
  await tokens.hover();
  await camera.press(tokens.getByRole('button', { name: 'Create Access Token' }));
  await quickInputMessage(page)
    .filter({ hasText: /Name this token/ })
    .waitFor();
  await camera.type(quickInput(page).locator('input'), 'nightly ingestion');
  await page.keyboard.press('Enter');
  await quickPickRow(page, 'Create Access Token').waitFor();
  await camera.show(SENTENCE);
  await page.keyboard.press('Enter');
  await modal(page).waitFor();
  await page.locator('.notifications-toasts .notification-list-item').waitFor({ state: 'detached' });
  await camera.show(SENTENCE);
  await camera.press(modal(page).getByRole('button', { name: 'Copy Token' }));
  await treeRow(page, /^nightly ingestion/).waitFor();
  await treeIsQuiet(page);
  await camera.show(SENTENCE);
}

/** @returns the number of rows that the dry run shows */
async function chooseCutoff(page: Page, camera: Camera): Promise<number> {
  const wizard = webviewPage(page);
  const index = treeRow(page, /^dataset, datasetProfile/);
  await index.hover();
  await camera.press(index.getByRole('button', { name: 'Truncate Index' }));
  await wizard.getByRole('heading', { level: 1, name: /^Truncate / }).waitFor();
  await camera.show(SENTENCE);
  await wizard.getByRole('button', { name: 'Count Again' }).waitFor();
  const { width } = await areaOf(wizard.getByRole('slider', { name: 'Cutoff' }));
  await camera.drag(wizard.locator('svg.handle'), -width * DRAGGED);
  await camera.show(SENTENCE);
  await camera.press(wizard.getByRole('button', { name: 'Dry Run', exact: true }));
  const rowsToDelete = await rowsShown(wizard);
  await camera.show(PAGE);
  return rowsToDelete;
}

async function deleteRows(page: Page, camera: Camera): Promise<void> {
  await camera.press(deleteButton(webviewPage(page)));
  await quickInputStep(page, /dataset\/datasetProfile/);
  await camera.type(quickInput(page).locator('input'), 'dataset/datasetProfile');
  await camera.show(GLANCE);
  await page.keyboard.press('Enter');
}

/** Waits until the page of the index says so. */
function untilShown(page: Page, text: string): Promise<void> {
  return webviewPage(page).getByText(text).first().waitFor();
}

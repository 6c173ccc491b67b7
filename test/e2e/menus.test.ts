// The entries of the command palette and of the tree's menus, and what VS Code shows of an extension first: its own
// page and its walkthrough.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { eventually } from './harness/conditions.ts';
import { answerModal } from './harness/dialogs.ts';
import { inOrder } from './harness/inOrder.ts';
import { cancelQuickInput, fillQuickInput, openPalette, pick, quickInput, runCommand } from './harness/quickInput.ts';
import { openStage, THEMES } from './harness/stage.ts';
import { chooseFromMenu, closeMenu, expandRow, refreshTree, rowIcons, rowMenu, treeRow } from './harness/tree.ts';
import { openViewContainer } from './harness/workbench.ts';
import { addConnection } from './steps/connections.ts';
import { createToken } from './steps/tokens.ts';
import { chooseDays, confirmDeletion, deleteButton, dryRun, finished, openWizard } from './steps/wizard.ts';

const CATEGORY = 'DataHub';
const MOST_ABOVE_SEPARATOR = 4;

const { service, page } = await openStage({
  vscode: { builtIn: [...THEMES, 'markdown-basics', 'markdown-language-features'] },
});

suite('a user finds what makes sense, and little else', () => {
  inOrder();

  test('in the palette without a connection, before the view was ever shown', async () => {
    await openPalette(page);
    await eventually(async () => {
      // VS Code lists the commands again as the user types. A new window opens the palette before the extension runs.
      await fillQuickInput(page, '>Data');
      await fillQuickInput(page, `>${CATEGORY}`);
      assert.deepEqual(await paletteRows(CATEGORY), [
        `${CATEGORY}: Add Connection...`,
        // VS Code's own, as the last one.
        `${CATEGORY}: Focus on ${CATEGORY} View`,
        `${CATEGORY}: Inspect Access Token...`,
        `${CATEGORY}: Show Log`,
        `View: Show ${CATEGORY}`,
      ]);
    });
    await cancelQuickInput(page);
  });

  test('in the palette with a connection, and to refresh the view where it is shown', async () => {
    const { frontUrl: address, adminToken: token } = service;
    await addConnection(page, { address, token, actor: 'admin', name: 'Staging' });
    const main = [
      'Add Connection...',
      'Copy Access Token',
      'Create Access Token...',
      `Focus on ${CATEGORY} View`,
      'Inspect Access Token...',
      'Revoke Access Token',
      "Rotate Connection's Access Token...",
      'Show Log',
      'Sign In with an Access Token...',
      'Sign Out',
      'Time Series Indices',
      'Truncate Index...',
    ];
    await offersInPalette([...main, 'Refresh']);
    await openViewContainer(page, 'Explorer');
    await offersInPalette(main);
    await openViewContainer(page, CATEGORY);
  });

  test('in the menu of the connection and of its lists', async () => {
    await showsMenu(/^Staging/, ['Test Connection'], []);
    const icons = ['Create Access Token...', 'Filter Access Tokens...'];
    await showsMenu(/^Access tokens/, ['Create Access Token...'], icons);
    const forIndices = ['Time Series Indices', 'Sort Indices...', 'Export Index Sizes...'];
    await showsMenu(/^Time series indices/, forIndices, ['Time Series Indices']);
  });

  test('in the menu of a token, whose value is held, was copied, or is not there', async () => {
    await createToken(page, { name: 'held', duration: '1 hour' });
    await answerModal(page, 'Close');
    await expandRow(page, /^Access tokens/);
    const revoke = 'Revoke Access Token';
    await showsMenu(/^held/, ['Copy Access Token', 'Copy Access Token ID'], ['Copy Access Token', revoke]);
    await createToken(page, { name: 'copied', duration: '1 hour' });
    await answerModal(page, 'Copy Token');
    await showsMenu(/^copied/, ['Copy Access Token', 'Copy Access Token ID'], ['Copy Access Token', revoke]);
    await showsMenu(/never expires/, ['Copy Access Token ID'], [revoke]);
  });

  test('in the menu of an index', async () => {
    await expandRow(page, /^Time series indices/);
    await showsMenu(/^dataset, operation,/, ['Truncate Index...'], ['Truncate Index...']);
  });

  test('in the menu of a truncation, running and ended', async () => {
    service.pacing.held = true;
    const wizard = await openWizard(page, /^dataset, operation,/);
    await chooseDays(wizard, 365);
    await dryRun(wizard);
    await deleteButton(wizard).click();
    await confirmDeletion(page, 'dataset/operation');
    const shown = ['Show Truncation', 'Copy Task ID'];
    await treeRow(page, /^Truncations 1 running/).waitFor();
    await showsMenu(/^dataset\/operation, /, shown, ['Copy Task ID']);
    service.pacing.held = false;
    await finished(wizard);
    await treeRow(page, /^dataset\/operation, Finished/).waitFor();
    await showsMenu(/^dataset\/operation, /, ['Show Truncation', 'Copy Task ID'], ['Copy Task ID']);
  });

  test('in the menu of a failure', async () => {
    service.faults.add({ fault: { kind: 'status', status: 500 }, match: 'getIndexSizes', times: 'always' });
    await refreshTree(page, treeRow(page, /^Failure/));
    await showsMenu(/^Failure/, ['Copy Details for a Report'], []);
  });
});

suite('VS Code shows the documents of the package', () => {
  inOrder();

  test('from the menu of the view, each with a link to the other', async () => {
    await page.locator('.part.sidebar').getByRole('button', { name: 'Views and More Actions...' }).click();
    await chooseFromMenu(page, 'Open Guide');
    const guide = await eventually(() => documentOnPage('Guide'));
    assert.equal(await guide.frame.locator('img').count(), 0, 'the package has no pictures for it');
    await guide.frame.getByRole('link', { name: 'Troubleshooting' }).first().click();
    await eventually(() => documentOnPage('Troubleshooting'));
  });

  test('from the menu of the view, the other one too', async () => {
    await runCommand(page, 'View: Close All Editors');
    await page.locator('.part.sidebar').getByRole('button', { name: 'Views and More Actions...' }).click();
    await chooseFromMenu(page, 'Open Troubleshooting');
    await eventually(() => documentOnPage('Troubleshooting'));
    await runCommand(page, 'View: Close All Editors');
  });
});

suite('VS Code introduces the extension', () => {
  inOrder();

  test('on its page: what it is comes first, and nothing is broken', async () => {
    await runCommand(page, 'Extensions: Show Installed Extensions');
    await page.locator('.extension-list-item').filter({ hasText: 'DataHub' }).first().click();
    const readme = await eventually(() => documentOnPage('First Minutes'));
    assert.deepEqual(readme.titles.slice(1, 5), ['Install', 'First Minutes', 'Safety', 'Commands']);
    assert.equal(await readme.frame.locator('img').count(), 0, 'VS Code shows only pictures from the web');
  });

  test('in its walkthrough, with the first step done if there was a connection already', async () => {
    await runCommand(page, 'Welcome: Open Walkthrough...');
    await pick(page, /DataHub/);
    const steps = page.locator('.gettingStartedContainer .getting-started-step');
    await steps.filter({ hasText: 'Connect to your server' }).locator('.codicon.complete').waitFor();
    assert.equal(await steps.locator('.codicon.complete').count(), 1, 'the others are to be done');
  });
});

/** Labels in the open palette that begin like this, sorted. */
async function paletteRows(start: string): Promise<string[]> {
  const labels = await quickInput(page).locator('.monaco-list-row .label-name').allInnerTexts();
  return labels
    .map((label) => label.trim())
    .filter((label) => label.includes(start))
    .toSorted();
}

/** Titles of the commands that the palette has, and no others. */
async function offersInPalette(titles: readonly string[]): Promise<void> {
  await openPalette(page);
  await fillQuickInput(page, `>${CATEGORY}: `);
  await eventually(async () =>
    assert.deepEqual(await paletteRows(`${CATEGORY}: `), titles.map((title) => `${CATEGORY}: ${title}`).toSorted()),
  );
  await cancelQuickInput(page);
}

/** Opens the menu of a row with the mouse. @param above The entries above its first separator. */
async function showsMenu(row: RegExp, above: readonly string[], icons: readonly string[]): Promise<void> {
  const [first = []] = await rowMenu(page, row);
  await closeMenu(page);
  assert.deepEqual(first, above);
  assert.ok(first.length <= MOST_ABOVE_SEPARATOR);
  assert.deepEqual(await rowIcons(page, row), icons);
}

/** @throws while no frame shows a document with this heading */
async function documentOnPage(heading: string): Promise<{ readonly frame: Frame; readonly titles: readonly string[] }> {
  for (const frame of page.frames()) {
    const titles = await frame.locator('h1, h2').allInnerTexts();
    if (titles.includes(heading)) return { frame, titles };
  }
  return assert.fail(`no frame shows ${heading}`);
}

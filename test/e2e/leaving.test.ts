// The user leaves the page of a truncation for another one, reloads the window, or works in two of them. No connection,
// running task or half-filled plan is lost, the end of a truncation is notified, and windows agree.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { inQuickTime } from '../host/vscode/quickTime.ts';
import { eventually } from './harness/conditions.ts';
import { answerModal, answerNotification, notification } from './harness/dialogs.ts';
import { fromLeftToRight } from './harness/layout.ts';
import { runCommand } from './harness/quickInput.ts';
import { secretsAreDeleted, storedSecrets } from './harness/secretStorage.ts';
import { openStage } from './harness/stage.ts';
import { inOrder } from './harness/inOrder.ts';
import { chooseFromRow, expandRow, refreshTree, treeIsQuiet, treeRow } from './harness/tree.ts';
import { webviewPage } from './harness/webview.ts';
import { controlFocus, goToWindow, kept } from './harness/windows.ts';
import { openViewContainer, openWorkbench, reloadWorkbench } from './harness/workbench.ts';
import { addConnection, connectionRow, removeConnection } from './steps/connections.ts';
import { assertRows, cutoffOf, executeRequests } from './steps/service.ts';
import {
  backToFields,
  chooseDate,
  chooseDays,
  confirmDeletion,
  deleteButton,
  dryRun,
  finished,
  openWizard,
  shownTaskId,
} from './steps/wizard.ts';

const { service, database, page, person, vscode } = await openStage();
const { admin } = service.users;
/** In Hebrew: a number that follows it in a sentence must stay behind it. */
const CONNECTION = 'שרת';
const wizard = webviewPage(page);
await controlFocus(person);
await addConnection(page, { address: service.frontUrl, token: admin.token, name: CONNECTION });
await expandRow(page, /^Time series indices/);

test('right-to-left names stay in their place in the tree, before what is said of them', async () => {
  service.issueToken({ name: 'מפתח (7)', createdAt: Date.now(), expiresAt: Date.now() + 84 * 3_600_000 });
  await expandRow(page, /^Access tokens/);
  const row = treeRow(page, /מפתח/);
  await refreshTree(page, row);
  // The tree reuses rows while more are loaded.
  await treeIsQuiet(page);
  assert.match(await fromLeftToRight(row), /^\)7\(חתפמin3days/);
  assert.match(await fromLeftToRight(treeRow(page, /^שרת/)), /^תרש/);
});

suite('a user who reloads the window, or leaves the page for another one, loses nothing', () => {
  inOrder();

  test('after a reload the connection is still signed in, and a half-filled plan is back with problems', async () => {
    await openWizard(page, /^query, queryUsageStatistics,/);
    await chooseDate(wizard, '2025-03-04');
    await wizard.getByLabel('Time', { exact: true }).fill('05:06');
    await wizard.getByText('Advanced').click();
    await wizard.getByLabel('Batch size').fill('123');
    await wizard.getByLabel('Timeout in seconds').fill('not yet');
    await kept(page, 'not yet', /workbench\.parts\.editor/);

    service.clearRequests();
    await reloadWorkbench(page);
    await connectionRow(page, CONNECTION).waitFor();
    await treeRow(page, /^Access tokens \d+/).waitFor();
    const asked = service.requests.filter(({ path }) => path.includes('graphql'));
    assert.ok(asked.length > 0);
    assert.ok(asked.every(({ headers }) => headers.authorization === `Bearer ${admin.token}`));
    await wizard.getByRole('heading', { name: 'Truncate query/queryusagestatistics' }).waitFor();
    assert.equal(await wizard.getByLabel('Date', { exact: true }).inputValue(), '2025-03-04');
    assert.equal(await wizard.getByLabel('Time', { exact: true }).inputValue(), '05:06');
    assert.equal(await wizard.getByLabel('Batch size').inputValue(), '123');
    assert.equal(await wizard.getByLabel('Timeout in seconds').inputValue(), 'not yet');
  });

  test('a plan that was changed after its dry run and went behind another tab is as it was changed', async () => {
    await wizard.getByLabel('Timeout in seconds').fill('60');
    await dryRun(wizard);
    await backToFields(wizard);
    await wizard.getByLabel('Batch size').fill('77');
    await runCommand(page, 'File: New Untitled Text File');
    await page.locator('.monaco-editor').first().waitFor();
    await runCommand(page, 'View: Close Editor');
    await wizard.getByRole('heading', { level: 1, name: /^Truncate / }).waitFor();
    assert.equal(await wizard.getByLabel('Batch size').inputValue(), '77');
    await wizard.getByRole('button', { name: /^Dry Run/ }).waitFor();
    assert.equal(await wizard.locator('#report-heading').count(), 0);
  });

  const before = database.rows('dataset', 'operation');
  let id = '';

  test('two truncations run at once', async () => {
    await send(/^dataset, operation,/, 'dataset/operation');
    await treeRow(page, /^dataset\/operation, Deleting: 0 of/).waitFor();
    await runCommand(page, 'View: Close All Editors');
    id = await send(/^query, queryUsageStatistics,/, 'query/queryusagestatistics');
    // This tab, not that of the previous truncation, as it was after the dry run.
    await kept(page, 'queryusagestatistics', /workbench\.parts\.editor/);
    await kept(page, 'recordId', /workbench\.parts\.editor/);
    await treeRow(page, /^Truncations 2 running/).waitFor();
  });

  test('after a reload running tasks continue, one in the tree without a wizard, one in its wizard', async () => {
    await reloadWorkbench(page);
    await treeRow(page, /^Truncations 2 running/).waitFor();
    await wizard.getByRole('heading', { name: /^Deleting: 0 of / }).waitFor();
    assert.equal(await shownTaskId(wizard), id);
    service.pacing.held = false;
    await inQuickTime(() => treeRow(page, /^dataset\/operation, Finished: [\d,]+ rows deleted/).waitFor());
    await finished(wizard);
    const executed = executeRequests(service);
    assert.equal(executed.length, 2, 'nothing was sent again');
    const left = before.filter(({ timestampMillis }) => timestampMillis > cutoffOf(executed[0]));
    assertRows(database.rows('dataset', 'operation'), left, 'what is newer than the cutoff is left');
    assert.equal(await notification(page, /./).count(), 0, 'page and tree show the end');
    await runCommand(page, 'View: Close All Editors');
  });
});

suite('a user who leaves the page of a truncation is notified how it ends', () => {
  inOrder();

  test('sees the end with its rows, once, in one sentence, although page and tree are hidden', async () => {
    const before = database.rows('dataset', 'datasetprofile').length;
    await send(/^dataset, datasetProfile,/, 'dataset/datasetprofile');
    await openViewContainer(page, 'Explorer');
    await runCommand(page, 'File: New Untitled Text File');
    const polled = polls();
    await eventually(() => assert.ok(polls() > polled));
    assert.equal(await notification(page, /./).count(), 0);
    service.pacing.held = false;
    const told = notification(
      page,
      /Truncation of dataset\/datasetProfile on שרת\u200E: Finished: [\d,]+ rows deleted\.$/,
    );
    await inQuickTime(() => told.waitFor());
    const gone = before - database.rows('dataset', 'datasetprofile').length;
    await told.filter({ hasText: `: ${gone.toLocaleString('en')} rows deleted.` }).waitFor();
    assert.match(
      await fromLeftToRight(told.locator('.notification-list-item-message')),
      /^Truncationofdataset\/datasetProfileonתרש:Finished:[\d,]+rowsdeleted\.$/,
    );
    assert.equal(await notification(page, /./).count(), 1);
  });

  test('opens its page at the outcome', async () => {
    await runCommand(page, 'View: Close All Editors');
    const outcome = wizard.getByRole('heading', { name: /^[\d,]+ rows deleted · still / });
    const focused = outcome.and(wizard.locator(':focus'));
    await answerNotification(page, 'Truncation of dataset/datasetProfile', 'Show', focused);
    assert.equal(await wizard.getByRole('textbox').count(), 0, 'there is no form');
    await runCommand(page, 'View: Close All Editors');
    await openViewContainer(page, 'DataHub');
  });
});

suite('a user with two windows sees in each what was done in the other', () => {
  inOrder();
  let second = page;

  test('a connection is removed and another one added, with its token', async () => {
    const otherFolder = `${vscode.workspace}-2`;
    await mkdir(otherFolder);
    second = await openWorkbench(person, vscode, otherFolder);
    for (const window of [second, page]) {
      await goToWindow(window);
      await openViewContainer(window, 'DataHub');
    }
    await removeConnection(page, CONNECTION);
    await goToWindow(second);
    await welcome(second).waitFor();
    await goToWindow(page);
    await addConnection(page, { address: service.frontUrl, token: admin.token, name: 'Shared' });
    await goToWindow(second);
    await connectionRow(second, 'Shared').waitFor();
    // In a browser, a window reads the secrets once. Changes by others arrive with the next reload.
    await reloadWorkbench(second);
    await treeRow(second, /^Access tokens \d+/).waitFor();
    const [value = '{}', ...others] = (await storedSecrets(second)).values();
    assert.deepEqual([(JSON.parse(value) as { token: string }).token, others], [admin.token, []]);
  });

  test('it is signed out, and no request has its token any more', async () => {
    await goToWindow(page);
    await chooseFromRow(page, /^Shared/, 'Sign Out');
    await answerModal(page, 'Sign Out');
    await treeRow(page, /^Shared, signed out/).waitFor();
    await secretsAreDeleted(page);
    service.clearRequests();
    await goToWindow(second);
    await treeRow(second, /^Shared, signed out/).waitFor();
    await treeRow(second, /^Failure: Sign-in required/).waitFor();
    assert.ok(service.requests.length > 0);
    assert.ok(service.requests.every(({ headers }) => headers.authorization === undefined));
  });
});

/** Truncates an index by its wizard. Its task makes no progress until it is released. @returns the task's ID */
async function send(row: RegExp, target: string): Promise<string> {
  service.pacing.held = true;
  await openWizard(page, row);
  await chooseDays(wizard, 365);
  await dryRun(wizard);
  await deleteButton(wizard).click();
  await confirmDeletion(page, target);
  return shownTaskId(wizard);
}

function polls(): number {
  return service.requests.filter(({ path }) => path.includes('getEsTaskStatus')).length;
}

function welcome(window: Page): ReturnType<Page['getByText']> {
  return window.getByText('Connect to DataHub or another metadata service');
}

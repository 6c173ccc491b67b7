// The user leaves the page of a truncation for another one, or reloads the window. No connection, running task,
// half-filled plan or truncation that was just being sent is lost, and its end is notified.
import assert from 'node:assert/strict';
import { before as beforeAll, beforeEach, suite, test } from 'node:test';
import { inQuickTime } from '../host/vscode/quickTime.ts';
import { eventually, eventuallyEqual } from './harness/conditions.ts';
import { answerNotification, clearNotifications, notification } from './harness/dialogs.ts';
import { arrowTo } from './harness/keyboard.ts';
import { fromLeftToRight } from './harness/layout.ts';
import { runCommand } from './harness/quickInput.ts';
import { openStage } from './harness/stage.ts';
import { inOrder } from './harness/inOrder.ts';
import { expandRow, treeRow } from './harness/tree.ts';
import { webviewPage } from './harness/webview.ts';
import { controlFocus, kept } from './harness/windows.ts';
import { openViewContainer, reloadWorkbench } from './harness/workbench.ts';
import { addConnection, connectionRow } from './steps/connections.ts';
import { assertRows, cutoffOf, executeRequests } from './steps/service.ts';
import {
  backToFields,
  chooseDate,
  chooseDays,
  confirmDeletion,
  cutoffKind,
  deleteButton,
  dryRun,
  finished,
  openWizard,
  shownTaskId,
} from './steps/wizard.ts';

const { service, database, page, person } = await openStage();
const { admin } = service.users;
/** In Hebrew: a number that follows it in a sentence must stay behind it. */
const CONNECTION = 'שרת';
const wizard = webviewPage(page);
await controlFocus(person);
await addConnection(page, { address: service.frontUrl, actor: 'admin', token: admin.token, name: CONNECTION });
await treeRow(page, /^Time series indices \d+ MB/).waitFor();

suite('a user who reloads the window, or leaves the page for another one, loses nothing', () => {
  beforeEach(startOver);

  test('after a reload the connection is still signed in, and a half-filled plan is back with problems', async () => {
    await openWizard(page, /^query, queryUsageStatistics,/);
    await chooseDate(wizard, '2025-03-04');
    await wizard.getByLabel('Time', { exact: true }).fill('05:06');
    await wizard.getByText('Advanced').click();
    await wizard.getByLabel('Batch size').fill('123');
    await wizard.getByLabel('Timeout in seconds').fill('not yet');
    await kept(page, 'not yet', /workbench\.parts\.editor/, /metadata-service-tools/);

    service.clearRequests();
    await reloadWorkbench(page);
    await connectionRow(page, CONNECTION).waitFor();
    await treeRow(page, /^Access tokens \d+/).waitFor();
    const asked = service.requests.filter(({ path }) => path.includes('graphql'));
    assert.ok(asked.length > 0);
    assert.ok(asked.every(({ headers }) => headers.authorization === `Bearer ${admin.token}`));
    await wizard.getByRole('heading', { level: 1, name: /^Truncate / }).waitFor();
    await wizard.getByRole('heading', { name: 'Truncate query/queryusagestatistics' }).waitFor();
    assert.equal(await wizard.getByLabel('Date', { exact: true }).inputValue(), '2025-03-04');
    assert.equal(await wizard.getByLabel('Time', { exact: true }).inputValue(), '05:06');
    assert.equal(await wizard.getByLabel('Batch size').inputValue(), '123');
    assert.equal(await wizard.getByLabel('Timeout in seconds').inputValue(), 'not yet');

    await wizard.getByLabel('Timeout in seconds').fill('60');
    const report = await dryRun(wizard);
    assert.equal(report.rowsTotal, database.rows('query', 'queryusagestatistics').length);
  });

  test('a plan that was changed while its wizard was behind another tab is not lost either', async () => {
    await openWizard(page, /^dataset, datasetProfile,/);
    await chooseDays(wizard, 365);
    await wizard.getByText('Advanced').click();
    await wizard.getByLabel('Batch size').fill('123');
    await dryRun(wizard);
    await backToFields(wizard);
    await wizard.getByLabel('Batch size').fill('77');
    await runCommand(page, 'File: New Untitled Text File');
    await page.locator('.monaco-editor').first().waitFor();
    await runCommand(page, 'View: Close Editor');
    await wizard.getByRole('heading', { level: 1, name: /^Truncate / }).waitFor();
    assert.equal(await wizard.getByLabel('Batch size').inputValue(), '77');
    // It was changed after the dry run, so there is nothing to execute any more.
    await wizard.getByRole('button', { name: /^Dry Run/ }).waitFor();
    assert.equal(await wizard.locator('#report-heading').count(), 0);
  });

  test('a page that was closed opens with what was entered: days, or a limit that its rows by age turn into a cutoff', async () => {
    const days = wizard.getByRole('combobox', { name: 'Delete rows older than' });
    await openWizard(page, /^assertion, assertionRunEvent,/);
    await chooseDays(wizard, 45);
    await wizard.locator('#primary[aria-disabled=false]').waitFor();
    await runCommand(page, 'View: Close Editor');
    await openWizard(page, /^assertion, assertionRunEvent,/);
    await eventuallyEqual(() => days.inputValue(), '45');

    await cutoffKind(wizard).selectOption('of the oldest rows');
    await wizard.locator('#rows').fill('100');
    await wizard
      .locator('#cutoff-meaning')
      .getByText(/^Deletes rows dated at or before /)
      .waitFor();
    await runCommand(page, 'View: Close Editor');
    await openWizard(page, /^assertion, assertionRunEvent,/);
    await eventuallyEqual(() => wizard.locator('#rows').inputValue(), '100');
    const { rowsTotal } = await dryRun(wizard);
    assert.equal(rowsTotal, database.rows('assertion', 'assertionrunevent').length);
  });

  test('after a reload running tasks continue, one in the tree without a wizard, one in its wizard', async () => {
    const before = database.rows('dataset', 'operation');
    service.pacing.held = true;
    await openWizard(page, /^dataset, operation,/);
    await chooseDays(wizard, 365);
    await dryRun(wizard);
    await deleteButton(wizard).click();
    await confirmDeletion(page, 'dataset/operation');
    await treeRow(page, /^dataset\/operation, Deleting: 0 of/).waitFor();
    await runCommand(page, 'View: Close All Editors');

    await openWizard(page, /^dataJob, datahubIngestionRunSummary,/);
    await chooseDays(wizard, 365);
    await dryRun(wizard);
    await deleteButton(wizard).click();
    await confirmDeletion(page, 'datajob/datahubingestionrunsummary');
    const id = await shownTaskId(wizard);
    // This tab, not that of the previous truncation, as it was after the dry run.
    await kept(page, 'datahubingestionrunsummary', /workbench\.parts\.editor/);
    await kept(page, 'recordId', /workbench\.parts\.editor/);
    await treeRow(page, /^Truncations 2 running/).waitFor();

    await reloadWorkbench(page);
    await treeRow(page, /^Truncations 2 running/).waitFor();
    await treeRow(page, /^dataset\/operation, Deleting: 0 of/).waitFor();
    await wizard.getByRole('heading', { name: /^Deleting: 0 of / }).waitFor();
    assert.equal(await shownTaskId(wizard), id);
    service.pacing.held = false;
    await inQuickTime(() => treeRow(page, /^dataset\/operation, Finished: [\d,]+ rows deleted/).waitFor());
    await finished(wizard);
    await treeRow(page, /^datajob\/datahubingestionrunsummary, Finished/).waitFor();
    const executed = executeRequests(service);
    assert.equal(executed.length, 2, 'nothing was sent again');
    const left = before.filter(({ timestampMillis }) => timestampMillis > cutoffOf(executed[0]));
    assertRows(database.rows('dataset', 'operation'), left, 'what is newer than the cutoff is left');
  });
});

suite('a user who leaves the page of a truncation is notified how it ends', () => {
  inOrder();
  beforeAll(startOver);

  test('sees no notification while the page is in front', async () => {
    // Previous tests deleted rows older than a year.
    await send(/^dataset, operation,/, 'dataset/operation', 200);
    await wizard.getByRole('heading', { name: /^Deleting: 0 of [\d,]+ rows\.$/ }).waitFor();
    assert.equal(await notification(page, /./).count(), 0);
  });

  test('sees none once page and tree are hidden either, and its task is watched', async () => {
    await openViewContainer(page, 'Explorer');
    await runCommand(page, 'File: New Untitled Text File');
    const before = polls();
    await eventually(() => assert.ok(polls() > before));
    assert.equal(await notification(page, /./).count(), 0);
  });

  test('sees the end with its rows, once, in one sentence', async () => {
    const before = database.rows('dataset', 'operation').length;
    service.pacing.held = false;
    const told = notification(page, /Truncated dataset\/operation on שרת\u200E: [\d,]+ rows deleted\.$/);
    await inQuickTime(() => told.waitFor());
    const gone = before - database.rows('dataset', 'operation').length;
    await told.filter({ hasText: `: ${gone.toLocaleString('en')} rows deleted.` }).waitFor();
    assert.match(
      await fromLeftToRight(told.locator('.notification-list-item-message')),
      /^Truncateddataset\/operationonתרש:[\d,]+rowsdeleted\.$/,
    );
    assert.equal(await notification(page, /./).count(), 1);
    assert.equal(executeRequests(service).length, 1);
  });

  test('opens its page at the outcome, with what was sent folded below', async () => {
    await runCommand(page, 'View: Close All Editors');
    const outcome = wizard.getByRole('heading', { name: /^[\d,]+ rows deleted · still / });
    const focused = outcome.and(wizard.locator(':focus'));
    await answerNotification(page, 'Truncated dataset/operation', 'Show', focused);
    const plan = wizard.locator('summary', { hasText: 'Details' });
    const [outcomeBox, planBox] = [await outcome.boundingBox(), await plan.boundingBox()];
    assert.ok(outcomeBox !== null && planBox !== null && outcomeBox.y < planBox.y);
    assert.equal(await wizard.getByRole('textbox').count(), 0, 'there is no form');
    assert.equal(await wizard.getByRole('radio').count(), 0);

    await wizard.getByText('Server response').waitFor({ state: 'hidden' });
    // Past the buttons.
    await arrowTo(page, () => plan.evaluate((line) => line === document.activeElement), 'Tab');
    await page.keyboard.press('Enter');
    await wizard.getByText('Server response').waitFor();
  });

  test('sees none where the tree shows the end', async () => {
    await runCommand(page, 'View: Close All Editors');
    await openViewContainer(page, 'DataHub');
    await send(/^query, queryUsageStatistics,/, 'query/queryusagestatistics', 365);
    await runCommand(page, 'View: Close All Editors');
    service.pacing.held = false;
    await inQuickTime(() => treeRow(page, /^query\/queryusagestatistics, Finished/).waitFor());
    assert.equal(await notification(page, /./).count(), 0);
  });

  test('sees that one failed, with its page a press away', async () => {
    // Each row changes just before its deletion, so it stays.
    service.pacing.versionConflicts = Number.POSITIVE_INFINITY;
    await send(/^dataJob, datahubIngestionRunSummary,/, 'datajob/datahubingestionrunsummary', 200, 50);
    await openViewContainer(page, 'Explorer');
    await runCommand(page, 'View: Close All Editors');
    service.pacing.held = false;
    const told = 'Truncation of datajob/datahubingestionrunsummary on';
    // A minute of counts.
    await inQuickTime(() => notification(page, /on שרת\u200E: .*the task ended without changing a row\.$/).waitFor());
    const next = wizard.getByText(/Check the batch size and the health of the index/).first();
    await answerNotification(page, told, 'Show', next);
  });
});

/** Closes everything that was left open, and removes faults from the service. */
async function startOver(): Promise<void> {
  service.pacing.held = false;
  service.faults.clear();
  service.clearRequests();
  await runCommand(page, 'View: Close All Editors');
  await clearNotifications(page);
  await expandRow(page, /^Time series indices/);
}

/** Truncates an index by its wizard. Its task makes no progress until it is released. */
async function send(row: RegExp, target: string, days: number, batchSize = 10_000): Promise<void> {
  service.pacing.held = true;
  await openWizard(page, row);
  await chooseDays(wizard, days);
  await wizard.getByText('Advanced').click();
  await wizard.getByLabel('Batch size').fill(String(batchSize));
  await dryRun(wizard);
  await deleteButton(wizard).click();
  await confirmDeletion(page, target);
  await shownTaskId(wizard);
}

function polls(): number {
  return service.requests.filter(({ path }) => path.includes('getEsTaskStatus')).length;
}

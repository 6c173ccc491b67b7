// A reload of the window loses no connection, no running task and no half-filled plan.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from './harness/conditions.ts';
import { runCommand } from './harness/quickInput.ts';
import { openStage } from './harness/stage.ts';
import { browserStores, placesWith } from './harness/traces.ts';
import { expandRow, treeRow } from './harness/tree.ts';
import { webviewPage } from './harness/webview.ts';
import { reloadWorkbench } from './harness/workbench.ts';
import { addConnection, connectionRow } from './steps/connections.ts';
import { assertRows, cutOffOf, executeRequests } from './steps/service.ts';
import { chooseDays, confirmDeletion, deleteButton, dryRun, fact, openWizard } from './steps/wizard.ts';

const { service, database, page } = await openStage({ story: true });
const { admin } = service.users;
const rowsBefore = database.rows('dataset', 'operation');
let cutOff = 0;

test('before: a task that runs, and a wizard that is half filled in', async () => {
  await addConnection(page, { address: service.frontUrl, actor: 'admin', token: admin.token, name: 'Kept' });
  await expandRow(page, /^Time series indices/);
  service.pacing.held = true;
  const running = await openWizard(page, /^dataset, operation,/);
  await chooseDays(running, 365);
  await dryRun(running);
  await deleteButton(running).click();
  await confirmDeletion(page, 'dataset/operation');
  await fact(running, 'Task ID').waitFor();
  cutOff = cutOffOf(executeRequests(service)[0]);
  await runCommand(page, 'View: Close All Editors');

  const halfFilled = await openWizard(page, /^datajob, operation,/);
  await halfFilled.getByLabel('Date', { exact: true }).fill('2025-03-04');
  await halfFilled.getByLabel('Time', { exact: true }).fill('05:06');
  await halfFilled.getByText('Advanced').click();
  await halfFilled.getByLabel('Batch size').fill('123');
  await halfFilled.getByLabel('Timeout in seconds').fill('not yet');
  await keptByBrowser('not yet');
});

test('the connection is there, and still signed in', async () => {
  service.clearRequests();
  await reloadWorkbench(page);
  await connectionRow(page, 'Kept').waitFor();
  await treeRow(page, /^Access tokens \d+/).waitFor();
  const asked = service.requests.filter(({ path }) => path.includes('graphql'));
  assert.ok(asked.length > 0);
  assert.ok(asked.every(({ headers }) => headers.authorization === `Bearer ${admin.token}`));
});

test('the half-filled plan is there, what is wrong in it too', async () => {
  const wizard = webviewPage(page);
  await wizard.getByRole('heading', { name: 'Truncate time series index' }).waitFor();
  assert.equal(await wizard.getByLabel('Entity type').inputValue(), 'datajob');
  assert.equal(await wizard.getByLabel('Aspect').inputValue(), 'operation');
  assert.equal(await wizard.getByLabel('Date', { exact: true }).inputValue(), '2025-03-04');
  assert.equal(await wizard.getByLabel('Time', { exact: true }).inputValue(), '05:06');
  assert.equal(await wizard.getByLabel('Batch size').inputValue(), '123');
  assert.equal(await wizard.getByLabel('Timeout in seconds').inputValue(), 'not yet');

  await wizard.getByLabel('Timeout in seconds').fill('60');
  const report = await dryRun(wizard);
  assert.equal(report.rowsTotal, database.rows('datajob', 'operation').length);
});

test('a plan that was changed while its wizard was hidden behind another tab is not lost either', async () => {
  const wizard = webviewPage(page);
  await wizard.getByLabel('Batch size').fill('77');
  await runCommand(page, 'File: New Untitled Text File');
  await page.locator('.monaco-editor').first().waitFor();
  await runCommand(page, 'View: Close Editor');
  await wizard.getByRole('heading', { name: 'Truncate time series index' }).waitFor();
  assert.equal(await wizard.getByLabel('Batch size').inputValue(), '77');
  // It was changed after the dry run: there is nothing to execute any more.
  await wizard.getByRole('button', { name: 'Dry Run' }).waitFor();
  assert.equal(await wizard.getByRole('heading', { name: 'Dry run' }).count(), 0);
  await runCommand(page, 'View: Close All Editors');
});

test('the task goes on, and ends in the tree with no wizard open', async () => {
  await treeRow(page, /^Truncations 1 running/).waitFor();
  await treeRow(page, /^dataset\/operation, Deleting: 0 of/).waitFor();
  service.pacing.held = false;
  await treeRow(page, /^dataset\/operation, Finished: [\d,]+ rows deleted/).waitFor();
  const kept = rowsBefore.filter(({ timestampMillis }) => timestampMillis > cutOff);
  assertRows(database.rows('dataset', 'operation'), kept, 'what is newer than the cut-off is left');
});

test('the wizard of a running task follows it over a reload to its end', async () => {
  service.pacing.held = true;
  await expandRow(page, /^Time series indices/);
  const wizard = await openWizard(page, /^datajob, datahubingestionrunsummary,/);
  await chooseDays(wizard, 365);
  await dryRun(wizard);
  await deleteButton(wizard).click();
  await confirmDeletion(page, 'datajob/datahubingestionrunsummary');
  const taskId = await fact(wizard, 'Task ID').locator('code').innerText();
  await keptByBrowser('recordId');

  await reloadWorkbench(page);
  await wizard.getByRole('heading', { name: 'Task' }).waitFor();
  assert.equal(await fact(wizard, 'Task ID').locator('code').innerText(), taskId);
  service.pacing.held = false;
  await wizard.getByText(/^Finished: [\d,]+ rows deleted\.$/).first().waitFor();
  await treeRow(page, /^datajob\/datahubingestionrunsummary, Finished/).waitFor();
  assert.equal(executeRequests(service).length, 1, 'nothing was sent again');
});

/** A VS Code in the browser writes down its editors every few seconds, and not when the page is left: that would be lost. */
async function keptByBrowser(text: string): Promise<void> {
  await eventually(async () => assert.match(placesWith(await browserStores(page), text).join('\n'), /workbench\.parts\.editor/));
}

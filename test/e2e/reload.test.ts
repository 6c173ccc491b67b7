// A reload of the window loses no connection, no running task and no half-filled plan, and no truncation that was just being sent.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { eventually } from './harness/conditions.ts';
import { clearNotifications } from './harness/dialogs.ts';
import { runCommand } from './harness/quickInput.ts';
import { openStage } from './harness/stage.ts';
import { browserStores, placesWith } from './harness/traces.ts';
import { expandRow, treeRow } from './harness/tree.ts';
import { webviewPage } from './harness/webview.ts';
import { controlFocus, lookAway } from './harness/windows.ts';
import { reloadWorkbench } from './harness/workbench.ts';
import { addConnection, connectionRow } from './steps/connections.ts';
import { assertRows, cutOffOf, executeRequests } from './steps/service.ts';
import { chooseDays, confirmDeletion, deleteButton, dryRun, fact, openWizard, unfoldChoices } from './steps/wizard.ts';

const { service, database, page, person, vscode } = await openStage();
const { admin } = service.users;
await controlFocus(person);
await addConnection(page, { address: service.frontUrl, actor: 'admin', token: admin.token, name: 'Kept' });
await treeRow(page, /^Time series indices \d+ MB/).waitFor();

beforeEach(async () => {
  service.pacing.held = false;
  service.clearRequests();
  await runCommand(page, 'View: Close All Editors');
  await clearNotifications(page);
  await expandRow(page, /^Time series indices/);
});

test('the connection is there and still signed in, and so is a half-filled plan, what is wrong in it too', async () => {
  const wizard = await openWizard(page, /^datajob, operation,/);
  await wizard.getByLabel('Date', { exact: true }).fill('2025-03-04');
  await wizard.getByLabel('Time', { exact: true }).fill('05:06');
  await wizard.getByText('Advanced').click();
  await wizard.getByLabel('Batch size').fill('123');
  await wizard.getByLabel('Timeout in seconds').fill('not yet');
  await kept('not yet', /workbench\.parts\.editor/, /metadata-service-tools/);

  service.clearRequests();
  await reloadWorkbench(page);
  await connectionRow(page, 'Kept').waitFor();
  await treeRow(page, /^Access tokens \d+/).waitFor();
  const asked = service.requests.filter(({ path }) => path.includes('graphql'));
  assert.ok(asked.length > 0);
  assert.ok(asked.every(({ headers }) => headers.authorization === `Bearer ${admin.token}`));
  await wizard.getByRole('heading', { level: 1, name: /^Truncate / }).waitFor();
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
  const wizard = await openWizard(page, /^dataset, datasetprofile,/);
  await chooseDays(wizard, 365);
  await wizard.getByText('Advanced').click();
  await wizard.getByLabel('Batch size').fill('123');
  await dryRun(wizard);
  await unfoldChoices(wizard);
  await wizard.getByLabel('Batch size').fill('77');
  await runCommand(page, 'File: New Untitled Text File');
  await page.locator('.monaco-editor').first().waitFor();
  await runCommand(page, 'View: Close Editor');
  await wizard.getByRole('heading', { level: 1, name: /^Truncate / }).waitFor();
  assert.equal(await wizard.getByLabel('Batch size').inputValue(), '77');
  // It was changed after the dry run: there is nothing to execute any more.
  await wizard.getByRole('button', { name: 'Dry Run' }).waitFor();
  assert.equal(await wizard.getByRole('heading', { name: 'Dry run' }).count(), 0);
});

test('running tasks go on, one in the tree with no wizard open, one in its wizard', async () => {
  const before = database.rows('dataset', 'operation');
  service.pacing.held = true;
  const wizard = await openWizard(page, /^dataset, operation,/);
  await chooseDays(wizard, 365);
  await dryRun(wizard);
  await deleteButton(wizard).click();
  await confirmDeletion(page, 'dataset/operation');
  await kept(await taskIdOf(wizard), /metadata-service-tools/);
  await runCommand(page, 'View: Close All Editors');

  await openWizard(page, /^datajob, datahubingestionrunsummary,/);
  await chooseDays(wizard, 365);
  await dryRun(wizard);
  await deleteButton(wizard).click();
  await confirmDeletion(page, 'datajob/datahubingestionrunsummary');
  const taskId = await taskIdOf(wizard);
  // This tab, not the one of the truncation before.
  await kept('datahubingestionrunsummary', /workbench\.parts\.editor/);
  await kept(taskId, /metadata-service-tools/);

  await reloadWorkbench(page);
  await treeRow(page, /^Truncations 2 running/).waitFor();
  await treeRow(page, /^dataset\/operation, Deleting: 0 of/).waitFor();
  await wizard.getByRole('heading', { name: /^Deleting: 0 of / }).waitFor();
  assert.equal(await taskIdOf(wizard), taskId);
  service.pacing.held = false;
  await treeRow(page, /^dataset\/operation, Finished: [\d,]+ rows deleted/).waitFor();
  await wizard
    .getByText(/^Finished: [\d,]+ rows deleted\.$/)
    .first()
    .waitFor();
  await treeRow(page, /^datajob\/datahubingestionrunsummary, Finished/).waitFor();
  const executed = executeRequests(service);
  assert.equal(executed.length, 2, 'nothing was sent again');
  const left = before.filter(({ timestampMillis }) => timestampMillis > cutOffOf(executed[0]));
  assertRows(database.rows('dataset', 'operation'), left, 'what is newer than the cut-off is left');
});

test('a window that is gone the moment its truncation reaches the server is followed by one that shows what was sent', async () => {
  const wizard = await openWizard(page, /^datajob, datahubingestioncheckpoint,/);
  await chooseDays(wizard, 180);
  await dryRun(wizard);
  // The page must be worth restoring.
  await kept('datahubingestioncheckpoint', /workbench\.parts\.editor/);
  await kept('recordId', /workbench\.parts\.editor/);

  service.faults.add({ fault: { kind: 'latency', millis: 600_000 }, match: '"dryRun":false' });
  await deleteButton(wizard).click();
  await confirmDeletion(page, 'datajob/datahubingestioncheckpoint');
  await eventually(() => assert.equal(executeRequests(service).length, 1));
  assert.equal(recordsOf('datahubingestioncheckpoint').length, 1, 'it was written down before it was sent');

  await reloadWorkbench(page);
  // The window that sent it could still be waiting for the answer, for all that this one knows.
  await wizard.getByText('Sending…').first().waitFor();
  assert.equal(await wizard.getByRole('button', { name: 'Dry Run', exact: true }).count(), 0);
  await treeRow(page, /^datajob\/datahubingestioncheckpoint, /).waitFor();
  assert.equal(executeRequests(service).length, 1, 'nothing was sent again');

  // What the server did meanwhile is told once somebody asks.
  await wizard.getByRole('button', { name: 'Check Now' }).click();
  await wizard
    .getByText(/^Finished: [\d,]+ rows deleted\.$/)
    .first()
    .waitFor();
});

async function taskIdOf(wizard: ReturnType<typeof webviewPage>): Promise<string> {
  return (await fact(wizard, 'Task ID').locator('code').innerText()).trim();
}

/**
 * Waits until VS Code has written a text down in each of these places. In a browser it writes when it has nothing else to do,
 * which a busy machine may never grant, and when the window loses the focus: so it does that here.
 */
async function kept(text: string, ...places: readonly RegExp[]): Promise<void> {
  await eventually(async () => {
    await lookAway(page);
    const found = placesWith(await browserStores(page), text).join('\n');
    for (const place of places) assert.match(found, place);
  });
}

/** The records of truncations of an aspect, as files in the extension's own folder. */
function recordsOf(aspect: string): string[] {
  return readdirSync(vscode.userFolder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /globalStorage.*records.*truncation\.[^/\\]*\.json$/.test(path))
    .filter((path) => readFileSync(join(vscode.userFolder, path), 'utf8').includes(aspect));
}

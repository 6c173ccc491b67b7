// What a person hears of a truncation whose page they left, and what its page shows when they come back. One story, and so one test.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from './harness/conditions.ts';
import { answerNotification, notification } from './harness/dialogs.ts';
import { arrowTo } from './harness/keyboard.ts';
import { fromLeftToRight } from './harness/layout.ts';
import { pick, runCommand } from './harness/quickInput.ts';
import { openStage } from './harness/stage.ts';
import { story } from './harness/story.ts';
import { allPlaces, placesWith } from './harness/traces.ts';
import { expandRow } from './harness/tree.ts';
import { webviewPage } from './harness/webview.ts';
import { controlFocus, lookAway } from './harness/windows.ts';
import { openViewContainer, reloadWorkbench } from './harness/workbench.ts';
import { addConnection } from './steps/connections.ts';
import { executeRequests } from './steps/service.ts';
import { chooseDays, confirmDeletion, deleteButton, dryRun, openWizard } from './steps/wizard.ts';

const { service, database, page, person, vscode } = await openStage();
await controlFocus(person);
const wizard = webviewPage(page);
/** In Hebrew: the number that follows it in a sentence is to stay behind it. */
const CONNECTION = 'שרת';
const running = notification(page, /Truncating dataset \/ operation on שרת\u200E: 0 of [\d,]+ rows deleted\./);

const { step, tell } = story();
test('a person leaves the page of a truncation, and hears how it ends', tell);

step('sees no notification while the page is in front', async () => {
  await addConnection(page, {
    address: service.frontUrl,
    actor: 'admin',
    token: service.adminToken,
    name: CONNECTION,
  });
  await expandRow(page, /^Time series indices/);
  await send(/^dataset, operation,/, 'dataset/operation');
  await wizard.getByRole('heading', { name: /^Deleting: 0 of [\d,]+ rows\.$/ }).waitFor();
  assert.equal(await notification(page, /./).count(), 0);
});

step('sees one once page and tree are out of sight, and its task is asked for', async () => {
  await openViewContainer(page, 'Explorer');
  await runCommand(page, 'File: New Untitled Text File');
  await running.waitFor();
  await running.filter({ hasText: 'Cancel only stops watching; the deletion continues.' }).waitFor();
  await eventually(async () =>
    assert.match(
      await fromLeftToRight(running.locator('.notification-list-item-message')),
      /^Truncatingdataset\/operationonתרש:0of/,
    ),
  );
  assert.equal(await notification(page, /./).count(), 1);
  const before = polls();
  await eventually(() => assert.ok(polls() > before));
});

step('has it only while the page is out of sight', async () => {
  await runCommand(page, 'View: Close Editor');
  await running.waitFor({ state: 'detached' });
  await runCommand(page, 'File: New Untitled Text File');
  await running.waitFor();
});

step('is told the end with rows and space, once', async () => {
  const before = database.rows('dataset', 'operation').length;
  service.pacing.held = false;
  const told = notification(page, /Truncated dataset \/ operation on שרת\u200E: [\d,]+ rows deleted\./);
  await told.filter({ hasText: /Size: [\d.]+ .?B before, [\d.]+ .?B now\./ }).waitFor();
  const gone = before - database.rows('dataset', 'operation').length;
  await told.filter({ hasText: `: ${gone.toLocaleString('en')} rows deleted.` }).waitFor();
  await running.waitFor({ state: 'detached' });
  assert.equal(await notification(page, /./).count(), 1);
  assert.equal(executeRequests(service).length, 1);
});

step('opens its page at the outcome, with the plan in one line below', async () => {
  await runCommand(page, 'View: Close All Editors');
  await answerNotification(page, 'Truncated dataset / operation', 'Show');
  const outcome = wizard.getByRole('heading', { name: /^Finished: [\d,]+ rows deleted\.$/ });
  await outcome.and(wizard.locator(':focus')).waitFor();
  const plan = wizard.locator('summary', { hasText: /^Rows up to .* · Automatic · batches of 10,000$/ });
  const [outcomeBox, planBox] = [await outcome.boundingBox(), await plan.boundingBox()];
  assert.ok(outcomeBox !== null && planBox !== null && outcomeBox.y < planBox.y);
  assert.equal(await wizard.getByRole('textbox').count(), 0, 'there is no form');
  assert.equal(await wizard.getByRole('radio').count(), 0);

  await wizard.getByText('Server response').waitFor({ state: 'hidden' });
  // Past the ID of the task and the receipt.
  await arrowTo(page, () => plan.evaluate((line) => line === document.activeElement), 'Tab');
  await page.keyboard.press('Enter');
  await wizard.getByText('Server response').waitFor();
});

step('stops watching with Cancel, and the deletion goes on', async () => {
  await runCommand(page, 'View: Close All Editors');
  await openViewContainer(page, 'Metadata Service');
  await send(/^datajob, operation,/, 'datajob/operation');
  await openViewContainer(page, 'Explorer');
  await runCommand(page, 'View: Close All Editors');
  const shown = notification(page, 'Truncating datajob / operation');
  await answerNotification(page, 'Truncating datajob / operation', 'Cancel');
  await shown.waitFor({ state: 'detached' });
  const before = database.rows('datajob', 'operation').length;
  service.pacing.held = false;
  await eventually(() => assert.ok(database.rows('datajob', 'operation').length < before));
  assert.equal(await notification(page, /./).count(), 0);
});

step('after a reload is told only on request, with the next step of one that failed', async () => {
  service.pacing.failAfterBatches = 1;
  await openViewContainer(page, 'Metadata Service');
  await send(/^datajob, datahubingestionrunsummary,/, 'datajob/datahubingestionrunsummary', 50);
  await openViewContainer(page, 'Explorer');
  await runCommand(page, 'View: Close All Editors');
  await notification(page, 'Truncating datajob / datahubingestionrunsummary').waitFor();
  // Else the page would come back with the window.
  await eventually(async () => {
    await lookAway(page);
    const open = placesWith(await allPlaces(vscode, page), 'recordId');
    assert.deepEqual(
      open.filter((where) => where.includes('workbench.parts.editor')),
      [],
    );
  });
  await reloadWorkbench(page);
  service.clearRequests();
  // Until it is there the palette does not know the extension's commands.
  await page.locator('.part.activitybar').getByRole('tab', { name: 'Metadata Service' }).waitFor();
  await runCommand(page, 'Metadata Service (DataHub): Notify When Truncation Ends');
  // Nothing was asked before that, and nothing is until one is chosen.
  assert.equal(polls(), 0);
  await pick(page, 'datajob/datahubingestionrunsummary');
  await notification(page, 'Truncating datajob / datahubingestionrunsummary').waitFor();
  service.pacing.held = false;
  await notification(page, /The truncation of datajob \/ datahubingestionrunsummary on שרת\u200E failed\./)
    .filter({ hasText: /The task ended early, after 50 of \d+ rows\. .*(Run the dry run again|Ask an administrator)/ })
    .waitFor();
});

/** Truncates an index by its wizard: its task stands still until it is let go on. */
async function send(row: RegExp, target: string, batchSize = 10_000): Promise<void> {
  service.pacing.held = true;
  await openWizard(page, row);
  await chooseDays(wizard, 365);
  await wizard.getByText('Advanced').click();
  await wizard.getByLabel('Batch size').fill(String(batchSize));
  await dryRun(wizard);
  await deleteButton(wizard).click();
  await confirmDeletion(page, target);
  await wizard.getByText('Task ID').waitFor();
}

function polls(): number {
  return service.requests.filter(({ path }) => path.includes('getEsTaskStatus')).length;
}

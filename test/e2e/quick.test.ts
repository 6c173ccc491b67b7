// "Truncate Index (Quick)": the same as in the wizard with what VS Code has itself. One story, and so
// one test.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from './harness/conditions.ts';
import { answerModal, answerNotification, modal, notification } from './harness/dialogs.ts';
import {
  acceptQuickInput,
  cutOffRows,
  fillQuickInput,
  pick,
  quickInput,
  quickInputAsking,
  quickInputButton,
  quickInputMessage,
  quickPickRow,
  runCommand,
} from './harness/quickInput.ts';
import type { LoggedRequest } from '../service/requestLog.ts';
import { openStage } from './harness/stage.ts';
import { story } from './harness/story.ts';
import { treeRow } from './harness/tree.ts';
import { webviewPage } from './harness/webview.ts';
import { addConnection, answerStep } from './steps/connections.ts';
import { assertRows, cutOffOf, dryRunRequests, executeRequests } from './steps/service.ts';
import { fact, typeTarget } from './steps/wizard.ts';

const { service, database, page } = await openStage();
const HOUR = 3_600_000;
const WHICH_ROWS = 'Select the rows to delete';
const WHICH_OPTION = 'Select an option to change';
const LAST_24_HOURS = 'This cut-off is less than 24 hours ago. Very recent rows will be deleted too.';
const NOT_YET = 'Nothing has been deleted yet';
const before = database.rows('dataset', 'operation');

const { step, tell } = story();
test('a person truncates an index by the quick flow', tell);

step('asks for the index and says what is wrong with a cut-off before anything is sent', async () => {
  await addConnection(page, { address: service.frontUrl, actor: 'admin', token: service.adminToken, name: 'Quick' });
  await runCommand(page, 'Metadata Service (DataHub): Truncate Index (Quick)...');
  await pick(page, 'dataset/operation');
  await pick(page, 'Another date and time…');
  await quickInputMessage(page).filter({ hasText: 'Deletes rows up to this time.' }).waitFor();
  await fillQuickInput(page, '2026-02-31 10:00');
  await quickInputMessage(page).filter({ hasText: 'Enter a date and time as YYYY-MM-DD HH:MM.' }).waitFor();
  await fillQuickInput(page, '1969-01-01');
  await quickInputMessage(page).filter({ hasText: 'Enter a date after 1 January 1970.' }).waitFor();
  assert.equal(dryRunRequests(service).length, 0);
});

step('goes back from every step to the one before', async () => {
  await quickInputButton(page, 'Back').click();
  await quickInputAsking(page, WHICH_ROWS).waitFor();
  await pick(page, 'Options…');
  await quickInputAsking(page, WHICH_OPTION).waitFor();
  await pick(page, 'Batch size');
  await quickInputMessage(page).filter({ hasText: 'Rows deleted per batch.' }).waitFor();
  await quickInputButton(page, 'Back').click();
  await quickInputAsking(page, WHICH_OPTION).waitFor();
  await quickInputButton(page, 'Back').click();
  await quickInputAsking(page, WHICH_ROWS).waitFor();

  await pick(page, 'Another date and time…');
  await answerStep(page, 'Deletes rows up to this time.', anHourAgo());
  await quickInputAsking(page, LAST_24_HOURS).waitFor();
  await quickInputButton(page, 'Back').click();
  await quickInputAsking(page, WHICH_ROWS).waitFor();
  assert.equal(await quickInputButton(page, 'Back').count(), 0, 'there is nothing before the first step');
});

step('takes no cut-off of the last 24 hours without a second yes', async () => {
  await pick(page, 'Another date and time…');
  await answerStep(page, 'Deletes rows up to this time.', anHourAgo());
  await quickInputAsking(page, LAST_24_HOURS).waitFor();
  assert.equal(await quickInput(page).locator('.monaco-list-row').count(), 1, 'yes is the only way on');
  await pick(page, 'Yes, Use This Cut-Off');
  await quickInputAsking(page, NOT_YET).waitFor();
  // Nearly all of the rows go: the dangerous way is told, and the whole of it is seen.
  await quickPickRow(page, /^\s*Reindex$/).waitFor();
  // VS Code reads the name of an icon too, also of the one that only indents.
  const told = (await offeredRows()).map((row) => row.replace(/^blank\s+/, '')).join(' ');
  assert.match(
    told,
    /They're hidden from readers until the copy finishes\. If it fails, an administrator has to restore/,
  );
  assert.match(told, /This was a dry run\. Run with dryRun = false to execute\./);
  assert.deepEqual(await cutOffRows(page), []);
  assert.equal(dryRunRequests(service).length > 0, true);
  assert.ok(cutOffOf(dryRunRequests(service)[0]) > Date.now() - 2 * HOUR);
});

step('changes the options and dry-runs the plan anew', async () => {
  const dryRuns = dryRunRequests(service).length;
  await pick(page, 'Edit Options…');
  await pick(page, 'Batch size');
  await quickInputMessage(page).filter({ hasText: 'Rows deleted per batch.' }).waitFor();
  await fillQuickInput(page, '0');
  await quickInputMessage(page).filter({ hasText: 'Enter a whole number from 1 to' }).waitFor();
  await fillQuickInput(page, '500');
  await acceptQuickInput(page);
  await quickInputAsking(page, WHICH_OPTION).waitFor();
  await pick(page, 'Timeout');
  await answerStep(page, 'Timeout in seconds.', '60');
  await quickInputAsking(page, WHICH_OPTION).waitFor();
  await pick(page, 'Strategy');
  await pick(page, 'Delete by query');
  await quickInputAsking(page, WHICH_OPTION).waitFor();
  await pick(page, 'Done');
  await quickInputAsking(page, NOT_YET).waitFor();
  await quickPickRow(page, /^\s*Delete by query$/).waitFor();
  const sent = dryRunRequests(service).slice(dryRuns).map(bodyOf);
  assert.ok(sent.some((body) => body['batchSize'] === 500 && body['timeoutSeconds'] === 60));
});

step('offers the longest age first, and takes it with one Enter', async () => {
  await pick(page, 'Change Cut-Off…');
  await quickInputAsking(page, WHICH_ROWS).waitFor();
  const offered = await offeredRows();
  assert.deepEqual(
    offered.slice(0, 4).map((row) => /^Older than \d+ days/.exec(row)?.[0]),
    [365, 180, 90, 30].map((days) => `Older than ${days} days`),
  );
  await page.keyboard.press('Enter');
  await quickInputAsking(page, NOT_YET).waitFor();
  const cutOff = cutOffOf(dryRunRequests(service).at(-1));
  assert.ok(Math.abs(cutOff - (Date.now() - 365 * 24 * HOUR)) < 24 * HOUR);
});

step('deletes nothing by an Enter too many', async () => {
  const result = quickPickRow(page, /rows would be deleted \(/);
  await result.waitFor();
  await eventually(async () => assert.match((await result.getAttribute('class')) ?? '', /\bfocused\b/));
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  // What comes next in the list is no deletion either; it has to be gone to.
  await quickInputAsking(page, NOT_YET).waitFor();
  assert.match((await result.getAttribute('class')) ?? '', /\bfocused\b/);
  assert.equal(executeRequests(service).length, 0);
});

step('leaves without having deleted anything, at either question', async () => {
  await pick(page, /Delete [\d,]+ Rows…/);
  await cancelTyping();
  await pick(page, /Delete [\d,]+ Rows…/);
  await typeTarget(page, 'dataset/operation');
  await answerModal(page, 'Cancel');
  await quickInputAsking(page, NOT_YET).waitFor();
  assert.equal(executeRequests(service).length, 0);
  assertRows(database.rows('dataset', 'operation'), before, 'nothing was deleted');
});

step('executes once, and shows how far it is in one notification', async () => {
  service.pacing.held = true;
  await pick(page, /Delete [\d,]+ Rows…/);
  await typeTarget(page, 'dataset/operation');
  await modal(page).waitFor();
  await answerModal(page, /^Delete [\d,]+ Rows$/);
  await notification(page, /Truncating dataset \/ operation on Quick: /).waitFor();
  await eventually(async () => assert.equal(await notification(page, /operation/).count(), 1));
});

step('tells its end with rows and space, and shows it in its wizard', async () => {
  service.pacing.held = false;
  await notification(page, /Truncated dataset \/ operation on Quick: [\d,]+ rows deleted\. Size: /).waitFor();
  await eventually(async () => assert.equal(await notification(page, /operation/).count(), 1, 'the progress is gone'));
  await treeRow(page, /^dataset\/operation, Finished: [\d,]+ rows deleted/).waitFor();
  assert.equal(executeRequests(service).length, 1);
  const body = bodyOf(executeRequests(service)[0]);
  assert.deepEqual([body['batchSize'], body['timeoutSeconds']], [500, 60]);
  const cutOff = cutOffOf(executeRequests(service)[0]);
  const kept = before.filter(({ timestampMillis }) => timestampMillis > cutOff);
  assertRows(database.rows('dataset', 'operation'), kept, 'what is newer than the cut-off is left');

  const wizard = webviewPage(page);
  await answerNotification(page, /Truncated/, 'Show', fact(wizard, 'Task ID'));
  await eventually(async () =>
    assert.equal((await fact(wizard, 'Task ID').locator('code').innerText()).trim(), service.tasks()[0]?.id),
  );
});

/** What a screen reader says of the rows, in their order: VS Code keeps them in the page in another. */
async function offeredRows(): Promise<string[]> {
  const rows = await quickInput(page)
    .locator('.monaco-list-row')
    .evaluateAll((elements) =>
      elements.map((row) => ({
        place: Number(row.getAttribute('data-index')),
        text: row.getAttribute('aria-label') ?? '',
      })),
    );
  return rows.toSorted((a, b) => a.place - b.place).map(({ text }) => text);
}

function bodyOf(request: LoggedRequest | undefined): Record<string, unknown> {
  return JSON.parse(request?.body ?? '{}') as Record<string, unknown>;
}

function anHourAgo(): string {
  return `${new Date(Date.now() - HOUR).toISOString().slice(0, 16)}Z`;
}

/** Leaves the question for the name, and waits for the report that is there again. */
async function cancelTyping(): Promise<void> {
  await quickInput(page).locator('.quick-input-title', { hasText: 'Delete Rows of dataset/operation' }).waitFor();
  await page.keyboard.press('Escape');
  await quickInputAsking(page, NOT_YET).waitFor();
}

// A dry run under review: it can become outdated, be left for its plan again, and be deleted from, without anything
// moving on the page.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { axeViolations } from './harness/axe.ts';
import { eventually } from './harness/conditions.ts';
import { answerModal, clipboardText } from './harness/dialogs.ts';
import { inOrder } from './harness/inOrder.ts';
import { acceptQuickInput, cancelQuickInput, fillQuickInput, pick, quickInputStep } from './harness/quickInput.ts';
import { openStage } from './harness/stage.ts';
import { chooseFromRow, expandRow } from './harness/tree.ts';
import { webviewPage } from './harness/webview.ts';
import { addConnection, chooseRole } from './steps/connections.ts';
import { executeRequests } from './steps/service.ts';
import {
  chooseDate,
  confirmDeletion,
  deleteButton,
  dryRun,
  fact,
  finished,
  openWizard,
  questionOf,
  shownTaskId,
} from './steps/wizard.ts';

const { service, page } = await openStage();
await addConnection(page, { address: service.frontUrl, actor: 'admin', token: service.adminToken, name: 'Main' });
await expandRow(page, /^Time series indices/);
const wizard = webviewPage(page);
const primary = wizard.locator('#primary');
/** A cutoff by days moves with each minute, and is then another plan. */
const A_YEAR_AGO = new Date(Date.now() - 365 * 86_400_000).toISOString().slice(0, 10);
/** Positions of the title in each state. */
const places: string[] = [];

suite('A dry run under review', () => {
  inOrder();

  test('is outdated after the role changed: its figures stay, its delete button is gone, and nothing failed', async () => {
    await openWizard(page, /^dataset, operation,/);
    await chooseDate(wizard, A_YEAR_AGO);
    await notePlaces();
    const { rowsToDelete } = await dryRun(wizard);
    await notePlaces();
    await chooseRole(page, 'Main', 'Production');
    await wizard.getByRole('heading', { name: 'Outdated dry run' }).waitFor();
    await wizard.getByText("The connection's role has changed since the dry run.").first().waitFor();
    assert.equal(await primary.innerText(), 'Dry Run Again');
    assert.equal(await deleteButton(wizard).count(), 0);
    assert.equal(await wizard.locator('.callout.error').count(), 0);
    const shown = await fact(wizard, 'Rows to delete').innerText();
    assert.equal(Number(shown.replaceAll(/\D/g, '')), rowsToDelete);
    assert.deepEqual(await axeViolations(wizard), []);
    await notePlaces();
    await dryRun(wizard);
    await deleteButton(wizard).waitFor();
  });

  test('is outdated after signing out: it offers to sign in, and a dry run that fails leaves its figures', async () => {
    const shown = await fact(wizard, 'Rows to delete').innerText();
    const signIn = wizard.getByRole('button', { name: 'Sign In…' });
    await chooseFromRow(page, /^Main/, 'Sign Out');
    await answerModal(page, 'Sign Out');
    await wizard.getByText('The sign-in has changed since the dry run.').first().waitFor();
    await signIn.waitFor();
    assert.equal(await wizard.locator('.callout.error').count(), 0);
    assert.deepEqual(await axeViolations(wizard), []);
    await primary.filter({ hasText: 'Dry Run Again' }).click();
    await wizard.locator('#failure-heading').waitFor();
    await wizard.getByRole('heading', { name: 'Outdated dry run' }).waitFor();
    assert.equal(await fact(wizard, 'Rows to delete').innerText(), shown);
    assert.equal(await signIn.count(), 1);
    assert.equal(await deleteButton(wizard).count(), 0);
    assert.deepEqual(await axeViolations(wizard), []);
    await signIn.click();
    await fillQuickInput(page, service.adminToken);
    await acceptQuickInput(page);
    await wizard.locator('#failure-heading').waitFor({ state: 'detached' });
    await signIn.waitFor({ state: 'detached' });
    assert.equal(await fact(wizard, 'Rows to delete').innerText(), shown);
    await dryRun(wizard);
    await deleteButton(wizard).waitFor();
  });

  test('can be left for its plan by keyboard, with all that was entered', async () => {
    await wizard.getByRole('button', { name: 'Back', exact: true }).focus();
    await page.keyboard.press('Enter');
    await wizard.locator('#date:focus').waitFor();
    assert.equal(await wizard.getByRole('button', { name: 'Back', exact: true }).count(), 0);
    assert.equal(await wizard.locator('#report-heading').count(), 0);
    assert.equal(await wizard.getByLabel('Date', { exact: true }).inputValue(), A_YEAR_AGO);
    assert.equal(await deleteButton(wizard).count(), 0);
    await dryRun(wizard);
  });

  test("can't be left while its question is open or its request is under way", async () => {
    await chooseRole(page, 'Main', 'Development');
    await answerModal(page, 'Change Role');
    await primary.filter({ hasText: 'Dry Run Again' }).click();
    await deleteButton(wizard).waitFor();
    await deleteButton(wizard).click();
    await questionOf(page, 'dataset/operation');
    assert.equal(await wizard.getByRole('button', { name: 'Back', exact: true }).count(), 0);
    await notePlaces();
    await cancelQuickInput(page);
    await wizard.getByRole('button', { name: 'Back', exact: true }).waitFor();

    const answer = Promise.withResolvers<void>();
    service.faults.add({ fault: { kind: 'held', until: answer.promise }, match: 'truncateTimeseriesAspect' });
    service.pacing.held = true;
    await deleteButton(wizard).click();
    await confirmDeletion(page, 'dataset/operation');
    await wizard.getByRole('progressbar', { name: 'Waiting for the server…' }).waitFor();
    assert.equal(await wizard.getByRole('button', { name: 'Back', exact: true }).count(), 0);
    await notePlaces();
    answer.resolve();
  });

  test('once it runs, shows how long and that it can not be stopped; leaving the page is no primary button', async () => {
    await wizard.getByText(/^Running for .*\. It can't be stopped from here\.$/).waitFor();
    assert.equal(await primary.innerText(), 'Close');
    assert.equal(await primary.getAttribute('class'), 'secondary');
    await notePlaces();
    service.pacing.held = false;
    await finished(wizard);
    await notePlaces();
    assert.equal(executeRequests(service).length, 1);
  });

  test('has not moved its title by a pixel', () => {
    assert.equal(places.length, 7);
    assert.deepEqual(new Set(places).size, 1, places.join('\n'));
  });

  test('has a receipt to choose a format of, by keyboard, whose task ID works when it is copied', async () => {
    await wizard.getByRole('button', { name: 'Receipt…' }).focus();
    await page.keyboard.press('Enter');
    await quickInputStep(page, 'Receipt');
    await pick(page, 'Copy as Markdown');
    const taskId = await shownTaskId(wizard);
    await eventually(async () => assert.ok((await clipboardText(page)).includes(`\n- Task ID: \`${taskId}\`\n`)));
  });
});

async function notePlaces(): Promise<void> {
  const { x, y } = (await wizard.locator('h1').boundingBox()) ?? {};
  places.push(`${x}, ${y}`);
}

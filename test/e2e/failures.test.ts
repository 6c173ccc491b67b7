// Failures are shown where they happened, with the next step, changes are never sent twice, and help is in a menu.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { startService } from '../service/main.ts';
import { axeViolations } from './harness/axe.ts';
import { eventually } from './harness/conditions.ts';
import { answerModal, clipboardText } from './harness/dialogs.ts';
import { acceptQuickInput, fillQuickInput, pick, runCommand } from './harness/quickInput.ts';
import { openStage, THEMES } from './harness/stage.ts';
import { chooseFromMenu, chooseFromRow, expandRow, pressRow, refreshTree, rowHover, treeRow } from './harness/tree.ts';
import { webviewPage } from './harness/webview.ts';
import { reloadWorkbench } from './harness/workbench.ts';
import { addConnection, removeConnection } from './steps/connections.ts';
import { assertRows, cutoffOf, executeRequests } from './steps/service.ts';
import { chooseDate, chooseDays, confirmDeletion, deleteButton, dryRun, finished, openWizard } from './steps/wizard.ts';

const DAY_MS = 86_400_000;
const NO_ANSWER = 'No response was received, so the deletion may or may not have started.';

const { service, database, page } = await openStage({
  vscode: { builtIn: [...THEMES, 'markdown-basics', 'markdown-language-features'] },
});
const wizard = webviewPage(page);

beforeEach(async () => {
  service.clearRequests();
  await runCommand(page, 'View: Close All Editors');
});

test('a server that is down is a row with a next step, and recovers after that step', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'metadata-service-down-'));
  const options = { rows: 1_000, database: join(folder, 'service.db') } as const;
  let server = await startService(options);
  t.after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });
  const { port, host } = new URL(server.url);
  await addConnection(page, { address: host, token: server.adminToken, name: 'Down' });
  await expandRow(page, /^Access tokens/);
  const tokens = treeRow(page, /never expires/).first();
  await tokens.waitFor();
  await server.close();
  const failure = treeRow(
    page,
    `Failure: Can't reach host. Can't reach ${host}. Check that the server is running and that the address and port are correct.`,
  );
  await refreshTree(page, failure);
  // Loaded rows stay, with their age. The row of the connection has an icon, for users who collapse it.
  await treeRow(page, /^Access tokens \d+ · as of \d/).waitFor();
  await treeRow(page, /^Down, Can't reach host$/).waitFor();
  const hover = await rowHover(page, /^Failure: Can't reach host/);
  await hover.filter({ hasText: `Can't reach ${host}.` }).waitFor();
  await chooseFromRow(page, /^Failure: Can't reach host/, 'Copy Details for a Report');
  await eventually(async () => assert.match(await clipboardText(page), /^Kind: unreachable$/m));
  for (const told of [server.adminToken, host, 'Down']) assert.ok(!(await clipboardText(page)).includes(told));

  server = await startService({ ...options, port: Number(port) });
  await pressRow(page, /^Failure: Can't reach host/, async () => !(await failure.isVisible()));
  await tokens.waitFor();
  await treeRow(page, /^Down$/).waitFor();
  await removeConnection(page, 'Down');

  // For the tests below.
  await addConnection(page, { address: service.frontUrl, token: service.adminToken, name: 'Main' });
  await expandRow(page, /^Time series indices/);
});

test('a dry run is outdated once the user has signed out, and nothing can be deleted before they sign in', async () => {
  await openWizard(page, /^dataset, operation,/);
  // A cutoff by days moves with each minute, and is then another plan.
  await chooseDate(wizard, new Date(Date.now() - 365 * DAY_MS).toISOString().slice(0, 10));
  await dryRun(wizard);
  await chooseFromRow(page, /^Main/, 'Sign Out');
  await answerModal(page, 'Sign Out');
  await wizard.getByRole('heading', { name: 'The connection has changed since the dry run.' }).waitFor();
  assert.equal(await deleteButton(wizard).count(), 0);
  assert.deepEqual(await axeViolations(wizard), []);
  await wizard.getByRole('button', { name: 'Dry Run', exact: true }).click();
  await wizard.getByRole('button', { name: 'Sign In…' }).click();
  await fillQuickInput(page, service.adminToken);
  await acceptQuickInput(page);
  await wizard.locator('#failure-heading').waitFor({ state: 'detached' });
  await dryRun(wizard);
  await deleteButton(wizard).waitFor();
});

test('a lost response to an execution is reported, nothing is sent again, and counting shows how it ends', async () => {
  const target = 'datajob/datahubingestionrunsummary';
  const rows = () => database.rows('datajob', 'datahubingestionrunsummary');
  const before = rows();
  await openWizard(page, /^dataJob, datahubIngestionRunSummary,/);
  await chooseDays(wizard, 365);
  const { rowsToDelete } = await dryRun(wizard);
  // The deletion arrives and begins, but no row is gone before the window is back.
  service.pacing.held = true;
  service.faults.add({ fault: { kind: 'cutAfter' }, match: '"dryRun":false' });
  await deleteButton(wizard).click();
  await confirmDeletion(page, target);
  await wizard.getByText(NO_ANSWER).first().waitFor();
  const unknown = treeRow(page, `${target}, ${NO_ANSWER}`);
  await unknown.waitFor();

  await reloadWorkbench(page);
  await unknown.waitFor();
  await pressRow(page, new RegExp(`^${target}, `, 'i'), wizard.getByRole('heading', { name: NO_ANSWER }));
  assertRows(rows(), before, 'nothing is deleted yet');
  service.pacing.held = false;
  await wizard.getByRole('button', { name: 'Check Now' }).click();
  await finished(wizard);
  await treeRow(page, `${target}, Finished: ${rowsToDelete.toLocaleString('en')} rows deleted.`).waitFor();
  const [cutoff = 0, ...others] = executeRequests(service).map(cutoffOf);
  assert.deepEqual(others, [], 'nothing was sent again');
  const kept = before.filter(({ timestampMillis }) => timestampMillis > cutoff);
  assertRows(rows(), kept, 'what is newer than the cutoff is left');

  await wizard.getByRole('button', { name: 'Copy Receipt' }).click();
  await eventually(async () => assert.ok((await clipboardText(page)).startsWith(`# Truncation of \`${target}\`\n`)));
  await wizard.getByRole('button', { name: 'New Truncation' }).click();
  await wizard.locator('#days:focus').waitFor();
});

test('the menu of the view opens the help, and the walkthrough knows that there is a connection', async () => {
  await page.locator('.part.sidebar').getByRole('button', { name: 'Views and More Actions...' }).click();
  await chooseFromMenu(page, 'Open Guide');
  const guide = await eventually(() => documentOnPage('Guide'));
  await guide.getByRole('link', { name: 'Troubleshooting' }).first().click();
  await eventually(() => documentOnPage('Troubleshooting'));

  await runCommand(page, 'Welcome: Open Walkthrough...');
  await pick(page, /DataHub/);
  const steps = page.locator('.gettingStartedContainer .getting-started-step');
  await steps.filter({ hasText: 'Connect to your server' }).locator('.codicon.complete').waitFor();
});

/** @throws while no frame shows a document with this heading */
async function documentOnPage(heading: string): Promise<Frame> {
  for (const frame of page.frames()) {
    if ((await frame.locator('h1').allInnerTexts()).includes(heading)) return frame;
  }
  return assert.fail(`no frame shows ${heading}`);
}

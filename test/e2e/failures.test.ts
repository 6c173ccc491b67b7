// Failures are shown where they happened, with the next step, and changes are never sent twice.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { escaped } from '../../tools/escaped.ts';
import { inQuickTime } from '../host/vscode/quickTime.ts';
import { startService } from '../service/main.ts';
import { eventually } from './harness/conditions.ts';
import { answerModal, clearNotifications, clipboardText, modal } from './harness/dialogs.ts';
import { clippedRows, pick, quickInput, quickPickRow, runCommand } from './harness/quickInput.ts';
import { openStage } from './harness/stage.ts';
import {
  chooseFromRow,
  collapseRow,
  expandRow,
  pressRow,
  refreshTree,
  rowHover,
  treeIsQuiet,
  treeRow,
} from './harness/tree.ts';
import {
  addConnection,
  connectionRow,
  describeConnection,
  answerStep,
  enterAddress,
  saveForm,
  removeConnection,
  type Entered,
} from './steps/connections.ts';
import { assertRows, dryRunRequests, executeRequests, requestCount } from './steps/service.ts';
import {
  chooseDays,
  confirmDeletion,
  deleteButton,
  dryRun,
  finished,
  openWizard,
  rowsByAgeCounted,
  shownReport,
  tickCautions,
  unfoldDetails,
} from './steps/wizard.ts';

const { service, database, page } = await openStage();
await addConnection(page, { address: service.frontUrl, actor: 'admin', token: service.adminToken, name: 'Main' });

beforeEach(async () => {
  service.faults.clear();
  service.pacing.held = false;
  service.pacing.batchDelayMillis = 0;
  await runCommand(page, 'View: Close All Editors');
  await clearNotifications(page);
  await expandRow(page, /^Main/);
  await expandRow(page, /^Access tokens/);
  await expandRow(page, /^Time series indices/);
  service.clearRequests();
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
  await withConnection({ address: host, actor: 'admin', token: server.adminToken, name: 'Down' }, async () => {
    await expandRow(page, /^Access tokens/);
    await treeRow(page, /never expires/)
      .first()
      .waitFor();
    await server.close();
    const failure = treeRow(
      page,
      `Failure: Can't reach host. Can't reach ${host}. Check that the server is running and that the address and port are correct.`,
    );
    await refreshTree(page, failure);
    // Loaded rows stay, with their age. The row of the connection shows it too, for users who collapse it.
    await treeRow(page, /^Access tokens \d+ · as of \d/).waitFor();
    await treeRow(page, /^Down Can't reach host$/).waitFor();
    const hover = await rowHover(page, /^Failure: Can't reach host/);
    await hover.filter({ hasText: `Can't reach ${host}.` }).waitFor();
    await chooseFromRow(page, /^Failure: Can't reach host/, 'Copy Details for a Report');
    await eventually(async () => assert.match(await clipboardText(page), /^Kind: unreachable$/m));
    for (const told of [server.adminToken, host, 'Down']) assert.ok(!(await clipboardText(page)).includes(told));

    server = await startService({ ...options, port: Number(port) });
    await pressRow(page, /^Failure: Can't reach host/, async () => !(await failure.isVisible()));
    await treeRow(page, /never expires/)
      .first()
      .waitFor();
    await treeRow(page, /^Down$/).waitFor();
  });
});

test('an address that does not answer is reported in the form, and can be corrected there', async (t) => {
  const server = await startService({ rows: 1_000 });
  t.after(() => server.close().catch(() => undefined));
  const { host } = new URL(server.url);
  await server.close();
  await describeConnection(page, { address: host, actor: 'admin', token: service.adminToken, name: 'Moved' });
  await saveForm(page);
  await quickPickRow(page, "Can't reach host").waitFor();
  const rows = await quickInput(page).locator('.monaco-list-row').allInnerTexts();
  assert.match(rows[0] ?? '', /Can't reach host/);
  assert.match(rows[1] ?? '', new RegExp(escaped(`Can't reach ${host}.`)));
  assert.deepEqual(await clippedRows(page), []);
  await quickPickRow(page, /^\s*Address: /)
    .and(page.locator('.focused'))
    .waitFor();
  await pick(page, /^\s*Address: /);
  await enterAddress(page, service.frontUrl);
  // The token was typed for the other server.
  await answerStep(page, /Access token/, service.adminToken);
  await saveForm(page);
  await connectionRow(page, 'Moved').waitFor();
  await removeConnection(page, 'Moved');
});

test('the result of a connection test can be read in full', async () => {
  await chooseFromRow(page, /^Main/, 'Test Connection');
  await modal(page).waitFor();
  const said = await answerModal(page, 'OK');
  assert.match(said, /^Connected to "Main"\s+DataHub v\S+\nSigned in as admin\nCan create access tokens\n/);
});

test('a slow dry run can be cancelled, and run again at once', async () => {
  const wizard = await openWizard(page, /^dataset, operation,/);
  await rowsByAgeCounted(wizard);
  service.clearRequests();
  service.faults.add({ fault: { kind: 'latency', millis: 300_000 }, match: 'truncateTimeseriesAspect' });
  await chooseDays(wizard, 365);
  await wizard.getByRole('button', { name: /^Dry Run/ }).click();
  await eventually(() => assert.equal(dryRunRequests(service).length, 1));
  await wizard.getByText('Waiting for the server…').first().waitFor();
  await wizard.getByRole('button', { name: 'Cancel' }).click();
  await wizard.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' });
  const report = await dryRun(wizard);
  assert.equal(report.rowsTotal, database.rows('dataset', 'operation').length);
});

test('a lost response to an execution is reported, nothing is sent again, and counting shows how it ends', async () => {
  const before = database.rows('query', 'queryusagestatistics').length;
  service.faults.add({ fault: { kind: 'cutAfter' }, match: '"dryRun":false' });
  service.pacing.batchDelayMillis = 500;
  const wizard = await openWizard(page, /^query, queryUsageStatistics,/);
  await chooseDays(wizard, 365);
  await wizard.getByText('Advanced').click();
  await wizard.getByLabel('Batch size').fill('50');
  const report = await dryRun(wizard);
  await deleteButton(wizard).click();
  await confirmDeletion(page, 'query/queryusagestatistics');
  await eventually(() => assert.ok(database.rows('query', 'queryusagestatistics').length < before));
  service.pacing.held = true;
  await wizard.getByText('No response was received, so the deletion may or may not have started.').first().waitFor();
  await wizard
    .getByText(/^The row count is falling/)
    .first()
    .waitFor();
  await treeRow(page, /^query\/queryusagestatistics, No response was received/).waitFor();

  service.pacing.batchDelayMillis = 0;
  service.pacing.held = false;
  await finished(wizard);
  assert.equal(database.rows('query', 'queryusagestatistics').length, before - report.rowsToDelete);

  // Whatever the user looks at, the execution stays the only one.
  const listed = requestCount(service, 'getIndexSizes');
  await refreshTree(page, () => requestCount(service, 'getIndexSizes') > listed);
  await treeIsQuiet(page);
  await wizard.getByRole('button', { name: 'New Truncation' }).click();
  const after = await dryRun(wizard);
  assert.equal(after.rowsToDelete, 0);
  assert.equal(executeRequests(service).length, 1);
});

test('rows that were added since the dry run lead back to review', async () => {
  const wizard = await openWizard(page, /^dataset, datasetProfile,/);
  await chooseDays(wizard, 365);
  const shown = await dryRun(wizard);
  const twoYears = 2 * 365 * 86_400_000;
  database.insert('dataset', 'datasetprofile', Date.now() - twoYears, 7);
  const before = database.rows('dataset', 'datasetprofile');
  await deleteButton(wizard).click();
  await confirmDeletion(page, 'dataset/datasetprofile');
  await wizard
    .getByText(/Nothing was deleted: more rows would be deleted now than the dry run showed/)
    .first()
    .waitFor();
  const recounted = await shownReport(wizard);
  assert.equal(recounted.rowsToDelete, shown.rowsToDelete + 7);
  assert.equal(executeRequests(service).length, 0);
  assertRows(database.rows('dataset', 'datasetprofile'), before, 'nothing was deleted');

  // After reviewing the new numbers, it continues.
  await deleteButton(wizard).click();
  assert.ok(
    (await confirmDeletion(page, 'dataset/datasetprofile')).includes(recounted.rowsToDelete.toLocaleString('en')),
  );
  await finished(wizard);
  assert.equal(database.rows('dataset', 'datasetprofile').length, before.length - recounted.rowsToDelete);
});

test('missing rows after a reindex are explained by the index, and it is finished once that is refreshed', async () => {
  const usage = 'dataset/datasetusagestatistics';
  service.pacing.held = true;
  const wizard = await openWizard(page, /^dataset, datasetUsageStatistics,/);
  const verdict = wizard.locator('#outcome-heading');
  await chooseDays(wizard, 365);
  await wizard.getByText('Advanced').click();
  await wizard.getByRole('radio', { name: 'Reindex', exact: true }).check();
  await dryRun(wizard);
  assert.equal(await deleteButton(wizard).getAttribute('aria-disabled'), 'true');
  await tickCautions(wizard);
  await deleteButton(wizard).click();
  await confirmDeletion(page, usage);
  await verdict.waitFor();
  await treeRow(page, /^Truncations 1 running/).waitFor();
  await runCommand(page, 'View: Close All Editors');
  service.pacing.held = false;

  const hidden = treeRow(page, new RegExp(`^${usage}, Searches find 0 of [\\d,]+ rows to keep:`));
  await inQuickTime(() => hidden.waitFor());
  await hidden.click();
  await verdict.filter({ hasText: "the others are in the new index, which the server didn't refresh." }).waitFor();
  await unfoldDetails(wizard);
  await wizard.getByRole('button', { name: 'Copy Requests for Administrator' }).click();
  await eventually(async () =>
    assert.match(await clipboardText(page), /^PUT \/dataset_datasetusagestatisticsaspect_v1_\d+\/_settings$/m),
  );
  await service.cluster.refresh('dataset', 'datasetUsageStatistics');
  await wizard.getByRole('button', { name: 'Check Now' }).click();
  await finished(wizard);
  // A single refresh shows no row that is written later.
  await wizard.getByRole('paragraph').filter({ hasText: 'rows written later may stay hidden' }).waitFor();
});

/** Adds a temporary connection, with nothing else expanded. */
async function withConnection(entered: Entered, work: () => Promise<void>): Promise<void> {
  await collapseRow(page, /^Main/);
  await describeConnection(page, entered);
  await saveForm(page);
  await connectionRow(page, entered.name).waitFor();
  try {
    await work();
  } finally {
    await runCommand(page, 'View: Close All Editors');
    await removeConnection(page, entered.name);
  }
}

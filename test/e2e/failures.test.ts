// Failures are shown where they happened, with the next step, and changes are never sent twice.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { escaped } from '../../tools/escaped.ts';
import { startService } from '../service/main.ts';
import { eventually } from './harness/conditions.ts';
import {
  answerModal,
  answerNotification,
  clearNotifications,
  clipboardText,
  modal,
  notification,
} from './harness/dialogs.ts';
import {
  acceptQuickInput,
  clippedRows,
  fillQuickInput,
  pick,
  pressUntil,
  quickInput,
  quickInputMessage,
  quickInputStep,
  quickPickRow,
  runCommand,
} from './harness/quickInput.ts';
import { openStage } from './harness/stage.ts';
import {
  chooseFromRow,
  chooseUntil,
  collapseRow,
  expandRow,
  pressRow,
  pressRowIcon,
  rowHover,
  treeIsQuiet,
  treeRow,
} from './harness/tree.ts';
import { webviewPage } from './harness/webview.ts';
import {
  addConnection,
  answerStep,
  connectionRow,
  describeConnection,
  enterConnection,
  removeConnection,
  type Entered,
} from './steps/connections.ts';
import { assertRows, dryRunRequests, executeRequests, requestCount } from './steps/service.ts';
import { revokeToken } from './steps/tokens.ts';
import {
  chooseDays,
  confirmDeletion,
  continueWithReindex,
  deleteButton,
  dryRun,
  finished,
  openWizard,
  shownReport,
} from './steps/wizard.ts';

/** Longer than a listing waits for the row of a token that was just revoked to disappear (PROTOCOL.md §5.7). */
const DRAWN_MS = 15_000;

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

test('a user without any privilege sees which one is missing, at each place', async () => {
  const { guest } = service.users;
  await withConnection(
    { address: service.frontUrl, actor: 'guest', token: guest.token, name: 'Guest' },
    async (verdict) => {
      assert.match(verdict, /Can't create access tokens\s+Missing privilege "Generate Personal Access Tokens"/);
      await expandRow(page, /^Access tokens/);
      await expandRow(page, /^Time series indices/);
      await treeRow(
        page,
        /^Failure: .*you aren't allowed to list access tokens\..*"Generate Personal Access Tokens"/,
      ).waitFor();
      await treeRow(
        page,
        /^Failure: .*you aren't allowed to read index sizes\..*"Get Timeseries index sizes API"/,
      ).waitFor();
    },
  );
});

test("a user who may not see other users' tokens, or truncate, is informed", async () => {
  const { analyst } = service.users;
  await withConnection(
    { address: service.frontUrl, actor: 'analyst', token: analyst.token, name: 'Analyst' },
    async () => {
      const own = service.tokens().filter(({ ownerUrn }) => ownerUrn === analyst.urn).length;
      await filterTokens('Analyst', 'All access tokens');
      await expandRow(page, /^Access tokens/);
      await treeRow(
        page,
        /^Failure: .*you aren't allowed to list other users' access tokens\..*"Manage All Access Tokens"/,
      ).waitFor();
      await filterTokens('Analyst', 'My access tokens');
      await treeRow(page, `Access tokens ${own}`).waitFor();

      const wizard = await wizardFromPalette('Analyst');
      await wizard.getByLabel('Entity type').fill('dataset');
      await wizard.getByLabel('Aspect').fill('operation');
      await chooseDays(wizard, 365);
      await wizard.getByRole('button', { name: 'Dry Run' }).click();
      await wizard
        .getByText("The server refused: you aren't allowed to truncate time series indices.")
        .first()
        .waitFor();
      await wizard
        .getByText(/Truncate timeseries aspect index size API/)
        .first()
        .waitFor();
    },
  );
});

test('a token that is no longer accepted is replaced from the row that reports it', async () => {
  const { token, record } = service.issueToken({ name: 'short-lived' });
  await withConnection({ address: service.frontUrl, actor: 'admin', token, name: 'Expired' }, async () => {
    await expandRow(page, /^Access tokens/);
    await treeRow(page, /never expires/)
      .first()
      .waitFor();
    await revokeBehindItsBack(record.id);
    const failure = /^Failure: Token rejected \(401\)/;
    await pressRowIcon(page, /^Expired/, 'Refresh', treeRow(page, failure));
    const prompt = quickInputMessage(page).filter({ hasText: 'Access token for' });
    await pressRow(page, failure, prompt);
    await quickInputStep(page, 'Sign In to "Expired"');
    await fillQuickInput(page, 'Bearer x');
    await quickInputMessage(page).filter({ hasText: 'Paste only the token, without "Bearer"' }).waitFor();
    await fillQuickInput(page, service.adminToken);
    await prompt.waitFor();
    await acceptQuickInput(page);
    const listings = (): number =>
      service.requests.filter(
        ({ body, headers, status }) =>
          body.includes('listAccessTokens') &&
          headers.authorization === `Bearer ${service.adminToken}` &&
          status === 200,
      ).length;
    const listed = listings();
    await pick(page, 'Sign In');
    // The tokens are loaded again automatically, but VS Code may fail to render them.
    await eventually(() => assert.ok(listings() > listed));
    const isDrawn = async (): Promise<boolean> =>
      (await treeRow(page, /never expires/)
        .first()
        .isVisible()) &&
      !(await treeRow(page, /^Failure/)
        .first()
        .isVisible());
    await eventually(async () => assert.ok(await isDrawn()), DRAWN_MS).catch(() =>
      pressRowIcon(page, /^Expired/, 'Refresh', isDrawn),
    );
  });
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
    await chooseUntil(page, /^Access tokens/, 'Refresh', failure);
    // Loaded rows stay, with their age. The row of the connection shows it too, for users who collapse it.
    await treeRow(page, /^Access tokens \d+ · as of \d/).waitFor();
    await treeRow(page, /^Down Can't reach host · admin/).waitFor();
    const hover = await rowHover(page, /^Failure: Can't reach host/);
    await hover.filter({ hasText: `Can't reach ${host}.` }).waitFor();
    await chooseFromRow(page, /^Failure: Can't reach host/, 'Copy Failure Details');
    await eventually(async () => assert.match(await clipboardText(page), /Can't reach/));
    assert.ok(!(await clipboardText(page)).includes(server.adminToken));

    server = await startService({ ...options, port: Number(port) });
    await pressRow(page, /^Failure: Can't reach host/, async () => !(await failure.isVisible()));
    await treeRow(page, /never expires/)
      .first()
      .waitFor();
    await treeRow(page, /^Down admin/).waitFor();
  });
});

test('an address that does not answer is reported where it is entered, and can be corrected there', async (t) => {
  const server = await startService({ rows: 1_000 });
  t.after(() => server.close().catch(() => undefined));
  const { host } = new URL(server.url);
  await server.close();
  await runCommand(page, 'Metadata Service (DataHub): Add Connection...');
  await quickInputStep(page, 'Add Connection');
  await fillQuickInput(page, host);
  await quickPickRow(page, /^\s*http:/).waitFor();
  await pressUntil(page, 'Enter', quickPickRow(page, "Can't reach host"));
  const rows = await quickInput(page).locator('.monaco-list-row').allInnerTexts();
  assert.match(rows[0] ?? '', /Can't reach host/, 'the typed text moves another row to the top');
  assert.match(rows[1] ?? '', new RegExp(escaped(`Can't reach ${host}.`)));
  assert.deepEqual(await clippedRows(page), []);
  await quickPickRow(page, 'Try Again').and(page.locator('.focused')).waitFor();
  await enterConnection(page, {
    address: service.frontUrl,
    actor: 'admin',
    token: service.adminToken,
    name: 'Moved',
  });
  await pick(page, 'Save Connection');
  await connectionRow(page, 'Moved').waitFor();
  await removeConnection(page, 'Moved');
});

test('an address that does not answer can be used anyway, and corrected in the summary', async (t) => {
  const server = await startService({ rows: 1_000 });
  t.after(() => server.close().catch(() => undefined));
  const { host } = new URL(server.url);
  await server.close();
  const entered = { address: host, actor: 'admin', token: service.adminToken, name: 'Moved' };
  await describeConnection(page, entered);
  await quickPickRow(page, "Can't reach host").waitFor();
  assert.deepEqual(await clippedRows(page), []);
  // The next step is selected, so Enter is enough.
  await quickPickRow(page, 'Edit Address').and(page.locator('.focused')).waitFor();
  await page.keyboard.press('Enter');
  await quickPickRow(page, /^\s*http:/).waitFor();
  await enterConnection(page, { ...entered, address: service.frontUrl });
  await pick(page, 'Save Connection');
  await connectionRow(page, 'Moved').waitFor();
  await removeConnection(page, 'Moved');
});

test('a token that is not accepted is reported where it is entered, and can be corrected there', async () => {
  await describeConnection(page, {
    address: service.frontUrl,
    actor: 'admin',
    token: 'mistyped-token',
    name: 'Mistyped',
  });
  await quickPickRow(page, 'Token rejected (401)').waitFor();
  assert.deepEqual(await clippedRows(page), []);
  await quickPickRow(page, 'Edit Token').and(page.locator('.focused')).waitFor();
  await page.keyboard.press('Enter');
  await answerStep(page, /Access token/, 'mistyped-again');
  await quickInputMessage(page)
    .filter({ hasText: /^Access token rejected\. .* Press Enter again to use it anyway\.$/ })
    .waitFor();
  await fillQuickInput(page, service.adminToken);
  await quickInputMessage(page)
    .filter({ hasText: /Press Enter again/ })
    .waitFor({ state: 'hidden' });
  await acceptQuickInput(page);
  await quickPickRow(page, 'Name: Mistyped').waitFor();
  await pick(page, 'Save Connection');
  await connectionRow(page, 'Mistyped').waitFor();
  await removeConnection(page, 'Mistyped');
});

test('the result of a connection test can be read in full', async () => {
  await chooseFromRow(page, /^Main/, 'Test Connection');
  await modal(page).waitFor();
  const said = await answerModal(page, 'OK');
  assert.match(said, /^Connected to "Main"\s+DataHub v\S+\nSigned in as admin\nCan create access tokens\n/);
});

test('a page of HTML instead of a response is reported in a sentence, without the page', async () => {
  service.faults.add({ fault: { kind: 'html', status: 500 }, match: 'getIndexSizes', times: 'always' });
  const failure = treeRow(page, /^Failure: Server error \(500\)\. The server failed on "getIndexSizes"/);
  await chooseUntil(page, /^Time series indices/, 'Refresh', failure);
  const said = (await failure.first().getAttribute('aria-label')) ?? '';
  assert.doesNotMatch(said, /[<>]/);
  service.faults.clear();
  await pressRow(page, /^Failure: Server error \(500\)/, async () => !(await failure.first().isVisible()));
  await treeRow(page, /^dataset, operation,/).waitFor();
});

test('a slow dry run can be cancelled, and run again at once', async () => {
  service.faults.add({ fault: { kind: 'latency', millis: 300_000 }, match: 'truncateTimeseriesAspect' });
  const wizard = await openWizard(page, /^dataset, operation,/);
  await chooseDays(wizard, 365);
  await wizard.getByRole('button', { name: 'Dry Run' }).click();
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
  const wizard = await openWizard(page, /^query, queryusagestatistics,/);
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
  await pressRowIcon(page, /^Main/, 'Refresh', () => requestCount(service, 'getIndexSizes') > listed);
  await treeIsQuiet(page);
  await wizard.getByRole('button', { name: 'New Truncation' }).click();
  const after = await dryRun(wizard);
  assert.equal(after.rowsToDelete, 0);
  assert.equal(executeRequests(service).length, 1);
});

test('an index that cannot be reindexed is truncated by a query instead', async () => {
  const before = database.rows('dashboard', 'dashboardusagestatistics');
  const wizard = await openWizard(page, /^dashboard, dashboardusagestatistics,/);
  await chooseDays(wizard, 30);
  await wizard.getByText('Advanced').click();
  await wizard.getByRole('radio', { name: /^As the server decides/ }).check();
  const report = await dryRun(wizard);
  assert.equal(report.strategy, 'Strategy: Reindex');
  await deleteButton(wizard).click();
  await continueWithReindex(page, 'dashboard/dashboardusagestatistics');
  await confirmDeletion(page, 'dashboard/dashboardusagestatistics');
  await wizard.getByText("Nothing was deleted: the server couldn't reindex this index.").first().waitFor();
  assertRows(database.rows('dashboard', 'dashboardusagestatistics'), before, 'nothing was deleted');

  await wizard.getByRole('button', { name: 'Use Delete by Query' }).click();
  await wizard.getByText('Strategy: Delete by query', { exact: true }).waitFor();
  await deleteButton(wizard).click();
  await confirmDeletion(page, 'dashboard/dashboardusagestatistics');
  await finished(wizard);
  assert.equal(database.rows('dashboard', 'dashboardusagestatistics').length, report.rowsTotal - report.rowsToDelete);
  assert.deepEqual(
    executeRequests(service).map(({ body }) => body.includes('"forceDeleteByQuery":true')),
    [false, true],
  );
});

test('rows that were added since the dry run lead back to review', async () => {
  const wizard = await openWizard(page, /^dataset, datasetprofile,/);
  await chooseDays(wizard, 365);
  const shown = await dryRun(wizard);
  const twoYears = 2 * 365 * 86_400_000;
  database.insert('dataset', 'datasetprofile', Date.now() - twoYears, 7);
  const before = database.rows('dataset', 'datasetprofile');
  await deleteButton(wizard).click();
  await confirmDeletion(page, 'dataset/datasetprofile');
  await wizard
    .getByText(/Nothing was deleted\. More rows would be deleted now than the dry run showed/)
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

test('a revocation without a response is reported, is sent once, and its token is back in the list', async () => {
  service.faults.add({ fault: { kind: 'status', status: 503 }, match: 'revokeAccessToken', times: 'always' });
  const label =
    (await treeRow(page, /never expires/)
      .first()
      .getAttribute('aria-label')) ?? '';
  const name = label.split(',')[0] ?? '';
  await revokeToken(page, label);
  const told = `"${name}" may or may not have been revoked`;
  await notification(page, told).waitFor();
  await treeRow(page, label).waitFor();
  assert.ok(service.tokens().some((token) => token.name === name));
  assert.equal(service.requests.filter(({ body }) => body.includes('revokeAccessToken')).length, 1);
  await answerNotification(page, told, 'Copy Details', async () =>
    (await clipboardText(page)).includes('revokeAccessToken'),
  );
});

/** Adds a temporary connection, with nothing else expanded. */
async function withConnection(entered: Entered, work: (verdict: string) => Promise<void>): Promise<void> {
  await collapseRow(page, /^Main/);
  const verdict = await describeConnection(page, entered);
  await pick(page, 'Save Connection');
  await connectionRow(page, entered.name).waitFor();
  try {
    await work(verdict);
  } finally {
    await runCommand(page, 'View: Close All Editors');
    await removeConnection(page, entered.name);
  }
}

async function filterTokens(connection: string, choice: string): Promise<void> {
  await runCommand(page, 'Metadata Service (DataHub): Filter Access Tokens...');
  await pick(page, connection);
  await pick(page, choice);
  await treeIsQuiet(page);
}

async function wizardFromPalette(connection: string): Promise<FrameLocator> {
  await runCommand(page, 'Metadata Service (DataHub): Truncate Index...');
  await pick(page, connection);
  // Uses the pointer: VS Code returns the focus to a tree that reloads while a list opens.
  await quickPickRow(page, 'Another index…').click();
  const wizard = webviewPage(page);
  await wizard.getByRole('heading', { level: 1, name: /^Truncate / }).waitFor();
  return wizard;
}

async function revokeBehindItsBack(tokenId: string): Promise<void> {
  await fetch(`${service.url}/api/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${service.adminToken}` },
    body: JSON.stringify({
      query: 'mutation revoke($tokenId: String!) { revokeAccessToken(tokenId: $tokenId) }',
      variables: { tokenId },
    }),
  });
}

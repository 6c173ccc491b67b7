// A user of version 0.1.0 installs the package under test over it. Nothing that 0.1.0 stored is lost or asked again.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import manifest from '../../package.json' with { type: 'json' };
import { root } from '../../tools/paths.ts';
import { inQuickTime } from '../host/vscode/quickTime.ts';
import { eventually, eventuallyEqual } from './harness/conditions.ts';
import { modal, notification } from './harness/dialogs.ts';
import { freshPackage } from './harness/freshPackage.ts';
import { inOrder } from './harness/inOrder.ts';
import { installedManifest, type InstalledManifest } from './harness/installedExtensions.ts';
import { quickInput, runCommand } from './harness/quickInput.ts';
import { storedSecrets } from './harness/secretStorage.ts';
import { openStage } from './harness/stage.ts';
import { extensionHostLogs, storedStates } from './harness/traces.ts';
import { collapseRow, expandRow, pressRow, rowHover, treeRow } from './harness/tree.ts';
import { webviewPage } from './harness/webview.ts';
import { controlFocus, kept } from './harness/windows.ts';
import { openViewContainer, openWorkbench } from './harness/workbench.ts';
import { connectionRow } from './steps/connections.ts';
import { executeRequests } from './steps/service.ts';
import * as released from './steps/version010.ts';
import { openWizard } from './steps/wizard.ts';

const stage = await openStage({
  vscode: { vsix: join(root, 'test', 'stored', 'metadata-service-0.1.0.vsix') },
});
const { service, vscode, person } = stage;
let { page } = stage;
await controlFocus(person);

/** Kept by 0.1.0 before VS Code was stopped. */
let states: Awaited<ReturnType<typeof storedStates>>;
let secrets: Awaited<ReturnType<typeof storedSecrets>>;
let oldLogs: readonly string[];
let oldManifest: InstalledManifest;
/** Entered on the page that was closed. */
let cutoffOfClosed: readonly string[];

suite('a user of 0.1.0', () => {
  inOrder();

  test('has a connection, a token, an index that was added by name, and three truncations, one of which runs', async () => {
    oldManifest = await installedManifest(vscode);
    assert.equal(oldManifest.main, './dist/extension.cjs', 'this is 0.1.0');
    const token = service.adminToken;
    await released.addConnection(page, { address: service.frontUrl, actor: 'admin', token, name: 'Production' });
    await released.createToken(page, 'rehearsal', 'for the **nightly** ingestion');
    await released.addIndex(page, 'datajob', 'operation');
    await released.sortIndicesByName(page);
    await expandRow(page, /^Time series indices/);
    const finished = [
      ['dataset', 'operation', 365, /Delete by query/],
      ['chart', 'chartusagestatistics', 90, /Reindex/],
    ] as const;
    for (const [entityType, aspect, days, strategy] of finished) {
      await released.truncate(page, { entityType, aspect }, days, strategy);
      await inQuickTime(() => treeRow(page, new RegExp(`^${entityType}/${aspect}, Finished: [\\d,]+ rows`)).waitFor());
    }
    service.pacing.held = true;
    const running = { entityType: 'datajob', aspect: 'datahubingestionrunsummary' };
    await released.truncate(page, running, 365, /Delete by query/);
    await treeRow(page, /^datajob\/datahubingestionrunsummary, Deleting: 0 of/).waitFor();
  });

  test('has a half-filled plan on a page that was closed, and another on a page that is open', async () => {
    const closed = await released.openWizard(page, /^query, queryusagestatistics,/);
    await closed.getByRole('radio', { name: '180 days' }).check();
    await closed.getByText('Advanced').click();
    await closed.getByLabel('Batch size').fill('77');
    await kept(page, '77', /metadata-service-tools/);
    cutoffOfClosed = await enteredCutoff(closed);
    await runCommand(page, 'View: Close Editor');

    const open = await released.openWizard(page, /^datajob, operation,/);
    await open.getByLabel('Date', { exact: true }).fill('2025-03-04');
    await open.getByLabel('Time', { exact: true }).fill('05:06');
    await open.getByText('Advanced').click();
    await open.getByLabel('Batch size').fill('123');
    await open.getByLabel('Timeout in seconds').fill('not yet');
    await kept(page, 'not yet', /metadata-service-tools/, /workbench\.parts\.editor/);
  });

  test('installs the new package, starts VS Code, and is signed in with the same token, without a question', async () => {
    states = await storedStates(page);
    secrets = await storedSecrets(page);
    oldLogs = (await extensionHostLogs(vscode.userFolder)).map(({ where }) => where);
    await page.close();
    await vscode.upgrade(await freshPackage());
    service.clearRequests();
    page = await openWorkbench(person, vscode);
    assert.deepEqual((await installedManifest(vscode)).contributes, manifest.contributes);

    await openViewContainer(page, 'DataHub');
    // Without a role, which 0.1.0 did not ask for.
    await connectionRow(page, 'Production')
      .filter({ hasText: /^Production\s*admin$/ })
      .waitFor();
    await treeRow(page, /^Access tokens \d+/).waitFor();
    await page.locator('.statusbar-item', { hasText: 'Production' }).waitFor();
    const asked = service.requests.filter(({ headers }) => headers.authorization !== undefined);
    assert.ok(asked.length > 0);
    assert.ok(asked.every(({ headers }) => headers.authorization === `Bearer ${service.adminToken}`));
    await assertNothingAsked();
  });

  test('finds everything stored that 0.1.0 stored', async () => {
    assert.deepEqual(await storedSecrets(page), secrets);
    const now = await storedStates(page);
    assert.ok(Object.keys(states.global).length > 7 && Object.keys(states.workspace).length > 1);
    // The capabilities of a server are requested again.
    const lasting = Object.entries(states.global).filter(([key]) => !key.startsWith('dialect.'));
    assert.partialDeepStrictEqual(now.global, Object.fromEntries(lasting));
    assert.partialDeepStrictEqual(now.workspace, states.workspace);
  });

  test('has each command, setting and view by its ID, for keyboard shortcuts and settings', async () => {
    const ids = new Set(contributedIds(await installedManifest(vscode)));
    assert.deepEqual(
      contributedIds(oldManifest).filter((id) => !ids.has(id)),
      [],
    );
  });

  test('finds the created token with its description, and the indices in the chosen order', async () => {
    await expandRow(page, /^Access tokens/);
    await treeRow(page, /^rehearsal/).waitFor();
    await (await rowHover(page, /^rehearsal/)).filter({ hasText: 'for the **nightly** ingestion' }).waitFor();
    await collapseRow(page, /^Access tokens/);

    await expandRow(page, /^Time series indices/);
    await treeRow(page, /^datajob, operation, added by name/).waitFor();
    const groups = await page.locator('.part.sidebar [aria-level="3"][aria-expanded] .label-name').allInnerTexts();
    assert.deepEqual(groups, [...groups.slice(0, -1).toSorted(), 'other indices']);
  });

  test('finds the open page with its plan, problems included', async () => {
    const wizard = webviewPage(page);
    await wizard.getByRole('heading', { level: 1, name: 'Truncate datajob / operation' }).waitFor();
    assert.equal(await wizard.getByLabel('Date', { exact: true }).inputValue(), '2025-03-04');
    assert.equal(await wizard.getByLabel('Time', { exact: true }).inputValue(), '05:06');
    assert.equal(await wizard.getByLabel('Batch size').inputValue(), '123');
    assert.equal(await wizard.getByLabel('Timeout in seconds').inputValue(), 'not yet');
    await runCommand(page, 'View: Close All Editors');
  });

  test('finds the plan of the closed page when it is opened', async () => {
    const wizard = await openWizard(page, /^query, queryusagestatistics,/);
    await wizard.getByText('Advanced').click();
    await eventuallyEqual(() => wizard.getByLabel('Batch size').inputValue(), '77');
    await eventually(async () => assert.deepEqual(await enteredCutoff(wizard), cutoffOfClosed));
    await runCommand(page, 'View: Close All Editors');
  });

  test('sees the running truncation go on to its end, and nothing is sent again', async () => {
    await treeRow(page, /^datajob\/datahubingestionrunsummary, Deleting: 0 of/).waitFor();
    service.pacing.held = false;
    await inQuickTime(() =>
      treeRow(page, /^datajob\/datahubingestionrunsummary, Finished: [\d,]+ rows deleted\.$/).waitFor(),
    );
    await treeRow(page, /^dataset\/operation, Finished: [\d,]+ rows deleted\.$/).waitFor();
    assert.equal(executeRequests(service).length, 0);
  });

  test('sees that a reindex of 0.1.0 is not checked, and after a check that it hides rows', async () => {
    const row = /^chart\/chartusagestatistics, Finished on the server; not checked\.$/;
    const check = webviewPage(page).getByRole('button', { name: 'Check Now' });
    await pressRow(page, row, check);
    await check.click();
    await inQuickTime(() => treeRow(page, /^chart\/chartusagestatistics, Searches find 0 of \d+ rows/).waitFor());
  });

  test('was never asked a question', assertNothingAsked);

  test('has no error in the log', async (context) => {
    const fresh = (await extensionHostLogs(vscode.userFolder)).filter(({ where }) => !oldLogs.includes(where));
    if (!fresh.some(({ where }) => where.endsWith('DataHub.log'))) {
      context.skip('without a C++ compiler the VS Code here writes no log files');
      return;
    }
    const lines = fresh.flatMap(({ where, content }) => content.split('\n').map((line) => `${where}: ${line}`));
    assert.ok(lines.some((line) => line.includes('[info] [Production] listAccessTokens')));
    const ours = lines.filter((line) => /DataHub\.log: |metadata-service-tools/.test(line));
    assert.deepEqual(
      ours.filter((line) => /\[(warning|error)\]/.test(line)),
      [],
    );
  });
});

function contributedIds({ contributes: { commands, configuration, views } }: InstalledManifest): string[] {
  return [
    ...commands.map(({ command }) => command),
    ...Object.keys(configuration.properties),
    ...Object.values(views).flatMap((some) => some.map(({ id }) => id)),
  ];
}

/** Date and time in the fields of a page, of either version. */
function enteredCutoff(wizard: FrameLocator): Promise<string[]> {
  const fields = ['Date', 'Time'].map((name) => wizard.getByLabel(name, { exact: true }));
  return Promise.all(fields.map((field) => field.inputValue()));
}

async function assertNothingAsked(): Promise<void> {
  assert.equal(await modal(page).count(), 0);
  assert.equal(await quickInput(page).count(), 0);
  assert.equal(await notification(page, /./).count(), 0);
}

// Six tasks of one person, each from its start to its end, with one connection: what they do, what they see, and what
// the service received.
import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import type { RowSummary } from '../service/searchCluster.ts';
import { eventually } from './harness/conditions.ts';
import { answerModal, modal } from './harness/dialogs.ts';
import { inOrder } from './harness/inOrder.ts';
import { pick, runCommand } from './harness/quickInput.ts';
import type { TimeRow } from './harness/rowDatabase.ts';
import { untilSignInIsStored } from './harness/secretStorage.ts';
import { openStage } from './harness/stage.ts';
import { chooseFromRow, expandRow, pressRow, refreshTree, treeIsQuiet, treeRow } from './harness/tree.ts';
import { webviewPage } from './harness/webview.ts';
import { openViewContainer, reloadWorkbench } from './harness/workbench.ts';
import { connectionRow, describeConnection, saveForm } from './steps/connections.ts';
import { assertRows, cutoffOf, executeRequests, listedSizes, requestCount, tokenIsAccepted } from './steps/service.ts';
import { createAndCopyToken, revokeToken } from './steps/tokens.ts';
import {
  chooseDays,
  confirmDeletion,
  deleteButton,
  dryRun,
  finished,
  openWizard,
  type ShownReport,
} from './steps/wizard.ts';

const DAY_MS = 86_400_000;
const CONNECTION = 'Warehouse';
/** Name of the token that the person has from DataHub's web pages, and pastes. */
const OWN_TOKEN = 'from the web';
const NO_ANSWER = 'No response was received, so the deletion may or may not have started.';
/** Truncated by the fourth task only. */
const FIVE = [
  'assertion/assertionrunevent',
  'chart/chartusagestatistics',
  'dataset/datasetprofile',
  'dataset/datasetusagestatistics',
  'query/queryusagestatistics',
];

const { service, database, page } = await openStage({ service: { tokens: 8 } });
const webview = webviewPage(page);
const pasted = service.issueToken({
  name: OWN_TOKEN,
  createdAt: Date.now() - 50 * DAY_MS,
  expiresAt: Date.now() + 40 * DAY_MS,
});

suite('a person does a task from its start to its end', () => {
  inOrder();
  beforeEach(() => service.clearRequests());

  test('adds a first connection and sees the sizes', async () => {
    await openViewContainer(page, 'DataHub');
    await page.getByText('Connect to DataHub or another metadata service').waitFor();

    const summary = await describeConnection(page, {
      // A front dates its answers. While five indices are watched in quick time, the clocks would come to differ.
      address: service.url,
      actor: 'admin',
      token: pasted.token,
      name: CONNECTION,
    });
    assert.ok(summary.includes('This connection will sign in as admin'), summary);
    await saveForm(page);
    await connectionRow(page, CONNECTION).waitFor();

    await expandRow(page, /^Time series indices/);
    const sizes = await listedSizes(service.frontUrl, service.adminToken);
    assert.ok(sizes.length > FIVE.length);
    for (const { indexName, bytes } of sizes) {
      const [entity = '', aspect = ''] = indexName.replace(/aspect_v1.*/, '').split('_');
      const row = treeRow(page, new RegExp(`^${entity}, ${aspect}, [\\d.]+ [kMG]?B`, 'i'));
      const shown = bytesIn((await row.getAttribute('aria-label')) ?? '');
      assert.ok(Math.abs(shown - bytes) <= bytes * 0.06, `${indexName}: shown ${shown}, told ${bytes}`);
    }
  });

  test('creates a token, copies it, and revokes it', async () => {
    await expandRow(page, /^Access tokens/);
    const copied = await createAndCopyToken(page, { name: 'nightly ingestion', duration: '1 hour' });
    await treeRow(page, /^nightly ingestion, expires in (59 minutes|1 hour)/).waitFor();
    assert.equal(await tokenIsAccepted(service.url, copied), true);

    const asked = await revokeToken(page, /^nightly ingestion/);
    assert.match(asked, /Revoke the access token "nightly ingestion" on ".+"\?/);
    await treeRow(page, /^nightly ingestion/).waitFor({ state: 'detached' });
    await eventually(async () => assert.equal(await tokenIsAccepted(service.url, copied), false));
    await treeIsQuiet(page);
    assert.deepEqual(tokenChanges(), { created: 1, revoked: 1 });
  });

  test('dry-runs a truncation, deletes, and sees it finished', async () => {
    const before = database.rows('dataset', 'operation');
    const { rowsToDelete, rowsTotal } = await dryRunOneYear('dataset', 'operation');
    assert.deepEqual(service.rows('dataset', 'operation'), summaryOf(before), 'a dry run deletes nothing');
    assert.deepEqual(executeRequests(service), []);

    await deleteButton(webview).click();
    const asked = await confirmDeletion(page, 'dataset/operation');
    assert.ok(asked.includes(`${rowsToDelete.toLocaleString('en')} of ${rowsTotal.toLocaleString('en')} rows`), asked);
    await finished(webview);
    const outcome = `Finished: ${rowsToDelete.toLocaleString('en')} rows deleted.`;
    await webview
      .getByRole('heading', { name: `${rowsToDelete.toLocaleString('en')} rows deleted · still ` })
      .waitFor();
    await treeRow(page, `dataset/operation, ${outcome}`).waitFor();

    const [cutoff = 0, ...others] = executeRequests(service).map(cutoffOf);
    assert.deepEqual(others, []);
    assert.ok(Math.abs(Date.now() - 365 * DAY_MS - cutoff) < 120_000, 'the cutoff is 365 days ago, to the minute');
    const kept = assertOnlyNewerRows('dataset/operation', before, cutoff);
    assert.deepEqual([rowsToDelete, rowsTotal], [before.length - kept, before.length]);
    await runCommand(page, 'View: Close All Editors');
  });

  test('truncates five indices at once', async () => {
    const before = new Map(FIVE.map((target) => [target, rowsOf(target)]));
    await runCommand(page, 'DataHub: Time Series Indices');
    for (const target of FIVE) await webview.getByRole('checkbox', { name: `Select ${target}`, exact: true }).click();
    await webview.getByText(/^5 indices · /).waitFor();
    await webview.getByLabel('Delete rows older than (days)').fill('180');
    await webview.getByRole('button', { name: 'Dry Run' }).click();

    await webview.getByRole('heading', { level: 1, name: 'Truncate indices', exact: true }).waitFor();
    await deleteButton(webview).click();
    assert.deepEqual(executeRequests(service), []);
    await confirmDeletion(page, '5 indices');
    await finished(webview);

    const executed = executeRequests(service);
    assert.deepEqual(executed.map(targetOf).toSorted(), FIVE, 'one for each');
    let deleted = 0;
    for (const request of executed) {
      const rows = before.get(targetOf(request)) ?? [];
      deleted += rows.length - assertOnlyNewerRows(targetOf(request), rows, cutoffOf(request));
    }
    const outcome = new RegExp(`^${deleted.toLocaleString('en')} rows deleted · still [\\d.]+ [kMG]B · 5 indices$`);
    await webview.getByRole('heading', { level: 2, name: outcome }).waitFor();
    await runCommand(page, 'View: Close All Editors');
  });

  test("rotates the connection's own token", async () => {
    const name = `VS Code: ${CONNECTION}`;
    assert.equal(await tokenIsAccepted(service.url, pasted.token), true);
    await untilSignInIsStored(page, async () => {
      await chooseFromRow(page, new RegExp(`^${CONNECTION}`), "Rotate Connection's Access Token...");
      await pick(page, '1 month (30 days)');
      await modal(page).getByText(`Rotate the access token of "${CONNECTION}"?`).waitFor();
      const question = await answerModal(page, 'Rotate');
      assert.ok(question.includes(`A new token "${name}" is created`), question);
      // Nobody told VS Code the pasted token's ID.
      assert.match(question, /The old token stays valid/);
      await page.locator('.statusbar-item', { hasText: 'now signs in with a new access token' }).waitFor();
    });
    assert.deepEqual(tokenChanges(), { created: 1, revoked: 0 });
    assert.equal(service.tokens().filter((token) => token.name === name).length, 1);

    await treeIsQuiet(page);
    service.clearRequests();
    await refreshTree(
      page,
      () => requestCount(service, 'getIndexSizes') > 0 && requestCount(service, 'listAccessTokens') > 0,
    );
    await treeIsQuiet(page);
    const listings = service.requests.filter(({ path, body }) => /getIndexSizes|listAccessTokens/.test(path + body));
    assert.ok(listings.every(({ status }) => status === 200));
    const before = `Bearer ${pasted.token}`;
    assert.ok(service.requests.every(({ headers }) => headers.authorization !== before));
    await treeRow(page, new RegExp(`^${name}, expires in`)).waitFor();
    await treeRow(page, /^dataset, operation, [\d.]+ [kMG]?B/).waitFor();
    assert.equal(await treeRow(page, /^Failure/).count(), 0);
  });

  test('loses the answer to a deletion, reloads the window, and learns the truth', async () => {
    const target = 'datajob/datahubingestionrunsummary';
    const before = rowsOf(target);
    const { rowsToDelete } = await dryRunOneYear('datajob', 'datahubingestionrunsummary');
    // The deletion arrives and begins, but no row is gone before the window is back.
    service.pacing.held = true;
    service.faults.add({ fault: { kind: 'cutAfter' }, match: '"dryRun":false' });
    await deleteButton(webview).click();
    await confirmDeletion(page, target);
    await webview.getByText(NO_ANSWER).first().waitFor();
    const unknown = treeRow(page, `${target}, ${NO_ANSWER}`);
    await unknown.waitFor();

    await reloadWorkbench(page);
    await unknown.waitFor();
    await pressRow(page, new RegExp(`^${target}, `), webview.getByRole('heading', { name: NO_ANSWER }));
    assert.deepEqual(rowsOf(target), before);
    assert.equal(executeRequests(service).length, 1);

    service.pacing.held = false;
    await webview.getByRole('button', { name: 'Check Now' }).click();
    await finished(webview);
    await treeRow(page, `${target}, Finished: ${rowsToDelete.toLocaleString('en')} rows deleted.`).waitFor();
    const [cutoff = 0, ...others] = executeRequests(service).map(cutoffOf);
    assert.deepEqual(others, [], 'nothing was sent again');
    assert.equal(before.length - assertOnlyNewerRows(target, before, cutoff), rowsToDelete);
  });
});

/** Opens the wizard of an index from the tree, and reviews what is older than a year. */
async function dryRunOneYear(entity: string, aspect: string): Promise<ShownReport> {
  await openWizard(page, new RegExp(`^${entity}, ${aspect},`, 'i'));
  await chooseDays(webview, 365);
  return dryRun(webview);
}

function rowsOf(target: string): TimeRow[] {
  return database.rows(...namesIn(target));
}

/**
 * Asserts that an index has the rows that are newer than a cutoff, and no other.
 * @returns how many they are
 */
function assertOnlyNewerRows(target: string, before: readonly TimeRow[], cutoff: number): number {
  const kept = before.filter(({ timestampMillis }) => timestampMillis > cutoff);
  assert.ok(kept.length > 0 && kept.length < before.length, `${target} has rows on both sides of the cutoff`);
  assert.deepEqual(service.rows(...namesIn(target)), summaryOf(kept), target);
  assertRows(rowsOf(target), kept, target);
  return kept.length;
}

function summaryOf(rows: readonly TimeRow[]): RowSummary {
  return {
    count: rows.length,
    min: rows[0]?.timestampMillis ?? null,
    max: rows.at(-1)?.timestampMillis ?? null,
  };
}

function namesIn(target: string): [entity: string, aspect: string] {
  const [entity = '', aspect = ''] = target.split('/');
  return [entity, aspect];
}

/** The index that a request names. */
function targetOf({ body }: { readonly body: string }): string {
  const { entityType, aspect } = JSON.parse(body) as { entityType: string; aspect: string };
  return `${entityType}/${aspect}`.toLowerCase();
}

/** How many tokens the service was asked to create and to revoke. */
function tokenChanges(): { readonly created: number; readonly revoked: number } {
  return { created: requestCount(service, 'createAccessToken'), revoked: requestCount(service, 'revokeAccessToken') };
}

/** The size in the label of a row. */
function bytesIn(label: string): number {
  const [, number, unit = ''] = /, ([\d.]+) ([kMG]?)B/.exec(label) ?? [];
  return Number(number) * ({ '': 1, k: 1e3, M: 1e6, G: 1e9 }[unit] ?? 0);
}

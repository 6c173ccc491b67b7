// The page reports how a truncation ended. The host suites cover the other endings.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { eventually } from './harness/conditions.ts';
import { clearNotifications, clipboardText } from './harness/dialogs.ts';
import { runCommand } from './harness/quickInput.ts';
import { inQuickTime } from '../host/vscode/quickTime.ts';
import { openStage } from './harness/stage.ts';
import { expandRow, treeRow } from './harness/tree.ts';
import { webviewPage } from './harness/webview.ts';
import { openViewContainer } from './harness/workbench.ts';
import { addConnection } from './steps/connections.ts';
import {
  chooseDays,
  confirmDeletion,
  continueWithReindex,
  deleteButton,
  dryRun,
  finished,
  openWizard,
} from './steps/wizard.ts';

const { service, page } = await openStage();
const wizard = webviewPage(page);
const verdict = wizard.locator('#task-heading');
await openViewContainer(page, 'Metadata Service');
await addConnection(page, { address: service.frontUrl, actor: 'admin', token: service.adminToken, name: 'Endings' });
await expandRow(page, /^Time series indices/);

beforeEach(async () => {
  await runCommand(page, 'View: Close All Editors');
  await clearNotifications(page);
});

test('a task that found no row, unlike the dry run, has failed before it began', async () => {
  service.assignShards('query', 'queryUsageStatistics', false);
  await deleteOlder(/^query, queryusagestatistics,/, 'query/queryusagestatistics');
  await verdict.filter({ hasText: 'It failed before it began: the task ended without changing a row.' }).waitFor();
  await wizard.getByText('Check the batch size and the health of the index').first().waitFor();
});

test('a full disk is reported while the task still tries, and when it has given up', async () => {
  service.pacing.floodStage = true;
  await deleteOlder(/^dataset, operation,/, 'dataset/operation');
  const refusal = verdict.filter({ hasText: 'The cluster refuses writes, probably because its disk is full.' });
  await refusal.waitFor();
  await wizard.getByRole('button', { name: 'Copy Cancel Request' }).waitFor();
  service.pacing.floodRetriesMillis = 0;
  await inQuickTime(() => wizard.getByRole('button', { name: 'Receipt' }).waitFor());
  await refusal.waitFor();
  await wizard.getByText('Free up disk space on the search cluster first.').first().waitFor();
  service.pacing.floodStage = false;
});

test('missing rows after a delete by query are explained by a part of the index that may be unavailable', async () => {
  const runs = 'datajob/datahubingestionrunsummary';
  service.pacing.held = true;
  await deleteOlder(/^datajob, datahubingestionrunsummary,/, runs);
  // A page that is closed before the request leaves deletes nothing.
  await treeRow(page, /^Truncations 1 running/).waitFor();
  await runCommand(page, 'View: Close All Editors');
  service.pacing.held = false;
  await treeRow(page, new RegExp(`^${runs}, Deleted\\.`)).waitFor();
  service.assignShards('dataJob', 'datahubIngestionRunSummary', false);

  const unavailable = treeRow(page, new RegExp(`^${runs}, Searches find [\\d,]+ of [\\d,]+ rows to keep\\.$`));
  // Rows have to be missing for two minutes.
  await inQuickTime(() => unavailable.waitFor());
  await unavailable.click();
  await wizard
    .getByText(/may be unavailable \(check with GET \/_cluster\/health\/<index>\), or another job/)
    .first()
    .waitFor();
});

test('missing rows after a reindex are explained by the index, and it is finished once that is refreshed', async () => {
  const usage = 'dataset/datasetusagestatistics';
  service.pacing.held = true;
  await deleteOlder(/^dataset, datasetusagestatistics,/, usage, 'Reindex');
  await treeRow(page, /^Truncations 1 running/).waitFor();
  await runCommand(page, 'View: Close All Editors');
  service.pacing.held = false;

  const hidden = treeRow(page, new RegExp(`^${usage}, Searches find 0 of [\\d,]+ rows to keep\\.`));
  await inQuickTime(() => hidden.waitFor());
  await hidden.click();
  await verdict.filter({ hasText: "The others are in the new index, which the server didn't refresh." }).waitFor();
  await wizard.getByRole('button', { name: 'Copy Requests for Administrator' }).click();
  await eventually(async () =>
    assert.match(await clipboardText(page), /^PUT \/dataset_datasetusagestatisticsaspect_v1_\d+\/_settings$/m),
  );
  await service.cluster.refresh('dataset', 'datasetUsageStatistics');
  await wizard.getByRole('button', { name: 'Check Now' }).click();
  await finished(wizard);
});

/** Deletes rows older than a year, by the proposed strategy or by a reindex. */
async function deleteOlder(row: RegExp, target: string, strategy?: 'Reindex'): Promise<void> {
  await openWizard(page, row);
  await chooseDays(wizard, 365);
  if (strategy !== undefined) {
    await wizard.getByText('Advanced').click();
    await wizard.getByRole('radio', { name: strategy, exact: true }).check();
  }
  await dryRun(wizard);
  await deleteButton(wizard).click();
  if (strategy !== undefined) await continueWithReindex(page, target);
  await confirmDeletion(page, target);
  await verdict.waitFor();
}

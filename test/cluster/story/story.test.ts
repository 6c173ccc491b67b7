// A user's work on an index of a real search cluster: a reindex hides rows, and the requests that the page has for an
// administrator find them again.
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../../e2e/harness/conditions.ts';
import { clipboardText } from '../../e2e/harness/dialogs.ts';
import { runCommand } from '../../e2e/harness/quickInput.ts';
import { openStage } from '../../e2e/harness/stage.ts';
import { inOrder } from '../../e2e/harness/inOrder.ts';
import { expandRow, treeRow } from '../../e2e/harness/tree.ts';
import { webviewPage } from '../../e2e/harness/webview.ts';
import { openViewContainer } from '../../e2e/harness/workbench.ts';
import { addConnection } from '../../e2e/steps/connections.ts';
import {
  chooseDays,
  confirmDeletion,
  deleteButton,
  dryRun,
  finished,
  openWizard,
  tickCautions,
  unfoldDetails,
} from '../../e2e/steps/wizard.ts';
import { OpenSearchClient } from '../../service/timeseries/openSearchClient.ts';
import { inQuickTime } from '../../host/vscode/quickTime.ts';
import { namedSearchCluster } from '../clusterUrl.ts';
import { startSearchNodes } from '../searchNodes.ts';

const nodes = namedSearchCluster() === null ? await startSearchNodes(1) : [];
const searchCluster = namedSearchCluster() ?? nodes[0]?.url ?? assert.fail();
const { service, page } = await openStage({ service: { profile: '1.7', searchCluster, rows: 8000, tokens: 0 } });
// After the service, which removes its indices from them.
after(() => Promise.all(nodes.map((node) => node.kill())));
const wizard = webviewPage(page);
const cluster = new OpenSearchClient(searchCluster);

/** Number of rows of the reindexed index that should stay. */
let kept = 0;
suite('a user truncates an index of a real search cluster', () => {
  inOrder();

  test('adds a connection', async () => {
    await openViewContainer(page, 'DataHub');
    await addConnection(page, { address: service.frontUrl, token: service.adminToken, name: 'Main' });
    await expandRow(page, 'Time series indices');
  });

  test('insists on a reindex, and ticks that it can hide rows', async () => {
    await openWizard(page, /^chart, chartUsageStatistics,/);
    await chooseDays(wizard, 365);
    await wizard.getByText('Advanced').click();
    await wizard.getByRole('radio', { name: 'Reindex', exact: true }).check();
    const report = await dryRun(wizard);
    assert.match(report.strategy, /^Reindex\. /);
    kept = report.rowsTotal - report.rowsToDelete;
    await tickCautions(wizard);
    await deleteButton(wizard).click();
    await confirmDeletion(page, 'chart/chartusagestatistics');
    await wizard.getByText('Counting what is left…').first().waitFor();
    assert.equal((await service.cluster.rows('chart', 'chartusagestatistics')).count, 0);
  });

  test('learns that the reindex has hidden its rows, and copies the requests for an administrator', async () => {
    await openTruncation(page, /^chart\/chartUsageStatistics, /);
    // Usually 0, but a busy cluster's last refresh may show some.
    const verdict = wizard
      .getByText(
        new RegExp(`Searches find [\\d,]+ of ${kept.toLocaleString('en')} rows to keep: the others are in the`),
      )
      .first();
    // Rows have to be missing for two minutes.
    await inQuickTime(() => verdict.waitFor());
    await unfoldDetails(wizard);
    await wizard.getByRole('button', { name: 'Copy Requests for Administrator' }).click();
    await eventually(async () =>
      assert.match(await clipboardText(page), /^PUT \/chart_chartusagestatisticsaspect_v1_\d+\/_settings$/m),
    );
  });

  test('has them sent, and sees it finished', async () => {
    await sendAll(await clipboardText(page));
    assert.equal((await service.cluster.rows('chart', 'chartusagestatistics')).count, kept);
    await wizard.getByRole('button', { name: 'Check Now' }).click();
    await finished(wizard);
  });
});

async function openTruncation(window: Page, row: RegExp): Promise<void> {
  await runCommand(window, 'View: Close All Editors');
  await treeRow(window, row).first().click();
  await wizard.locator('#outcome-heading').waitFor();
}

/** Sends an administrator's requests to the cluster, except templates with a placeholder. */
async function sendAll(requests: string): Promise<void> {
  for (const [, method = '', path = '', body] of requests.matchAll(/^(GET|PUT|POST) (\S+)$(?:\n(\{.*\})$)?/gm)) {
    if (body?.includes('<n>') !== true) {
      await cluster.send(method, path, body === undefined ? undefined : JSON.parse(body));
    }
  }
}

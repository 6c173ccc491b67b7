// A window that is gone the moment its truncation reaches the server: what was sent is on disk, and the next window knows of it.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { eventually } from './harness/conditions.ts';
import { openStage } from './harness/stage.ts';
import { browserStores, placesWith } from './harness/traces.ts';
import { expandRow, treeRow } from './harness/tree.ts';
import { webviewPage } from './harness/webview.ts';
import { reloadWorkbench } from './harness/workbench.ts';
import { addConnection } from './steps/connections.ts';
import { executeRequests } from './steps/service.ts';
import { chooseDays, confirmDeletion, deleteButton, dryRun, openWizard } from './steps/wizard.ts';

const { service, vscode, page } = await openStage();

test('is followed by one that shows what was sent, and offers no fresh dry run of it', async () => {
  await addConnection(page, {
    address: service.frontUrl,
    actor: 'admin',
    token: service.users.admin.token,
    name: 'Main',
  });
  await expandRow(page, /^Time series indices/);
  const wizard = await openWizard(page, /^dataset, operation,/);
  await chooseDays(wizard, 365);
  await dryRun(wizard);
  // The page must be worth restoring: a VS Code in the browser writes down its editors every few seconds.
  await eventually(async () =>
    assert.match(placesWith(await browserStores(page), 'recordId').join('\n'), /workbench\.parts\.editor/),
  );

  service.faults.add({ fault: { kind: 'latency', millis: 600_000 }, match: '"dryRun":false' });
  await deleteButton(wizard).click();
  await confirmDeletion(page, 'dataset/operation');
  await eventually(() => assert.equal(executeRequests(service).length, 1));
  assert.equal(recordFiles().length, 1, 'it was written down before it was sent');
  await reloadWorkbench(page);

  const restored = webviewPage(page);
  // The window that sent it could still be waiting for the answer, for all that this one knows.
  await restored.getByText('Sending…').first().waitFor();
  assert.equal(await restored.getByRole('button', { name: 'Dry Run', exact: true }).count(), 0);
  await treeRow(page, /^dataset\/operation, /).waitFor();
  assert.equal(executeRequests(service).length, 1, 'nothing was sent again');

  // What the server did meanwhile is told once somebody asks.
  await restored.getByRole('button', { name: 'Check Now' }).click();
  await restored
    .getByText(/^Finished: [\d,]+ rows deleted\.$/)
    .first()
    .waitFor();
});

/** The files of truncations in the extension's own folder. */
function recordFiles(): string[] {
  return readdirSync(vscode.userFolder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /globalStorage.*records.*truncation\.[^/\\]*\.json$/.test(path),
  );
}

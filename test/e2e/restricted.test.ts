// In a workspace that nobody trusts the extension does its whole job, and what the workspace brings along changes nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStage } from './harness/stage.ts';
import { expandRow, treeRow } from './harness/tree.ts';
import { addConnection } from './steps/connections.ts';
import { executeRequests } from './steps/service.ts';
import { chooseDays, confirmDeletion, deleteButton, dryRun, openWizard } from './steps/wizard.ts';

const { service, database, page } = await openStage({
  vscode: {
    workspaceTrust: true,
    settings: { 'security.workspace.trust.startupPrompt': 'never' },
    workspaceSettings: {
      'metadataService.tokens.pageSize': 5,
      'metadataService.dryRunMaxAgeMinutes': 120,
      'metadataService.requestTimeoutSeconds': 600,
      'metadataService.clipboardClearSeconds': 0,
    },
  },
});
const { admin } = service.users;
await page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
await addConnection(page, { address: service.frontUrl, actor: 'admin', token: admin.token, name: 'Trusted' });

test('shows all tokens of a page, however few the workspace asks for', async () => {
  const own = service.tokens().filter(({ ownerUrn }) => ownerUrn === admin.urn);
  await treeRow(page, `Access tokens ${own.length}`).waitFor();
  await expandRow(page, /^Access tokens/);
  await treeRow(page, /never expires/)
    .first()
    .waitFor();
  assert.equal(await treeRow(page, 'Load More…').count(), 0);
  const counts = service.requests
    .map(({ body }) => /"count":(\d+)/.exec(body)?.[1])
    .filter((count) => count !== undefined);
  assert.deepEqual([...new Set(counts)], ['50']);
});

test('truncates an index', async () => {
  await expandRow(page, /^Time series indices/);
  const wizard = await openWizard(page, /^datajob, datahubingestioncheckpoint,/);
  await chooseDays(wizard, 180);
  const { rowsToDelete, rowsTotal } = await dryRun(wizard);
  await deleteButton(wizard).click();
  await confirmDeletion(page, 'datajob/datahubingestioncheckpoint');
  await wizard
    .getByText(/^Finished: [\d,]+ rows deleted\.$/)
    .first()
    .waitFor();
  assert.equal(database.rows('datajob', 'datahubingestioncheckpoint').length, rowsTotal - rowsToDelete);
  assert.equal(executeRequests(service).length, 1);
  await page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
});

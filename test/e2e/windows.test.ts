// Two windows of one user: changes in one of them appear in the other.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { test } from 'node:test';
import { answerModal } from './harness/dialogs.ts';
import { secretsAreDeleted, storedSecrets } from './harness/secretStorage.ts';
import { openStage } from './harness/stage.ts';
import { chooseFromRow, treeRow } from './harness/tree.ts';
import { controlFocus, goToWindow } from './harness/windows.ts';
import { openViewContainer, openWorkbench, reloadWorkbench } from './harness/workbench.ts';
import { addConnection, connectionRow, removeConnection } from './steps/connections.ts';

const { service, vscode, person, page: first } = await openStage();
const { admin } = service.users;

const otherFolder = `${vscode.workspace}-2`;
await mkdir(otherFolder);
const second = await openWorkbench(person, vscode, otherFolder);
await controlFocus(person);
for (const window of [first, second]) {
  await openViewContainer(window, 'DataHub');
  await welcome(window).waitFor();
}

test('a connection that is added, signed out and removed in one window is so in the other', async () => {
  await goToWindow(first);
  await addConnection(first, { address: service.frontUrl, actor: 'admin', token: admin.token, name: 'Shared' });
  await goToWindow(second);
  await connectionRow(second, 'Shared').waitFor();
  // In a browser, a window reads the secrets once. Changes by others arrive with the next reload.
  await reloadWorkbench(second);
  await treeRow(second, /^Access tokens \d+/).waitFor();
  const [[key = '', value = '{}'] = [], ...others] = await storedSecrets(second);
  assert.deepEqual([(JSON.parse(value) as { token: string }).token, others], [admin.token, []]);

  await goToWindow(first);
  await chooseFromRow(first, /^Shared/, 'Sign Out');
  await answerModal(first, 'Sign Out');
  await treeRow(first, /^Shared signed out/).waitFor();
  await secretsAreDeleted(first);

  service.clearRequests();
  await goToWindow(second);
  await treeRow(second, /^Shared signed out/).waitFor();
  await treeRow(second, /^Failure: Sign-in required/).waitFor();
  assert.ok(service.requests.length > 0);
  assert.deepEqual(
    service.requests.filter(({ headers }) => headers.authorization !== undefined),
    [],
  );

  await goToWindow(first);
  const id = key.replace('credential.', '');
  assert.ok(filesOf(id).length > 0);
  await removeConnection(first, 'Shared');
  await goToWindow(second);
  await welcome(second).waitFor();
  assert.deepEqual(filesOf(id), []);
});

/** Files of a connection, in the extension's own folder. */
function filesOf(id: string): string[] {
  const paths = readdirSync(vscode.userFolder, { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => path.includes('globalStorage') && path.includes(id));
}

/** The view without a connection. */
function welcome(window: typeof first): ReturnType<typeof first.getByText> {
  return window.getByText('Connect to DataHub or another metadata service');
}

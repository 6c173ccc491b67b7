// Two windows of one user: changes in one of them appear in the other.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { beforeEach, test } from 'node:test';
import { answerModal } from './harness/dialogs.ts';
import { eventually, eventuallyEqual } from './harness/conditions.ts';
import { globalState, storedConnection } from './harness/globalState.ts';
import { secretsAreDeleted, storedSecrets } from './harness/secretStorage.ts';
import { openStage } from './harness/stage.ts';
import { chooseFromRow, expandRow, treeRow } from './harness/tree.ts';
import { controlFocus, goToWindow } from './harness/windows.ts';
import { openViewContainer, openWorkbench, reloadWorkbench } from './harness/workbench.ts';
import { addConnection, connectionRow, removeConnection } from './steps/connections.ts';

const { service, vscode, person, page: first } = await openStage();
const { admin, operator } = service.users;
const shared = { address: service.frontUrl, actor: 'admin', token: admin.token, name: 'Shared' };
const other = { address: service.url, actor: 'operator', token: operator.token, name: 'Other' };

const otherFolder = `${vscode.workspace}-2`;
await mkdir(otherFolder);
const second = await openWorkbench(person, vscode, otherFolder);
await controlFocus(person);
for (const window of [first, second]) {
  await openViewContainer(window, 'DataHub');
  await welcome(window).waitFor();
}

// Each test begins without a connection in either window.
beforeEach(async () => {
  await goToWindow(first);
  for (const { name } of [shared, other]) {
    if ((await connectionRow(first, name).count()) > 0) await removeConnection(first, name);
  }
  await goToWindow(second);
  await welcome(second).waitFor();
  await goToWindow(first);
});

test('a connection that is added in one window is in the other, and signing out in one signs out in both', async () => {
  await addConnection(first, shared);
  await goToWindow(second);
  await connectionRow(second, 'Shared').waitFor();
  // In a browser, a window reads the secrets once. Changes by others arrive with the next reload.
  await reloadWorkbench(second);
  await treeRow(second, /^Access tokens \d+/).waitFor();
  await eventuallyEqual(
    async () =>
      [...(await storedSecrets(second)).values()].map((value) => (JSON.parse(value) as { token: string }).token),
    [admin.token],
  );

  await goToWindow(first);
  await chooseFromRow(first, /^Shared/, 'Sign Out');
  await answerModal(first, 'Sign Out');
  await treeRow(first, /^Shared signed out · admin/).waitFor();
  await secretsAreDeleted(first);

  service.clearRequests();
  await goToWindow(second);
  await treeRow(second, /^Shared signed out · admin/).waitFor();
  await expandRow(second, /^Access tokens/);
  await treeRow(second, /^Failure: Sign-in required/).waitFor();
  assert.ok(service.requests.length > 0);
  assert.deepEqual(
    service.requests.filter(({ headers }) => headers.authorization !== undefined),
    [],
  );
});

test('removing a connection removes it everywhere, with everything stored for it', async () => {
  await addConnection(first, other);
  const { id } = await storedConnection(first, 'Other');
  assert.deepEqual([...(await storedSecrets(first)).keys()], [`credential.${id}`]);
  await goToWindow(second);
  await connectionRow(second, 'Other').waitFor();
  await goToWindow(first);
  await chooseFromRow(first, /^Other/, 'Remove Connection');
  assert.match(await answerModal(first, 'Remove'), /Remove the connection "Other"\?/);
  await connectionRow(first, 'Other').waitFor({ state: 'detached' });
  await secretsAreDeleted(first);

  await goToWindow(second);
  await connectionRow(second, 'Other').waitFor({ state: 'detached' });
  // Only the mark of the removal is left, because a window that slept could restore the connection.
  await eventually(async () =>
    assert.deepEqual((await globalState(first)).match(new RegExp(String.raw`[\w.]*${id}`, 'g')), [`removing.${id}`]),
  );
});

/** The view without a connection. */
function welcome(window: typeof first): ReturnType<typeof first.getByText> {
  return window.getByText('Connect to DataHub or another metadata service');
}

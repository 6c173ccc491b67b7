import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { RowsByAgeState } from '../../../src/rowsByAge/ageHistogram.ts';
import { callService } from '../context.ts';
import { addConnection, connectionAs } from './support/connections.ts';
import { DrivenWizard } from './support/drivenWizard.ts';
import { connectedTests } from './support/fixtures.ts';
import { calm } from './support/requests.ts';
import { indexRow, type Row, rowAt, rowsBelow } from './support/tree.ts';
import { sentTo } from './support/truncations.ts';
import { actUntil, until } from './support/until.ts';

const NAME = 'By age';
const TARGET = 'dataset/operation';
const ANOTHER = 'dataset/datasetprofile';

suite('Rows by age', () => {
  const { service, person } = connectedTests({ name: NAME });

  for (const [what, user, role] of [
    ['on a read-only connection', 'operator', 'Read-only'],
    ['for a user without the privilege, whom the server would refuse', 'sizer', 'Development'],
  ] as const) {
    test(`are not counted unasked ${what}`, async () => {
      await addConnection(person, { ...connectionAs(service, user, 'Asked'), role });
      const wizard = await opened('Asked');
      await untilCountedBeside(wizard);
      assert.equal(wizard.view.rowsByAge?.phase, 'idle');
      assert.deepEqual(await sentTo(service, TARGET), []);
    });
  }

  test('are not counted, nor is anything asked, if a click or Enter on the row opens the page; its button counts', async () => {
    const row = await indexRow(NAME, TARGET);
    await rowsBelow(await rowAt(NAME, 'Access tokens'));
    await calm(service);
    const wizard = await clicked(row);
    assert.equal(wizard.view.rowsByAge?.phase, 'idle');
    assert.deepEqual(await callService(service, 'requests'), []);
    await untilCountedBeside(wizard);
    assert.deepEqual(await sentTo(service, TARGET), []);
    wizard.says({ type: 'countRowsByAge' });
    await curve(wizard);
  });

  test('stop being counted in the background when the page is hidden', async () => {
    await callService(service, 'addFault', { fault: { kind: 'latency', millis: 3_600_000 }, match: '"dryRun":true' });
    const wizard = await opened(NAME);
    await until('a count', async () => (await sentTo(service, TARGET)).length > 0);
    assert.equal(wizard.view.rowsByAge?.phase, 'counting');
    await wizard.hide();
    await until('the stop', () => wizard.view.rowsByAge?.phase === 'stopped');
    await untilCounted(await opened(NAME, ANOTHER));
    assert.equal((await sentTo(service, TARGET)).length, 1);
    wizard.close();
  });

  /** Opens the page of another index beside this one, and waits for its counts: by then, this one would count too. */
  async function untilCountedBeside({ page: { panel } }: DrivenWizard): Promise<void> {
    const { tabGroups } = vscode.window;
    await until('the page in front', () => tabGroups.activeTabGroup.activeTab?.label === panel.title);
    await actUntil(
      'room beside',
      async () => vscode.commands.executeCommand('workbench.action.focusSecondEditorGroup'),
      () => tabGroups.activeTabGroup.viewColumn === vscode.ViewColumn.Two,
    );
    const other = await opened(NAME, ANOTHER);
    // The page takes the focus once it has loaded, and the other one may open in front of it. Hidden, it counts nothing.
    await actUntil(
      'both pages in sight',
      async () => vscode.commands.executeCommand('workbench.action.moveEditorToNextGroup'),
      () => panel.visible && other.page.panel.visible,
    );
    await untilCounted(other);
    // A page behind another shows nothing new.
    panel.reveal(panel.viewColumn, true);
    await until('the page in sight', () => panel.visible);
  }

  async function untilCounted(other: DrivenWizard): Promise<void> {
    await curve(other);
    assert.ok((await sentTo(service, ANOTHER)).length > 2);
  }
});

async function opened(connection: string, target = TARGET): Promise<DrivenWizard> {
  return DrivenWizard.open(await indexRow(connection, target));
}

/** Opens the page of an index as a click on its row does. */
function clicked(row: Row): Promise<DrivenWizard> {
  const [click] = (row.item.command?.arguments ?? []) as unknown[];
  return DrivenWizard.open({ ...row, node: click }, row.item.command?.command);
}

function curve(wizard: DrivenWizard): Promise<RowsByAgeState> {
  return until(
    () => `the whole curve (the wizard: ${JSON.stringify(wizard.view.rowsByAge)})`,
    () => wizard.view.rowsByAge?.phase === 'complete' && wizard.view.rowsByAge,
  );
}

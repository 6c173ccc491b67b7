import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { hostService } from '../context.ts';
import { connectionAs, saveConnection, tokenOf } from './support/connections.ts';
import { reloadExtension } from './support/extension.ts';
import { personAt } from './support/fixtures.ts';
import { answerWith } from './support/requests.ts';
import { findRow, labelsBelow, pressEnter, refresh, rowAt, textOf, tooltipOf } from './support/tree.ts';
import { INDICES } from './support/truncations.ts';
import { until } from './support/until.ts';

const NAME = 'Unlisted';

suite('A server that does not list its indices', () => {
  const service = hostService('spec');
  const person = personAt(service);
  setup(async () => {
    // Older servers refuse this listing like this.
    await answerWith(service, 'getIndexSizes', 404);
    await saveConnection(connectionAs(service, 'operator', NAME));
  });

  test('has a row that says so, and Enter on it asks for an index by name', async () => {
    const hint = await rowAt(NAME, INDICES, "This server doesn't list its indices. Add them by name.");
    assert.equal((await rowAt(NAME, INDICES)).item.contextValue, 'indices;added');
    const added = pressEnter(hint);
    assert.match(
      await person.triesToType(/Entity type/, 'data set'),
      /start with a letter and can contain letters, digits/,
    );
    assert.match(
      await person.triesToType(/Entity type/, tokenOf(service, 'operator')),
      /looks like an access token\. Enter access tokens only where you're asked for one/,
    );
    await person.types(/Entity type/, 'datajob');
    await person.goesBack(/Aspect, as/);
    assert.equal(await person.reads(/Entity type/), 'datajob');
    await person.types(/Entity type/, 'dataset');
    await person.types(/Aspect, as/, 'operation');
    await added;
    const row = await rowAt(NAME, INDICES, 'dataset/operation');
    assert.equal(row.description, '');
    assert.match(textOf(await tooltipOf(row)), /added by name/);
    assert.equal(row.item.contextValue, 'index;truncatable;added');
  });

  test('keeps an added index after a refresh and a reload, until it is forgotten', async () => {
    await addIndex('dataset', 'operation');
    await refresh(await rowAt(NAME, INDICES));
    assert.deepEqual(await labelsBelow(NAME, INDICES), ['dataset/operation']);
    await reloadExtension();
    assert.deepEqual(await labelsBelow(NAME, INDICES), ['dataset/operation']);
    await vscode.commands.executeCommand(COMMANDS.indexForget, (await rowAt(NAME, INDICES, 'dataset/operation')).node);
    assert.match((await labelsBelow(NAME, INDICES)).join(), /Add them by name/);
  });

  test('has an index truncated that the palette asks for by name, which is not kept', async () => {
    await rowAt(NAME, INDICES, "This server doesn't list its indices. Add them by name.");
    const truncated = vscode.commands.executeCommand(COMMANDS.indexTruncate);
    await person.picks(/Select a time series index/, 'Another index…');
    await person.types(/Truncate Index: Unlisted \| Entity type/, 'dataset');
    await person.types(/Truncate Index: Unlisted \| Aspect, as/, 'operation');
    await truncated;
    const { tabGroups } = vscode.window;
    await until('its page', () => tabGroups.activeTabGroup.activeTab?.label === `Truncate dataset/operation (${NAME})`);
    assert.equal(await findRow([NAME, INDICES, 'dataset/operation']), undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');

    const left = vscode.commands.executeCommand(COMMANDS.indexTruncate);
    await person.picks(/Select a time series index/, 'Another index…');
    await person.types(/Entity type/, 'dataset');
    await person.leaves(/Aspect, as/);
    await left;
    assert.equal(tabGroups.activeTabGroup.activeTab, undefined);
  });

  async function addIndex(entityType: string, aspect: string): Promise<void> {
    const added = vscode.commands.executeCommand(COMMANDS.indexAdd, (await rowAt(NAME, INDICES)).node);
    await person.types(/Entity type/, entityType);
    await person.types(/Aspect, as/, aspect);
    await added;
    await rowAt(NAME, INDICES, `${entityType}/${aspect}`);
  }
});

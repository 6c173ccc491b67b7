import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import { addConnection, connectionAs } from './support/connections.ts';
import { currentActivation, reloadExtension } from './support/extension.ts';
import { personAt } from './support/fixtures.ts';
import { answerWith, calm, requestsWith } from './support/requests.ts';
import { onlyFailureOf, refresh, rowAt, rowsBelow, shownUser } from './support/tree.ts';
import { until } from './support/until.ts';

const ANALYST = 'urn:li:corpuser:analyst';

suite('Working with connections', () => {
  const service = hostService();
  const person = personAt(service);
  setup(async () => {
    await addConnection(person, connectionAs(service, 'admin', 'First'));
    await addConnection(person, connectionAs(service, 'analyst', 'Second'));
  });

  test('the last one added is in use; another can be chosen, and the choice survives a reload', async () => {
    assert.equal(inUse(), 'Second');
    const used = vscode.commands.executeCommand(COMMANDS.connectionUse);
    await person.picks(/Select the connection to use/, 'First');
    await used;
    assert.equal(inUse(), 'First');
    await reloadExtension();
    assert.equal(inUse(), 'First');
  });

  test('a command without a selection asks for the connection, the one in use first', async () => {
    const tested = vscode.commands.executeCommand(COMMANDS.connectionTest);
    const offered = await person.offered(/Select a connection/, 'Second');
    assert.deepEqual(
      offered.map(({ label }) => label),
      ['Second', 'First'],
    );
    await person.picks(/Select a connection/, 'Second');
    await tested;
    const { detail } = await person.answers(/^Connected to "Second"$/);
    assert.match(detail, /^DataHub v\S+\nSigned in as analyst\n/);
  });

  test('the lists to choose from say which connection is signed out', async () => {
    await person.runs(COMMANDS.connectionSignOut, await rowAt('First'), /^Sign out of "First"\?$/, 'Sign Out');
    const { host } = new URL(service.url);
    for (const [command, list] of [
      [COMMANDS.connectionUse, /Select the connection to use/],
      [COMMANDS.connectionTest, /Select a connection/],
    ] as const) {
      const asked = vscode.commands.executeCommand(command);
      const offered = await person.offered(list, 'First');
      const descriptionOf = (name: string): string | undefined =>
        offered.find(({ label }) => label === name)?.description;
      assert.deepEqual(
        [descriptionOf('First'), descriptionOf('Second')],
        [`signed out · ${host}`, `analyst @ ${host} · in use`],
      );
      await person.leaves(list);
      await asked;
    }
  });

  test('a failed test says why, offers the details, and leaves the tree as it is', async () => {
    const row = await rowAt('First');
    const before = await rowsBelow(await rowAt('First', 'Access tokens'));
    // Loaded with the tree, so its request may arrive late.
    await rowsBelow(await rowAt('Second', 'Access tokens'));
    await calm(service);
    await callService(service, 'addFault', { fault: { kind: 'html' }, times: 'always' });
    await vscode.commands.executeCommand(COMMANDS.connectionTest, row.node);
    await person.presses(/This may not be a metadata service/, 'Copy Details for a Report');
    await until('the report', async () => /^Kind: unexpectedAnswer$/m.test(await vscode.env.clipboard.readText()));
    assert.deepEqual(await requestsWith(service, 'listAccessTokens'), []);
    assert.equal((await rowsBelow(await rowAt('First', 'Access tokens'))).length, before.length);
  });

  test('a successful test loads the tree of its connection again, and no other', async () => {
    await answerWith(service, '', 503);
    await refresh(await rowAt('Second'));
    assert.match((await onlyFailureOf('Second')).label, /not ready/);
    await calm(service);
    await person.runs(COMMANDS.connectionTest, await rowAt('Second'), /^Connected to "Second"$/);
    assert.equal(await shownUser('Second'), 'analyst');
    assert.equal((await rowsBelow(await rowAt('Second', 'Access tokens')))[0]?.item.contextValue, 'token');
    const listings = await requestsWith(service, 'listAccessTokens');
    assert.deepEqual(new Set(listings.map(({ headers }) => headers['x-datahub-actor'])), new Set([ANALYST]));
  });

  function inUse(): string | undefined {
    return currentActivation().store.inUse()?.name;
  }
});

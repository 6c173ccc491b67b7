import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { CONTEXT_KEYS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import { connectionAs, removeConnections, saveConnection, tokenOf } from './support/connections.ts';
import { activated, currentActivation, installedExtension, reloadExtension } from './support/extension.ts';
import { Person } from './support/person.ts';
import { until } from './support/until.ts';

suite('Activation', () => {
  const service = hostService();
  const person = new Person();
  // Only observable in this suite, the first of all, before its first test.
  let before: boolean;
  let first: unknown;
  suiteSetup(async () => {
    person.arrive();
    before = installedExtension().isActive;
    first = (await activated()).api;
  });
  teardown(() => person.assertNothingOpen());
  suiteTeardown(async () => {
    await vscode.commands.executeCommand('workbench.view.explorer');
    await removeConnections(person);
    person.depart();
  });

  test('happens only when it is needed', () => {
    assert.equal(before, false);
    assert.equal(installedExtension().isActive, true);
    assert.equal(installedExtension().exports, first);
  });

  test('gives other extensions the connections from the start', async () => {
    const id = await saveConnection(connectionAs(service, 'admin', 'At once'));
    const { api } = await reloadExtension();
    assert.deepEqual(
      (await api.connections()).map((connection) => [connection.id, connection.name]),
      [[id, 'At once']],
    );
    await removeConnections(person);
  });

  test('says how many connections there are only once it has read them', async () => {
    await saveConnection(connectionAs(service, 'admin', 'Counted'));
    const { executeCommand } = vscode.commands;
    const counts: unknown[] = [];
    vscode.commands.executeCommand = (command, ...given: unknown[]) => {
      if (command === 'setContext' && given[0] === CONTEXT_KEYS.connectionCount) counts.push(given[1]);
      return executeCommand(command, ...given);
    };
    try {
      await reloadExtension();
    } finally {
      vscode.commands.executeCommand = executeCommand;
    }
    assert.deepEqual(counts, [1]);
    await removeConnections(person);
  });

  test('with a stored connection, sends nothing and reads no secret until the tree is shown', async () => {
    await saveConnection(connectionAs(service, 'admin', 'Activation'));
    await callService(service, 'clearRequests');
    await reloadExtension();
    // Not activated by a command without a server either.
    await vscode.commands.executeCommand('metadataService.log.show');
    assert.equal(currentActivation().secretReads, 0);
    assert.deepEqual(await callService(service, 'requests'), []);

    await vscode.commands.executeCommand('metadataService.explorer.focus');
    const requests = await until('the tree to list the access tokens', async () => {
      const sent = await callService(service, 'requests');
      return sent.some(({ body, status }) => body.includes('listAccessTokens') && status === 200) && sent;
    });
    const listing = requests.find(({ body }) => body.includes('listAccessTokens'));
    assert.equal(listing?.headers.authorization, `Bearer ${tokenOf(service, 'admin')}`);
    assert.equal(currentActivation().secretReads, 1, 'the credential is read once for all requests');
  });
});

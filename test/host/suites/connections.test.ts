import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import { ADDRESS, NAME, TOKEN, VERDICT, WHO, addConnection, connectionAs, removeConnections } from './support/connections.ts';
import { reloadExtension } from './support/extension.ts';
import { Person } from './support/person.ts';
import { calm, requestsWith } from './support/requests.ts';
import { rowAt, rowsBelow } from './support/tree.ts';

suite('Working with connections', () => {
  const service = hostService();
  const person = new Person();
  suiteSetup(async () => {
    person.arrive();
    await addConnection(person, connectionAs(service, 'admin', 'First'));
    await addConnection(person, connectionAs(service, 'analyst', 'Second'));
  });
  setup(() => calm(service));
  teardown(() => person.assertNothingOpen());
  suiteTeardown(async () => {
    await removeConnections(person);
    person.depart();
  });

  test('the one added last is in use; another can be chosen, and the choice outlives a reload', async () => {
    assert.deepEqual(await expanded(), ['Second']);
    const used = vscode.commands.executeCommand(COMMANDS.connectionUse);
    await person.picks(/Which connection shall commands use/, 'First');
    await used;
    assert.deepEqual(await expanded(), ['First']);
    await reloadExtension();
    assert.deepEqual(await expanded(), ['First']);
  });

  test('a command without a selection asks which connection is meant, the one in use first', async () => {
    const tested = vscode.commands.executeCommand(COMMANDS.connectionTest);
    const offered = await person.offered(/Which connection\?/, 'Second');
    assert.deepEqual(
      offered.map(({ label }) => label),
      ['First', 'Second'],
    );
    await person.picks(/Which connection\?/, 'Second');
    await tested;
    assert.match(await person.isTold(/^Second: /), /DataHub v\S+ · Signed in as analyst/);
  });

  test('a test that fails says why, and offers the details', async () => {
    const row = await rowAt('First');
    await callService(service, 'addFault', { fault: { kind: 'html' }, times: 'always' });
    await vscode.commands.executeCommand(COMMANDS.connectionTest, row.node);
    await person.presses(/not one that a metadata service gives/, 'Copy Details');
    await calm(service);
  });

  test('a new name keeps credential, tokens and tree as they are', async () => {
    await rowsBelow(await rowAt('Second', 'Access tokens'));
    await calm(service);
    const edited = vscode.commands.executeCommand(COMMANDS.connectionEdit, (await rowAt('Second')).node);
    await person.picks(ADDRESS, service.url);
    await person.types(WHO, 'analyst');
    await person.types(TOKEN, '');
    await person.types(NAME, 'Renamed');
    await person.picks(VERDICT, 'Save Connection');
    await edited;
    assert.equal((await rowAt('Renamed')).description, 'analyst');
    assert.ok((await rowsBelow(await rowAt('Renamed', 'Access tokens'))).length > 0);
    assert.deepEqual(await requestsWith(service, 'listAccessTokens'), [], 'the tokens were listed anew');
  });

  test('removing asks first, and Escape keeps everything', async () => {
    const kept = vscode.commands.executeCommand(COMMANDS.connectionRemove, (await rowAt('Renamed')).node);
    const question = await person.answers(/^Remove the connection "Renamed"\?$/);
    assert.match(question.detail, /token itself stays valid until it is revoked/);
    await kept;
    await rowAt('Renamed');

    const removed = vscode.commands.executeCommand(COMMANDS.connectionRemove, (await rowAt('Renamed')).node);
    await person.answers(/^Remove the connection "Renamed"\?$/, 'Remove');
    await removed;
    assert.deepEqual(
      (await rowsBelow()).map(({ label }) => label),
      ['First'],
    );
  });

  async function expanded(): Promise<string[]> {
    return (await rowsBelow())
      .filter(({ item }) => item.collapsibleState === vscode.TreeItemCollapsibleState.Expanded)
      .map(({ label }) => label);
  }
});

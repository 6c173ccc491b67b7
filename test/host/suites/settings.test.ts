import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS, SETTINGS } from '../../../src/manifest.ts';
import { hostService } from '../context.ts';
import { connectionAs, removeConnections, saveConnection } from './support/connections.ts';
import { Person } from './support/person.ts';
import { calm, requestsWith, variablesOf } from './support/requests.ts';
import { withSetting, withWorkspaceSettings } from './support/settings.ts';
import { TOKENS } from './support/tokens.ts';
import { rowAt } from './support/tree.ts';

const NAME = 'Settings';

suite('Settings', () => {
  const service = hostService();
  const person = new Person();
  suiteSetup(async () => {
    person.arrive();
    await saveConnection(connectionAs(service, 'analyst', NAME));
  });
  setup(() => calm(service));
  teardown(() => person.assertNothingOpen());
  suiteTeardown(async () => {
    await removeConnections(person);
    person.depart();
  });

  test('cannot be changed by a workspace, and include no address, name or token', async () => {
    const ours = Object.values(SETTINGS).map((id) => [id, 7]);
    const guesses = ['url', 'baseUrl', 'server', 'connections', 'token', 'actor'].flatMap((name) => [
      [`metadataService.${name}`, 'http://127.0.0.1:1'],
      [`metadataService.connection.${name}`, 'http://127.0.0.1:1'],
    ]);
    await withWorkspaceSettings(Object.fromEntries([...ours, ...guesses]) as Record<string, unknown>, async () => {
      assert.equal(await pageSize(), 50);
      for (const id of Object.values(SETTINGS)) {
        const found = vscode.workspace.getConfiguration().inspect(id);
        assert.deepEqual([found?.workspaceValue, found?.workspaceFolderValue], [undefined, undefined], id);
      }
    });
  });

  test('can be changed by the user, and are limited to their range', async () => {
    await withSetting(SETTINGS.tokenPageSize, 20, async () => assert.equal(await pageSize(), 20));
    await withSetting(SETTINGS.tokenPageSize, 1, async () => assert.equal(await pageSize(), 5));
    await withSetting(SETTINGS.tokenPageSize, 100_000, async () => assert.equal(await pageSize(), 500));
  });

  /** Page size of a listing from the start, as the service receives it. */
  async function pageSize(): Promise<unknown> {
    await calm(service);
    const listed = vscode.commands.executeCommand(COMMANDS.tokenFilter, (await rowAt(NAME, TOKENS)).node);
    await person.picks(/Filter by…/, 'My access tokens');
    await listed;
    const request = (await requestsWith(service, 'listAccessTokens')).at(-1);
    assert.ok(request !== undefined, 'the tokens were not asked for');
    return variablesOf(request)['count'];
  }
});

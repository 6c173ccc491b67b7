import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { SETTINGS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import { connectionAs, removeConnections, saveConnection } from './support/connections.ts';
import { Person } from './support/person.ts';
import { calm } from './support/requests.ts';
import { withSetting, withWorkspaceSettings } from './support/settings.ts';
import { TOKENS } from './support/tokens.ts';
import { refresh, rowAt, textOf, tooltipOf } from './support/tree.ts';

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
      for (const id of Object.values(SETTINGS)) {
        const found = vscode.workspace.getConfiguration().inspect(id);
        assert.deepEqual([found?.workspaceValue, found?.workspaceFolderValue], [undefined, undefined], id);
      }
    });
  });

  test('can be changed by the user, and are limited to their range', async () => {
    const fault = { kind: 'latency', millis: 600_000 } as const;
    for (const [seconds, limited] of [
      [6, 6],
      [1, 5],
    ] as const) {
      await calm(service);
      await callService(service, 'addFault', { fault, match: 'listAccessTokens', times: 'always' });
      await withSetting(SETTINGS.requestTimeoutSeconds, seconds, async () => refresh(await rowAt(NAME, TOKENS)));
      const failure = await rowAt(NAME, TOKENS, 'Timed out');
      assert.match(textOf(await tooltipOf(failure)), new RegExp(`didn't respond within ${limited} s`));
    }
  });
});

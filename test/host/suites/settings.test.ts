import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { SETTINGS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import { connectionAs, saveConnection } from './support/connections.ts';
import { personWith } from './support/fixtures.ts';
import { withSetting, withWorkspaceSettings } from './support/settings.ts';
import { TOKENS } from './support/tokens.ts';
import { refresh, rowAt, textOf, tooltipOf } from './support/tree.ts';

const NAME = 'Settings';

suite('Settings', () => {
  const service = hostService();
  personWith(service, () => saveConnection(connectionAs(service, 'analyst', NAME)));

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

  test('can be changed by the user', async () => {
    const fault = { kind: 'latency', millis: 600_000 } as const;
    await callService(service, 'addFault', { fault, match: 'listAccessTokens', times: 'always' });
    await withSetting(SETTINGS.requestTimeoutSeconds, 5, async () => refresh(await rowAt(NAME, TOKENS)));
    const failure = await rowAt(NAME, TOKENS, 'Timed out');
    assert.match(textOf(await tooltipOf(failure)), /didn't respond within 5 s/);
  });
});

import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS, SETTINGS, VIEWS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import { connectionAs, saveConnection } from './support/connections.ts';
import { installedExtension } from './support/extension.ts';
import { personWith } from './support/fixtures.ts';
import { withSetting, withWorkspaceSettings } from './support/settings.ts';
import { TOKENS } from './support/tokens.ts';
import { refresh, rowAt, textOf, tooltipOf } from './support/tree.ts';

const NAME = 'Settings';

/** package.json as read by VS Code, with its texts. `test/unit/manifest.test.ts` reads the file. */
interface Manifest {
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: unknown };
    readonly virtualWorkspaces: unknown;
  };
  readonly contributes: { readonly commands: readonly { readonly title: string }[] };
}

suite('The manifest as VS Code reads it', () => {
  const { capabilities, contributes } = installedExtension().packageJSON as Manifest;
  const service = hostService();
  personWith(service, () => saveConnection(connectionAs(service, 'analyst', NAME)));

  test('works in untrusted and virtual workspaces', () => {
    assert.deepEqual([capabilities.untrustedWorkspaces.supported, capabilities.virtualWorkspaces], [true, true]);
  });

  test('has a handler for each of its commands, whose titles are words', async () => {
    const registered = await vscode.commands.getCommands(true);
    const ours = registered.filter((command) => command.startsWith('metadataService.') && !isMadeByVSCode(command));
    assert.deepEqual(ours.toSorted(), Object.values<string>(COMMANDS).toSorted());
    for (const { title } of contributes.commands) {
      assert.doesNotMatch(title, /%/);
    }
  });

  test('has settings with defaults, none of them a text, that no workspace can change', async () => {
    const settings = Object.fromEntries(Object.values(SETTINGS).map((id) => [id, 7]));
    await withWorkspaceSettings(settings, async () => {
      for (const id of Object.values(SETTINGS)) {
        const found = vscode.workspace.getConfiguration().inspect(id);
        assert.equal(typeof found?.defaultValue, 'number', id);
        assert.deepEqual([found?.workspaceValue, found?.workspaceFolderValue], [undefined, undefined], id);
      }
    });
  });

  test('has settings that the user can change', async () => {
    const fault = { kind: 'latency', millis: 600_000 } as const;
    await callService(service, 'addFault', { fault, match: 'listAccessTokens', times: 'always' });
    await withSetting(SETTINGS.requestTimeoutSeconds, 5, async () => refresh(await rowAt(NAME, TOKENS)));
    const failure = await rowAt(NAME, TOKENS, 'Timed out');
    assert.match(textOf(await tooltipOf(failure)), /didn't respond within 5 s/);
  });
});

/** VS Code adds its own commands for each view, such as focus, open and remove. */
function isMadeByVSCode(command: string): boolean {
  return command.startsWith(`${VIEWS.explorer}.`) && !Object.values<string>(COMMANDS).includes(command);
}

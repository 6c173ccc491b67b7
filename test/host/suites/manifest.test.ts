import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS, SETTINGS, VIEWS } from '../../../src/manifest.ts';
import { activated, installedExtension } from './support/extension.ts';

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
  suiteSetup(async () => {
    await activated();
  });

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

  test('has settings with defaults, none of which is a text', () => {
    for (const id of Object.values<string>(SETTINGS)) {
      assert.equal(typeof vscode.workspace.getConfiguration().inspect(id)?.defaultValue, 'number', id);
    }
  });
});

/** VS Code adds its own commands for each view, such as focus, open and remove. */
function isMadeByVSCode(command: string): boolean {
  return command.startsWith(`${VIEWS.explorer}.`) && !Object.values<string>(COMMANDS).includes(command);
}

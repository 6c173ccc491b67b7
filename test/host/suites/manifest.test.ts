import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS, SETTINGS, VIEWS } from '../../../src/manifest.ts';
import { settings } from '../../../src/ui/settings.ts';
import { activated, installedExtension } from './support/extension.ts';
import { withWorkspaceSettings } from './support/settings.ts';

suite('The manifest as VS Code reads it', () => {
  suiteSetup(activated);

  test('has a handler for each of its commands, whose titles are words', async () => {
    const registered = await vscode.commands.getCommands(true);
    const ours = registered.filter((command) => command.startsWith('metadataService.') && !isMadeByVSCode(command));
    assert.deepEqual(ours.toSorted(), Object.values<string>(COMMANDS).toSorted());
    const { contributes } = installedExtension().packageJSON as {
      readonly contributes: { readonly commands: readonly { readonly title: string }[] };
    };
    for (const { title } of contributes.commands) {
      assert.doesNotMatch(title, /%/);
    }
  });

  test('has settings that the user can change, and no workspace', async () => {
    const changed = Object.fromEntries(Object.values(SETTINGS).map((id) => [id, 7]));
    await withWorkspaceSettings(changed, async () => {
      assert.equal(settings.requestTimeoutMillis(), 30_000);
      const update = (value: number | undefined): Thenable<void> =>
        vscode.workspace
          .getConfiguration()
          .update(SETTINGS.requestTimeoutSeconds, value, vscode.ConfigurationTarget.Global);
      await update(11);
      try {
        assert.equal(settings.requestTimeoutMillis(), 11_000);
      } finally {
        await update(undefined);
      }
      for (const id of Object.values(SETTINGS)) {
        const found = vscode.workspace.getConfiguration().inspect(id);
        assert.deepEqual([found?.workspaceValue, found?.workspaceFolderValue], [undefined, undefined], id);
      }
    });
  });
});

/** VS Code adds its own commands for each view, such as focus, open and remove. */
function isMadeByVSCode(command: string): boolean {
  return command.startsWith(`${VIEWS.explorer}.`) && !Object.values<string>(COMMANDS).includes(command);
}

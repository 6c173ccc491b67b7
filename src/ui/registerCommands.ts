/** Registers the commands with VS Code. Their handlers are loaded with the first that is run. */
import * as vscode from 'vscode';
import { COMMANDS } from '../manifest.ts';
import type { CommandRegistry } from './commands.ts';

export function registerCommands(load: () => Promise<CommandRegistry>): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.values(COMMANDS).map((id) =>
      // The result is always void: what a command returns, any extension could read.
      vscode.commands.registerCommand(id, async (clicked: unknown, selected: unknown): Promise<void> => {
        await (await load()).run(id, clicked, selected);
      }),
    ),
  );
}

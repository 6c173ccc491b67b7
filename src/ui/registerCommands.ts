/** Registers every command of package.json. Which code runs it is loaded with the first call. */
import * as vscode from 'vscode';
import { COMMANDS } from '../manifest.ts';
import type { Commands } from './commands.ts';

export function registerCommands(load: () => Promise<Commands>): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.values(COMMANDS).map((id) =>
      // The result is always void: what a command returns, any extension could read.
      vscode.commands.registerCommand(id, async (clicked: unknown, selected: unknown): Promise<void> => {
        await (await load()).run(id, clicked, selected);
      }),
    ),
  );
}

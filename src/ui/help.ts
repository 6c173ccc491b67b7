/** Shows the documents in the package as previews of VS Code. */
import * as vscode from 'vscode';
import { COMMANDS } from '../manifest.ts';
import type { CommandRegistry } from './commands.ts';

/** @param extensionUri The folder of the extension, which has the documents in `docs`. */
export function registerHelp(commands: CommandRegistry, extensionUri: vscode.Uri): void {
  const preview = async (name: string): Promise<void> => {
    await vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.joinPath(extensionUri, 'docs', name));
  };
  commands.handle(COMMANDS.helpGuide, () => preview('guide.md'));
  commands.handle(COMMANDS.helpTroubleshooting, () => preview('troubleshooting.md'));
}

import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from './until.ts';

/**
 * Does the work while the workspace has its own settings, as in a cloned repository. By then VS Code has read them:
 * one that it applies is among them.
 */
export async function withWorkspaceSettings(
  settings: Readonly<Record<string, unknown>>,
  work: () => Promise<void>,
): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder !== undefined, 'no folder is open');
  const file = vscode.Uri.joinPath(folder.uri, '.vscode', 'settings.json');
  const rulers = (): unknown => vscode.workspace.getConfiguration('editor').inspect('rulers')?.workspaceValue;
  await vscode.workspace.fs.writeFile(
    file,
    new TextEncoder().encode(JSON.stringify({ ...settings, 'editor.rulers': [77] })),
  );
  try {
    await until('VS Code to read the settings of the workspace', () => JSON.stringify(rulers()) === '[77]');
    await work();
  } finally {
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(file, '..'), { recursive: true });
    await until('VS Code to forget the settings of the workspace', () => rulers() === undefined);
  }
}

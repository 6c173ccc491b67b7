/** Where a file is first proposed. */
import * as vscode from 'vscode';

/** The first folder of the workspace that can be written to, else the person's own. */
export function exportFolder(): vscode.Uri {
  const writable = vscode.workspace.workspaceFolders?.find(
    ({ uri }) => vscode.workspace.fs.isWritableFileSystem(uri.scheme) === true,
  );
  return writable?.uri ?? vscode.Uri.file(process.env['USERPROFILE'] ?? process.env['HOME'] ?? '/');
}

/** Saves a file where the user chooses. */
import * as vscode from 'vscode';

interface SaveFileQuestion {
  readonly title: string;
  readonly fileName: string;
  /** Default: the first writable workspace folder, else the home. */
  readonly folder: vscode.Uri | undefined;
  readonly filters: Readonly<Record<string, string[]>>;
  readonly saveLabel: string | undefined;
}

/**
 * Asks where to save, and writes. The file extension decides between JSON and the other format.
 * @returns the file; undefined if the user cancelled.
 */
export async function saveFile(
  { title, fileName, folder, filters, saveLabel }: SaveFileQuestion,
  text: (format: 'json' | 'other') => string,
): Promise<vscode.Uri | undefined> {
  const defaultUri = vscode.Uri.joinPath(folder ?? proposedFolder(), fileName);
  const options: vscode.SaveDialogOptions = { title, defaultUri, filters };
  if (saveLabel !== undefined) {
    options.saveLabel = saveLabel;
  }
  const uri = await vscode.window.showSaveDialog(options);
  if (uri === undefined) {
    return undefined;
  }
  const format = uri.path.toLowerCase().endsWith('.json') ? 'json' : 'other';
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text(format)));
  return uri;
}

function proposedFolder(): vscode.Uri {
  const writable = vscode.workspace.workspaceFolders?.find(
    ({ uri }) => vscode.workspace.fs.isWritableFileSystem(uri.scheme) === true,
  );
  return writable?.uri ?? vscode.Uri.file(process.env['USERPROFILE'] ?? process.env['HOME'] ?? '/');
}

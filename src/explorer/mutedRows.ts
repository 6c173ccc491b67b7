/** Rows whose label is muted. A tree item has no colour of its own: VS Code takes one from the decoration of its URI. */
import * as vscode from 'vscode';

const SCHEME = 'metadata-service-muted';

export const MUTED = new vscode.ThemeColor('list.deemphasizedForeground');

/** What a row's `resourceUri` is for it to be muted. @param id Of the row. */
export function mutedUri(id: string): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${id}` });
}

/** Mutes such rows until it is disposed. */
export function muteRows(): vscode.Disposable {
  return vscode.window.registerFileDecorationProvider({
    provideFileDecoration: ({ scheme }) =>
      scheme === SCHEME ? new vscode.FileDecoration(undefined, undefined, MUTED) : undefined,
  });
}

/** Pages with what the extension's messages make them show. The page itself is in another process. */
import * as vscode from 'vscode';
import type { HostMessage } from '../../../../src/pages/kit/protocol.ts';
import type { Row } from './tree.ts';

type View = Readonly<Record<string, unknown>>;

export interface ListenedPage {
  readonly panel: vscode.WebviewPanel;
  /** What the page shows. Undefined until it is loaded. */
  view(): View | undefined;
  /** Delivers a message as if the page had sent it. */
  says(message: unknown): void;
}

const window = vscode.window as unknown as { createWebviewPanel: typeof vscode.window.createWebviewPanel };

/**
 * Opens a page from a row by its command.
 * @returns undefined if an open page is shown
 */
export async function openPage(command: string, row: Row): Promise<ListenedPage | undefined> {
  const pages: ListenedPage[] = [];
  const { createWebviewPanel } = window;
  window.createWebviewPanel = (...from) => {
    const panel = createWebviewPanel(...from);
    pages.push(listenedTo(panel));
    return panel;
  };
  try {
    await vscode.commands.executeCommand(command, row.node);
  } finally {
    window.createWebviewPanel = createWebviewPanel;
  }
  return pages[0];
}

function listenedTo(panel: vscode.WebviewPanel): ListenedPage {
  let shown: View | undefined;
  const heard = new vscode.EventEmitter<unknown>();
  const webview = panel.webview as {
    postMessage: vscode.Webview['postMessage'];
    onDidReceiveMessage: vscode.Webview['onDidReceiveMessage'];
  };
  const post = webview.postMessage.bind(panel.webview);
  webview.postMessage = (message: HostMessage<View>) => {
    shown = message.view;
    return post(message);
  };
  webview.onDidReceiveMessage((message: unknown) => heard.fire(message));
  webview.onDidReceiveMessage = heard.event;
  return {
    panel,
    view: () => shown,
    says: (message) => heard.fire(message),
  };
}

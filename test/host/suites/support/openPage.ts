/** Pages with a record of the extension's messages to them. The page itself is in another process. */
import * as vscode from 'vscode';
import type { Row } from './tree.ts';

type Message = Readonly<Record<string, unknown>> & { readonly type: string };

export interface ListenedPage {
  readonly panel: vscode.WebviewPanel;
  /** The first message of a type that the page received. */
  told(type: string): Message | undefined;
  /** The last view that the page received. */
  view(): Readonly<Record<string, unknown>> | undefined;
  /** All messages that the page received, oldest first. */
  readonly messages: readonly Message[];
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
  const messages: Message[] = [];
  const heard = new vscode.EventEmitter<unknown>();
  const webview = panel.webview as {
    postMessage: vscode.Webview['postMessage'];
    onDidReceiveMessage: vscode.Webview['onDidReceiveMessage'];
  };
  const post = webview.postMessage.bind(panel.webview);
  webview.postMessage = (message: Message) => {
    messages.push(message);
    return post(message);
  };
  webview.onDidReceiveMessage((message: unknown) => heard.fire(message));
  webview.onDidReceiveMessage = heard.event;
  return {
    panel,
    messages,
    told: (type) => messages.find((message) => message.type === type),
    view: () => messages.findLast(({ view }) => view !== undefined)?.['view'] as Record<string, unknown> | undefined,
    says: (message) => heard.fire(message),
  };
}

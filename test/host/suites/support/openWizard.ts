/** Wizards whose page is listened to: what the extension tells it. The page itself is in another process. */
import * as vscode from 'vscode';
import { COMMANDS } from '../../../../src/manifest.ts';
import type { Row } from './tree.ts';

type Message = Readonly<Record<string, unknown>> & { readonly type: string };

interface ListenedPage {
  /** The first message of a type that the page was told. */
  told(type: string): Message | undefined;
  /** The last view that it was told. */
  view(): Readonly<Record<string, unknown>> | undefined;
  /** As if the page had said it. */
  says(message: object): void;
}

const window = vscode.window as unknown as { createWebviewPanel: typeof vscode.window.createWebviewPanel };

/** Opens the wizard of an index, or of a truncation, from its row. */
export async function openWizard(
  row: Row,
  command: string = COMMANDS.indexTruncate,
): Promise<{ readonly page: ListenedPage }> {
  const messages: Message[] = [];
  const listeners: ((message: unknown) => unknown)[] = [];
  const { createWebviewPanel } = window;
  window.createWebviewPanel = (...from) => {
    const panel = createWebviewPanel(...from);
    const { webview } = panel;
    const post = webview.postMessage.bind(webview);
    webview.postMessage = (message: Message) => {
      messages.push(message);
      return post(message);
    };
    const receive = webview.onDidReceiveMessage.bind(webview);
    Object.defineProperty(webview, 'onDidReceiveMessage', {
      value: (listener: (message: unknown) => unknown) => {
        listeners.push(listener);
        return receive(listener);
      },
    });
    return panel;
  };
  try {
    await vscode.commands.executeCommand(command, row.node);
  } finally {
    window.createWebviewPanel = createWebviewPanel;
  }
  return {
    page: {
      told: (type) => messages.find((message) => message.type === type),
      view: () => messages.findLast(({ view }) => view !== undefined)?.['view'] as Record<string, unknown> | undefined,
      says: (message) => listeners.forEach((listener) => listener(message)),
    },
  };
}

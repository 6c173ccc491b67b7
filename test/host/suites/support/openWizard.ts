/** Wizards whose page is listened to: what the extension tells it. The page itself is in another process. */
import * as vscode from 'vscode';
import { COMMANDS } from '../../../../src/manifest.ts';
import type { Row } from './tree.ts';

type Message = Readonly<Record<string, unknown>> & { readonly type: string };

interface ListenedPage {
  /** The first message of a type that the page was told. */
  told(type: string): Message | undefined;
}

const window = vscode.window as unknown as { createWebviewPanel: typeof vscode.window.createWebviewPanel };

/** Opens the wizard of an index from its row. */
export async function openWizard(row: Row): Promise<{ readonly page: ListenedPage }> {
  const messages: Message[] = [];
  const { createWebviewPanel } = window;
  window.createWebviewPanel = (...from) => {
    const panel = createWebviewPanel(...from);
    const post = panel.webview.postMessage.bind(panel.webview);
    panel.webview.postMessage = (message: Message) => {
      messages.push(message);
      return post(message);
    };
    return panel;
  };
  try {
    await vscode.commands.executeCommand(COMMANDS.indexTruncate, row.node);
  } finally {
    window.createWebviewPanel = createWebviewPanel;
  }
  return { page: { told: (type) => messages.find((message) => message.type === type) } };
}

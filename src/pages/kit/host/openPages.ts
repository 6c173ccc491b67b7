/** The open pages of one kind. Loaded before the pages. */
import * as vscode from 'vscode';
import { inPlainText } from '../../../ui/foreignText.ts';

/** The host side of an open page. */
interface OpenPage extends vscode.Disposable {
  readonly connectionId: string;
  readonly panel: vscode.WebviewPanel;
  isShowing(recordId: string): boolean;
}

export class OpenPages<Page extends OpenPage> implements vscode.Disposable {
  readonly #open = new Set<Page>();

  isOpen(connectionId: string): boolean {
    return [...this.#open].some((open) => open.connectionId === connectionId);
  }

  /** Reveals the page that matches. @returns false if none does. */
  revealPanel(matches: (open: Page) => boolean): boolean {
    const found = [...this.#open].find(matches);
    found?.panel.reveal();
    return found !== undefined;
  }

  /** Keeps a page, and disposes it once its panel is closed. */
  add(page: Page): void {
    this.#open.add(page);
    page.panel.onDidDispose(() => {
      this.#open.delete(page);
      page.dispose();
    });
  }

  isShowing(recordId: string): boolean {
    return [...this.#open].some((open) => open.isShowing(recordId));
  }

  dispose(): void {
    [...this.#open].forEach((open) => open.dispose());
    this.#open.clear();
  }
}

/** An empty panel in the active group. @param title Shown until the page names its own tab. */
export function newPanel(viewType: string, title: string): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel(viewType, inPlainText(title), vscode.ViewColumn.Active);
}

/** Keeps the panels of one page. Loaded before the pages. */
import * as vscode from 'vscode';
import { inPlainText } from '../../../ui/foreignText.ts';

/** The host side of an open page. */
interface OpenPage extends vscode.Disposable {
  readonly connectionId: string;
  readonly panel: vscode.WebviewPanel;
  isShowing(recordId: string): boolean;
}

/** Fills panels with one page. Loaded with the first. */
export interface PagePanelOpener {
  /** Fills a restored panel from its unparsed state, or closes it. */
  restorePanel(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
}

interface PanelRegistryOptions<Page extends OpenPage, Opener extends PagePanelOpener> {
  readonly viewType: string;
  /** Shown until the page names its own tab. */
  readonly title: string;
  readonly load: (registry: PagePanelRegistry<Page, Opener>) => Promise<Opener>;
}

export class PagePanelRegistry<Page extends OpenPage, Opener extends PagePanelOpener> implements vscode.Disposable {
  readonly #options: PanelRegistryOptions<Page, Opener>;
  #loading: Promise<Opener> | undefined;
  readonly #open = new Set<Page>();

  constructor(options: PanelRegistryOptions<Page, Opener>) {
    this.#options = options;
  }

  /** Fills a restored panel from its unparsed state, or closes it. */
  async restorePanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    await (await this.loadOpener()).restorePanel(panel, state);
  }

  loadOpener(): Promise<Opener> {
    return (this.#loading ??= this.#options.load(this));
  }

  /** The active editor, if it is one of these. */
  get activePanel(): Page | undefined {
    return this.listPanels().find(({ panel }) => panel.active);
  }

  /** Snapshot, since panels may close. @param connectionId Undefined for all. */
  listPanels(connectionId?: string): readonly Page[] {
    return [...this.#open].filter((open) => connectionId === undefined || open.connectionId === connectionId);
  }

  /** Reveals the panel that matches. @returns false if none does. */
  revealPanel(matches: (open: Page) => boolean): boolean {
    const found = this.listPanels().find(matches);
    found?.panel.reveal();
    return found !== undefined;
  }

  /** Opens an empty panel in the active group. */
  createPanel(): vscode.WebviewPanel {
    const { viewType, title } = this.#options;
    return vscode.window.createWebviewPanel(viewType, inPlainText(title), vscode.ViewColumn.Active);
  }

  /** Keeps a page, and disposes it once its panel is closed. */
  addPanel(open: Page): void {
    this.#open.add(open);
    open.panel.onDidDispose(() => {
      this.#open.delete(open);
      open.dispose();
    });
  }

  isShowing(recordId: string): boolean {
    return this.listPanels().some((open) => open.isShowing(recordId));
  }

  dispose(): void {
    this.listPanels().forEach((open) => open.dispose());
    this.#open.clear();
  }
}

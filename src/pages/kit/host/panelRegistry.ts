/** Keeps the panels of one page. Loaded before the pages. */
import * as vscode from 'vscode';
import { inPlainText } from '../../../ui/foreignText.ts';

/** The host side of an open panel. */
export interface PagePanelContent extends vscode.Disposable {
  /** Redraws what changed. */
  updatePage(): void;
  /** True if the user sees this truncation's progress now. */
  isShowing(recordId: string): boolean;
}

interface OpenPagePanel<Content> {
  readonly connectionId: string;
  readonly panel: vscode.WebviewPanel;
  readonly content: Content;
}

/** Fills panels with one page. Loaded with the first. */
export interface PagePanelOpener extends vscode.Disposable {
  /** Fills a restored panel from its unparsed state, or closes it. */
  restorePanel(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
}

interface PanelRegistryOptions<Content extends PagePanelContent, Opener extends PagePanelOpener> {
  readonly viewType: string;
  /** Shown until the page names its own tab. */
  readonly title: string;
  readonly load: (registry: PagePanelRegistry<Content, Opener>) => Promise<Opener>;
}

export class PagePanelRegistry<Content extends PagePanelContent, Opener extends PagePanelOpener>
  implements vscode.Disposable
{
  readonly #options: PanelRegistryOptions<Content, Opener>;
  #loading: Promise<Opener> | undefined;
  readonly #open = new Set<OpenPagePanel<Content>>();

  constructor(options: PanelRegistryOptions<Content, Opener>) {
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
  get activePanel(): OpenPagePanel<Content> | undefined {
    return this.listPanels().find(({ panel }) => panel.active);
  }

  /** Snapshot, since panels may close. @param connectionId Undefined for all. */
  listPanels(connectionId?: string): readonly OpenPagePanel<Content>[] {
    return [...this.#open].filter((open) => connectionId === undefined || open.connectionId === connectionId);
  }

  /** Reveals the panel that matches. @returns false if none does. */
  revealPanel(matches: (open: OpenPagePanel<Content>) => boolean): boolean {
    const found = this.listPanels().find(matches);
    found?.panel.reveal();
    return found !== undefined;
  }

  /** Opens an empty panel in the active group. */
  createPanel(): vscode.WebviewPanel {
    const { viewType, title } = this.#options;
    return vscode.window.createWebviewPanel(viewType, inPlainText(title), vscode.ViewColumn.Active);
  }

  /** Keeps a panel, and disposes its content on closing. */
  addPanel(open: OpenPagePanel<Content>): void {
    this.#open.add(open);
    open.panel.onDidDispose(() => {
      this.#open.delete(open);
      open.content.dispose();
    });
  }

  /** @param connectionId Undefined for all. */
  updatePanels(connectionId?: string): void {
    this.listPanels(connectionId).forEach(({ content }) => content.updatePage());
  }

  closePanels(connectionId: string): void {
    this.listPanels(connectionId).forEach(({ panel }) => panel.dispose());
  }

  isShowing(recordId: string): boolean {
    return this.listPanels().some(({ content }) => content.isShowing(recordId));
  }

  dispose(): void {
    void this.#loading?.then((opener) => opener.dispose());
    this.listPanels().forEach(({ content }) => content.dispose());
    this.#open.clear();
  }
}

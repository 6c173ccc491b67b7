/** Opens overviews, and restores them after a reload. */
import type * as vscode from 'vscode';
import type { PagePanelOpener, PagePanelRegistry } from '../../kit/host/panelRegistry.ts';
import { parsePanelState } from '../protocol.ts';
import { OverviewPanel, type OverviewPanelOptions } from './panel.ts';

export type OverviewPanelRegistry = PagePanelRegistry<OverviewPanel, OverviewPanelOpener>;

export class OverviewPanelOpener implements PagePanelOpener {
  readonly #options: OverviewPanelOptions;
  readonly #registry: OverviewPanelRegistry;

  constructor(options: OverviewPanelOptions, registry: OverviewPanelRegistry) {
    this.#options = options;
    this.#registry = registry;
  }

  /** Shows a connection's overview, and loads missing sizes. */
  async openOverview(connectionId: string): Promise<void> {
    if (!this.#registry.revealPanel((open) => open.connectionId === connectionId)) {
      await this.#showOverview(this.#registry.createPanel(), connectionId);
    }
  }

  async restorePanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    await this.#options.store.load();
    await this.#showOverview(panel, parsePanelState(state)?.connectionId);
  }

  async #showOverview(panel: vscode.WebviewPanel, connectionId: string | undefined): Promise<void> {
    const { store, jobs, indexLists } = this.#options;
    const connection = connectionId === undefined ? undefined : store.get(connectionId);
    if (connection === undefined || this.#registry.listPanels(connection.id).length > 0) {
      panel.dispose();
      return;
    }
    const { id } = connection;
    this.#registry.addPanel(new OverviewPanel(panel, connection, this.#options));
    await Promise.all([jobs.load(), indexLists.get(id).ensureTried()]);
  }
}

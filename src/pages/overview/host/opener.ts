/** Opens overviews, restores them after a reload, and keeps them in step with what they show. */
import type * as vscode from 'vscode';
import { toServiceFailure } from '../../../service/failure/failure.ts';
import { disposeAll, type Disposable } from '../../../platform/events.ts';
import type { PagePanelOpener, PagePanelRegistry } from '../../kit/host/panelRegistry.ts';
import { parsePanelState } from '../protocol.ts';
import { OverviewPanel, type OverviewPanelOptions } from './panel.ts';

export type OverviewPanelRegistry = PagePanelRegistry<OverviewPanel, OverviewPanelOpener>;

export class OverviewPanelOpener implements PagePanelOpener {
  readonly #options: OverviewPanelOptions;
  readonly #registry: OverviewPanelRegistry;
  readonly #subscriptions: readonly Disposable[];

  constructor(options: OverviewPanelOptions, registry: OverviewPanelRegistry) {
    this.#options = options;
    this.#registry = registry;
    const update = (connectionId: string): void => registry.updatePanels(connectionId);
    this.#subscriptions = [
      options.indexLists.onDidChange(update),
      options.indexLists.onDidChangeGrowth(update),
      options.jobs.onDidChange(update),
      options.watch.onDidChange(({ connectionId }) => update(connectionId)),
      options.store.onDidChange(() => this.#followConnections()),
    ];
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

  dispose(): void {
    disposeAll(this.#subscriptions);
  }

  async #showOverview(panel: vscode.WebviewPanel, connectionId: string | undefined): Promise<void> {
    const { store, jobs, indexLists, log } = this.#options;
    const connection = connectionId === undefined ? undefined : store.get(connectionId);
    if (connection === undefined || this.#registry.listPanels(connection.id).length > 0) {
      panel.dispose();
      return;
    }
    const { id } = connection;
    this.#registry.addPanel(new OverviewPanel(panel, connection, this.#options));
    await Promise.all([jobs.load(), indexLists.get(id).ensureTried()]);
    await jobs.tidyUp(connection.baseUrl, Date.now()).catch((thrown: unknown) => log.failure(toServiceFailure(thrown)));
  }

  /** Closes the overviews of connections that were removed. */
  #followConnections(): void {
    for (const page of this.#registry.listPanels()) {
      if (this.#options.store.get(page.connectionId) === undefined) {
        page.panel.dispose();
      } else {
        page.updatePage();
      }
    }
  }
}

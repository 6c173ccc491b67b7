/** Opens overviews, restores them after a reload, and keeps them in step with what they show. */
import type * as vscode from 'vscode';
import { BatchStore } from '../../batch/batchStore.ts';
import { LastBatchStore } from '../../batch/lastBatchStore.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import { toServiceFailure } from '../../service/failure/failure.ts';
import { disposeAll, type Disposable } from '../../platform/events.ts';
import type { Folders } from '../../platform/folder.ts';
import type { Memento } from '../../platform/storage.ts';
import type { Clock } from '../../time.ts';
import type { PagePanelOpener, PagePanelRegistry } from '../../webview/host/panelRegistry.ts';
import { parsePanelState } from '../protocol.ts';
import { OverviewPanel, type OverviewPanelOptions } from './panel.ts';

export interface OverviewOpenerOptions extends Omit<
  OverviewPanelOptions,
  'batches' | 'lastBatches' | 'showingChanged'
> {
  readonly store: ConnectionStore;
  readonly shared: Memento;
  readonly folders: Folders;
  readonly clock: Clock;
}

export type OverviewPanelRegistry = PagePanelRegistry<OverviewPanel, OverviewPanelOpener>;

export class OverviewPanelOpener implements PagePanelOpener {
  readonly #options: OverviewOpenerOptions;
  readonly #registry: OverviewPanelRegistry;
  readonly #batches: BatchStore;
  readonly #lastBatches: LastBatchStore;
  readonly #subscriptions: readonly Disposable[];

  constructor(options: OverviewOpenerOptions, registry: OverviewPanelRegistry) {
    this.#options = options;
    this.#registry = registry;
    this.#batches = new BatchStore(options.folders('batches'), options.records);
    this.#lastBatches = new LastBatchStore(options.shared);
    const update = (connectionId: string): void => registry.updatePanels(connectionId);
    this.#subscriptions = [
      options.indexLists.onDidChange(update),
      options.indexLists.onDidChangeGrowth(update),
      options.records.onDidChange(update),
      options.records.onDidChange((connectionId) => void this.#dropUnneeded(connectionId)),
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

  /** Forgets interrupted batches and the last selection. */
  async forgetConnection(connectionId: string): Promise<void> {
    await this.#lastBatches.forgetConnection(connectionId);
    await this.#batches.forgetConnection(connectionId);
  }

  dispose(): void {
    disposeAll(this.#subscriptions);
  }

  async #showOverview(panel: vscode.WebviewPanel, connectionId: string | undefined): Promise<void> {
    const { store, records, indexLists } = this.#options;
    const connection = connectionId === undefined ? undefined : store.get(connectionId);
    if (connection === undefined || this.#registry.listPanels(connection.id).length > 0) {
      panel.dispose();
      return;
    }
    const { id } = connection;
    let last = connection;
    const content = new OverviewPanel(panel, () => (last = store.get(id) ?? last), {
      ...this.#options,
      batches: this.#batches,
      lastBatches: this.#lastBatches,
      showingChanged: () => this.#registry.showingChanged(),
    });
    this.#registry.addPanel({ connectionId: id, panel, content });
    await Promise.all([records.load(), indexLists.get(id).ensureTried()]);
    await this.#dropUnneeded(id);
  }

  /** Shortens interrupted batches by what was truncated alone. */
  async #dropUnneeded(connectionId: string): Promise<void> {
    const { store, records, log } = this.#options;
    const connection = store.get(connectionId);
    if (connection !== undefined) {
      await this.#batches
        .dropUnneeded(connectionId, (index) => records.sentTo(connection, index))
        .catch((thrown: unknown) => log.failure(toServiceFailure(thrown)));
    }
  }

  /** Closes the overviews of connections that were removed. */
  #followConnections(): void {
    for (const { connectionId, content } of this.#registry.listPanels()) {
      if (this.#options.store.get(connectionId) === undefined) {
        this.#registry.closePanels(connectionId);
      } else {
        content.updatePage();
      }
    }
  }
}

/** Opens overviews, brings them back after a reload, and keeps them in step with what happens around them. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import { OVERVIEW_VIEW_TYPE } from '../../manifest.ts';
import type { DurableFolder } from '../../platform/durableFolder.ts';
import type { Memento } from '../../platform/memento.ts';
import type { Clock } from '../../service/clock.ts';
import { BatchStore } from '../../batch/batchStore.ts';
import { parsePanelState } from '../protocol.ts';
import { OverviewPanel, type OverviewParts } from './panel.ts';

export interface OverviewPanelsParts extends Omit<OverviewParts, 'batches'> {
  readonly store: ConnectionStore;
  readonly shared: Memento;
  readonly folder: DurableFolder;
  readonly clock: Clock;
}

export class OverviewPanels implements vscode.Disposable {
  readonly #parts: OverviewPanelsParts;
  readonly #batches: BatchStore;
  readonly #open = new Map<string, { readonly panel: OverviewPanel; readonly tab: vscode.WebviewPanel }>();
  readonly #subscriptions: vscode.Disposable;

  constructor(parts: OverviewPanelsParts) {
    this.#parts = parts;
    this.#batches = new BatchStore(parts.shared, parts.folder, parts.clock, parts.records);
    const updateOf = (connectionId: string): void => this.#open.get(connectionId)?.panel.update();
    this.#subscriptions = vscode.Disposable.from(
      parts.indexLists.onDidChange(updateOf),
      parts.indexLists.onDidChangeGrowth(updateOf),
      parts.records.onDidChange(updateOf),
      parts.watch.onDidChange(({ connectionId }) => updateOf(connectionId)),
      parts.store.onDidChange(() => this.#connectionsChanged()),
    );
  }

  /** The overview of a connection: the one that is open, or a new one. */
  async open(connectionId: string): Promise<void> {
    const open = this.#open.get(connectionId);
    if (open === undefined) {
      await this.#show(
        vscode.window.createWebviewPanel(OVERVIEW_VIEW_TYPE, l10n.t('Index Overview'), vscode.ViewColumn.Active),
        connectionId,
      );
    } else {
      open.panel.reveal();
    }
  }

  /** @param state What VS Code kept of the panel: of whatever shape. */
  async restore(tab: vscode.WebviewPanel, state: unknown): Promise<void> {
    await this.#parts.store.load();
    await this.#show(tab, parsePanelState(state)?.connectionId);
  }

  /** Whether a person sees in an overview how a truncation goes on, right now. */
  isShowing(recordId: string): boolean {
    return [...this.#open.values()].some(({ panel }) => panel.isShowing(recordId));
  }

  forgetConnection(connectionId: string): Promise<void> {
    return this.#batches.forgetConnection(connectionId);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    for (const { panel } of this.#open.values()) {
      panel.dispose();
    }
  }

  async #show(tab: vscode.WebviewPanel, connectionId: string | undefined): Promise<void> {
    const { store, records, indexLists } = this.#parts;
    const connection = connectionId === undefined ? undefined : store.get(connectionId);
    if (connection === undefined || this.#open.has(connection.id)) {
      tab.dispose();
      return;
    }
    const { id } = connection;
    let last = connection;
    const panel = new OverviewPanel(tab, () => (last = store.get(id) ?? last), {
      ...this.#parts,
      batches: this.#batches,
    });
    this.#open.set(id, { panel, tab });
    panel.onDidDispose(() => {
      this.#open.delete(id);
      panel.dispose();
      this.#parts.showingChanged();
    });
    await Promise.all([records.load(), indexLists.get(id).ensureTried()]);
  }

  /** There is nothing to show of a connection that was removed. */
  #connectionsChanged(): void {
    for (const [connectionId, { panel, tab }] of this.#open) {
      if (this.#parts.store.get(connectionId) === undefined) {
        tab.dispose();
      } else {
        panel.update();
      }
    }
  }
}

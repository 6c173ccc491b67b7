/** The tree: connections with their tokens, indices and truncations. */
import * as vscode from 'vscode';
import { isRowClick } from '../connections/pickConnection.ts';
import type { CredentialStore } from '../connections/credentialStore.ts';
import { COMMANDS, VIEWS } from '../manifest.ts';
import type { CommandRegistry } from '../ui/commandRegistry.ts';
import { reloadSharedStores } from '../truncation/jobStore.ts';
import { type OpaqueRowHandle, handleOf, subjectOf } from '../ui/rowHandles.ts';
import { systemClock } from '../time.ts';
import { AwaitedRows } from './awaitedRows.ts';
import { ConnectionNode, type ConnectionNodeParts, UnreadableConnectionNode } from './connectionNode.ts';
import type { ExpandedRows } from './expandedRows.ts';
import type { ExplorerRows, ExplorerTreeView } from './explorerView.ts';
import { ListFailureNode } from './failureNode.ts';
import { type ExplorerNode, plainTreeItem } from './node.ts';

interface ExplorerParts extends ConnectionNodeParts {
  readonly credentials: CredentialStore;
  readonly view: ExplorerTreeView;
  readonly expandedRows: ExpandedRows;
}

export class Explorer implements ExplorerRows, vscode.Disposable {
  readonly #parts: ExplorerParts;
  readonly #nodes = new Map<string, ConnectionNode>();
  readonly #subscriptions: vscode.Disposable[];
  readonly #awaited = new AwaitedRows(systemClock);
  #looking: vscode.Disposable | undefined;

  constructor(parts: ExplorerParts) {
    this.#parts = parts;
    this.#subscriptions = [
      parts.view.onDidChangeVisibility(() => {
        void reloadSharedStores(parts);
        this.#watchWhileVisible();
      }),
      parts.view.onDidExpand(({ element }) => this.#rememberExpansion(element, true)),
      parts.view.onDidCollapse(({ element }) => this.#rememberExpansion(element, false)),
      parts.store.onDidChange(() => this.#connectionsChanged()),
      parts.tokenLists.onDidChange((id) => this.#refreshList(id, 'tokens')),
      parts.indexLists.onDidChange((id) => this.#refreshList(id, 'indices')),
      // The group comes and goes, so refresh its parent.
      parts.jobs.onDidChange((id) => this.#refreshTreeRow(this.#nodes.get(id))),
      parts.watch.onDidChange(({ connectionId }) => this.#refreshTreeRow(this.#nodes.get(connectionId)?.truncations)),
      parts.credentials.onDidChange((id) => this.#refreshTreeRow(this.#nodes.get(id))),
    ];
    this.#watchWhileVisible();
  }

  getTreeItem(handle: OpaqueRowHandle): vscode.TreeItem {
    const node = nodeOfHandle(handle);
    const item = plainTreeItem(node.item());
    const isExpanded =
      item.id === undefined ? undefined : this.#parts.expandedRows.isExpanded(node.connectionId, item.id);
    if (isExpanded !== undefined) {
      const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
      item.collapsibleState = isExpanded ? Expanded : Collapsed;
    }
    return item;
  }

  async getChildren(handle?: OpaqueRowHandle): Promise<OpaqueRowHandle[]> {
    if (handle === undefined) {
      await this.#parts.store.load();
      const { failure } = this.#parts.store;
      const failed = failure === undefined ? [] : [new ListFailureNode(undefined, failure)];
      const unreadable = this.#parts.store.unreadable().map((id) => new UnreadableConnectionNode(id));
      return [...failed, ...this.#connections(), ...unreadable].map(handleOf);
    }
    const node = nodeOfHandle(handle);
    if (node.parent === undefined) {
      // The connection in use is expanded by default, and stays so when another one is used.
      this.#rememberExpansion(handle, true);
    }
    return (await this.#awaited.childrenOf(node)).map(handleOf);
  }

  getParent(handle: OpaqueRowHandle): OpaqueRowHandle | undefined {
    const { parent } = nodeOfHandle(handle);
    return parent === undefined ? undefined : handleOf(parent);
  }

  resolveTreeItem(item: vscode.TreeItem, handle: OpaqueRowHandle): vscode.TreeItem {
    const tooltip = nodeOfHandle(handle).tooltip?.();
    if (tooltip !== undefined) {
      item.tooltip = tooltip.markdown;
    }
    return item;
  }

  /** Loads everything again that was loaded, of a connection or of all. */
  async refresh(connectionId?: string): Promise<void> {
    // Includes changes by other windows.
    await reloadSharedStores(this.#parts);
    await vscode.window.withProgress({ location: { viewId: VIEWS.explorer } }, async () => {
      const nodes = this.#connections().filter((node) => (connectionId ?? node.connectionId) === node.connectionId);
      await Promise.all(nodes.map((node) => node.refresh()));
    });
  }

  /** Draws rows again whose state has changed by itself: tokens end soon, or have ended. */
  drawOutdatedRows(): void {
    for (const node of this.#nodes.values()) {
      if (node.isStateOutdated) {
        this.#refreshTreeRow(node);
      }
      if (node.tokens.isOutdated) {
        this.#refreshTreeRow(node.tokens);
      }
    }
  }

  /** Selects the row of a connection. The first row takes the focus, since what had it may be gone: a view without rows. */
  async showConnection(connectionId: string): Promise<void> {
    const connections = this.#connections();
    const node = connections.find((one) => one.connectionId === connectionId);
    if (node !== undefined) {
      // Another window may have removed it.
      await this.#parts.view.reveal(handleOf(node), connections.length === 1).catch(() => undefined);
    }
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
    this.#looking?.dispose();
    this.#awaited.dispose();
  }

  #connections(): readonly ConnectionNode[] {
    return this.#parts.store.all().map((connection) => {
      const node = this.#nodes.get(connection.id) ?? new ConnectionNode(connection, this.#parts);
      node.connection = connection;
      this.#nodes.set(connection.id, node);
      return node;
    });
  }

  #connectionsChanged(): void {
    for (const id of this.#nodes.keys()) {
      if (this.#parts.store.get(id) === undefined) {
        this.#nodes.delete(id);
      }
    }
    this.#parts.view.refresh(undefined);
  }

  /** Also refreshes the connection's row if its state changed. */
  #refreshList(connectionId: string, list: 'tokens' | 'indices'): void {
    const node = this.#nodes.get(connectionId);
    // Its row waits for the other list too, which may take longer.
    this.#refreshTreeRow(node?.[list]);
    if (node?.isStateOutdated === true) {
      this.#refreshTreeRow(node);
    }
  }

  #rememberExpansion(handle: OpaqueRowHandle, isExpanded: boolean): void {
    const { connectionId } = nodeOfHandle(handle);
    const { id } = this.getTreeItem(handle);
    if (id !== undefined && this.#parts.store.get(connectionId) !== undefined) {
      // If it can't be stored, the row has its default state after a reload.
      void this.#parts.expandedRows.remember(connectionId, id, isExpanded).catch(() => undefined);
    }
  }

  #refreshTreeRow(node: ExplorerNode | undefined): void {
    if (node !== undefined) {
      this.#awaited.refresh(node, () => this.#parts.view.refresh(handleOf(node)));
    }
  }

  /** Watches tasks while the tree is visible. */
  #watchWhileVisible(): void {
    if (this.#parts.view.isVisible) {
      this.#looking ??= this.#parts.watch.keepWatching();
    } else {
      this.#looking?.dispose();
      this.#looking = undefined;
    }
  }
}

export function registerExplorerCommands(commands: CommandRegistry, explorer: Explorer): void {
  commands.handle(COMMANDS.explorerRefresh, (clicked) =>
    // The list of connections has a row for its own failure.
    explorer.refresh(isRowClick(clicked) && clicked.connectionId !== '' ? clicked.connectionId : undefined),
  );
}

/** @throws TypeError for a handle from elsewhere. */
function nodeOfHandle(handle: OpaqueRowHandle): ExplorerNode {
  const node = subjectOf(handle);
  if (!isExplorerNode(node)) {
    throw new TypeError('not a row of this tree');
  }
  return node;
}

function isExplorerNode(clicked: unknown): clicked is ExplorerNode {
  return typeof clicked === 'object' && clicked !== null && 'item' in clicked && 'connectionId' in clicked;
}

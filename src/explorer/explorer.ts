/** The one tree: connections, their access tokens, their time series indices, their truncations. */
import * as vscode from 'vscode';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { CredentialStore } from '../connections/credentialStore.ts';
import { COMMANDS, CONTEXT_KEYS, VIEWS } from '../manifest.ts';
import { failureReport } from '../service/failure/failureReport.ts';
import type { Clipboard } from '../ui/clipboard.ts';
import type { Commands } from '../ui/commands.ts';
import { reloadSharedStores } from '../truncation/sharedStores.ts';
import { type Handle, handleOf, subjectOf } from '../ui/handles.ts';
import { ConnectionNode, type ConnectionNodeParts } from './connectionNode.ts';
import { type ExplorerNode, plainItem } from './node.ts';

interface ExplorerParts extends Omit<ConnectionNodeParts, 'isSignedIn' | 'learnSignedIn' | 'isReadOnly'> {
  readonly credentials: CredentialStore;
  /** Ends removals of connections that a window did not live to end. Never throws. */
  readonly finishRemovals: () => Promise<void>;
}

/** Gives VS Code handles of its rows, never a row itself: another extension may come by what it is given. */
export class Explorer implements vscode.TreeDataProvider<Handle>, vscode.Disposable {
  readonly #parts: ExplorerParts;
  readonly #changed = new vscode.EventEmitter<Handle | undefined>();
  readonly #nodes = new Map<string, ConnectionNode>();
  readonly #signedIn = new Map<string, boolean>();
  /** The reading under way that `#signedIn` waits for. */
  readonly #learning = new Map<string, object>();
  readonly #subscriptions: vscode.Disposable[];
  readonly #view: vscode.TreeView<Handle>;
  #looking: vscode.Disposable | undefined;
  #hasFinishedRemovals = false;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(parts: ExplorerParts) {
    this.#parts = parts;
    this.#view = vscode.window.createTreeView(VIEWS.explorer, {
      treeDataProvider: this,
      showCollapseAll: true,
      canSelectMany: true,
    });
    this.#subscriptions = [
      this.#view,
      this.#view.onDidChangeVisibility(() => {
        void reloadSharedStores(parts);
        this.#look();
      }),
      parts.store.onDidChange(() => this.#connectionsChanged()),
      parts.tokenLists.onDidChange((id) => this.#showList(id, 'tokens')),
      parts.indexLists.onDidChange((id) => this.#showList(id, 'indices')),
      // The group of truncations comes and goes with its rows, so its parent is shown anew.
      parts.records.onDidChange((id) => this.#show(this.#nodes.get(id))),
      parts.watch.onDidChange(({ connectionId }) => this.#show(this.#nodes.get(connectionId)?.truncations)),
      parts.credentials.onDidChange((id) => {
        this.#show(this.#nodes.get(id));
        void this.#learnAgain(id);
      }),
    ];
    this.#look();
    this.#countConnections();
  }

  getTreeItem(handle: Handle): vscode.TreeItem {
    return plainItem(nodeOf(handle).item());
  }

  async getChildren(handle?: Handle): Promise<Handle[]> {
    if (handle === undefined) {
      await this.#parts.store.load();
      if (!this.#hasFinishedRemovals) {
        this.#hasFinishedRemovals = true;
        void this.#parts.finishRemovals();
      }
      return this.#connections().map(handleOf);
    }
    return ((await nodeOf(handle).children?.()) ?? []).map(handleOf);
  }

  getParent(handle: Handle): Handle | undefined {
    const { parent } = nodeOf(handle);
    return parent === undefined ? undefined : handleOf(parent);
  }

  resolveTreeItem(item: vscode.TreeItem, handle: Handle): vscode.TreeItem {
    const tooltip = nodeOf(handle).tooltip?.();
    if (tooltip !== undefined) {
      item.tooltip = tooltip.markdown;
    }
    return item;
  }

  /** Loads anew what is below a node, or below the connections that were opened. */
  async refresh(node: ExplorerNode | undefined): Promise<void> {
    // What another window did is shown too.
    await reloadSharedStores(this.#parts);
    let target = node;
    while (target !== undefined && target.refresh === undefined) {
      target = target.parent;
    }
    await vscode.window.withProgress({ location: { viewId: VIEWS.explorer } }, async () => {
      const nodes = target === undefined ? [...this.#nodes.values()].filter(({ wasOpened }) => wasOpened) : [target];
      await Promise.all(nodes.map((one) => one.refresh?.()));
    });
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
    this.#looking?.dispose();
    this.#changed.dispose();
  }

  #connections(): readonly ConnectionNode[] {
    return this.#parts.store.all().map((connection) => {
      const node = this.#nodes.get(connection.id) ?? new ConnectionNode(connection, this.#nodeParts());
      node.connection = connection;
      this.#nodes.set(connection.id, node);
      return node;
    });
  }

  #nodeParts(): ConnectionNodeParts {
    return {
      ...this.#parts,
      isReadOnly: (id) => this.#parts.store.get(id)?.role === 'readOnly',
      isSignedIn: (id) => this.#signedIn.get(id),
      learnSignedIn: (id) => this.#learnSignedIn(id),
    };
  }

  async #learnSignedIn(connectionId: string): Promise<void> {
    const connection = this.#parts.store.get(connectionId);
    if (connection === undefined) {
      return;
    }
    const mine = {};
    this.#learning.set(connectionId, mine);
    const signedIn = await this.#parts.credentials.read(connection).then(
      (token) => token !== undefined,
      () => false,
    );
    // Of several readings the last one knows best.
    if (this.#learning.get(connectionId) === mine && this.#signedIn.get(connectionId) !== signedIn) {
      this.#signedIn.set(connectionId, signedIn);
      this.#show(this.#nodes.get(connectionId));
    }
  }

  /** VS Code asks a row that is folded for nothing below it, so the row learns by itself. One that was never opened reads no secret. */
  async #learnAgain(connectionId: string): Promise<void> {
    if (this.#signedIn.has(connectionId)) {
      await this.#learnSignedIn(connectionId);
    }
  }

  #connectionsChanged(): void {
    for (const id of this.#nodes.keys()) {
      if (this.#parts.store.get(id) === undefined) {
        this.#nodes.delete(id);
        this.#signedIn.delete(id);
      }
    }
    this.#countConnections();
    this.#changed.fire(undefined);
    // Another window may have signed in or out: where it changed the connection, VS Code tells nothing of its credential.
    for (const id of this.#signedIn.keys()) {
      void this.#learnSignedIn(id);
    }
  }

  #countConnections(): void {
    void vscode.commands.executeCommand('setContext', CONTEXT_KEYS.connectionCount, this.#parts.store.all().length);
  }

  /** With the connection's own row where that tells of a failure, or no longer does. */
  #showList(connectionId: string, list: 'tokens' | 'indices'): void {
    const node = this.#nodes.get(connectionId);
    this.#show(node?.isOutdated === true ? node : node?.[list]);
    // The request before this used the credential, or found none.
    void this.#learnAgain(connectionId);
  }

  #show(node: ExplorerNode | undefined): void {
    if (node !== undefined) {
      this.#changed.fire(handleOf(node));
    }
  }

  /** Tasks are watched while the tree is visible. */
  #look(): void {
    if (this.#view.visible) {
      this.#looking ??= this.#parts.watch.look();
    } else {
      this.#looking?.dispose();
      this.#looking = undefined;
    }
  }
}

export function registerExplorerCommands(
  commands: Commands,
  explorer: Explorer,
  parts: { readonly store: ConnectionStore; readonly clipboard: Clipboard },
): void {
  commands.register(COMMANDS.explorerRefresh, (clicked) => explorer.refresh(isNode(clicked) ? clicked : undefined));
  commands.register(COMMANDS.failureCopyDetails, async (clicked) => {
    if (isNode(clicked) && clicked.failure !== undefined) {
      await parts.clipboard.copy(
        failureReport(clicked.failure, { connection: parts.store.get(clicked.connectionId)?.name, when: Date.now() }),
      );
    }
  });
}

/** @throws TypeError for a handle that this tree did not give out. */
function nodeOf(handle: Handle): ExplorerNode {
  const node = subjectOf(handle);
  if (!isNode(node)) {
    throw new TypeError('not a row of this tree');
  }
  return node;
}

function isNode(clicked: unknown): clicked is ExplorerNode {
  return typeof clicked === 'object' && clicked !== null && 'item' in clicked && 'connectionId' in clicked;
}

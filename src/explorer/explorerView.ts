/** The tree view, registered at startup. Its rows are loaded once VS Code asks for them. */
import * as vscode from 'vscode';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import { CONTEXT_KEYS, VIEWS } from '../manifest.ts';
import type { RowHandle } from '../ui/handles.ts';

/** The rows, once they are loaded. */
export interface ExplorerRows {
  getChildren(handle?: RowHandle): Promise<RowHandle[]>;
  /** @throws TypeError for a handle that this tree did not return. */
  getTreeItem(handle: RowHandle): vscode.TreeItem;
  getParent(handle: RowHandle): RowHandle | undefined;
  resolveTreeItem(item: vscode.TreeItem, handle: RowHandle): vscode.TreeItem;
}

/** Gives VS Code handles instead of rows, since other extensions can get hold of them. */
export class ExplorerView implements vscode.TreeDataProvider<RowHandle>, vscode.Disposable {
  readonly #load: () => Promise<ExplorerRows>;
  readonly #changed = new vscode.EventEmitter<RowHandle | undefined>();
  readonly #view: vscode.TreeView<RowHandle>;
  readonly #subscription: vscode.Disposable;
  #rows: ExplorerRows | undefined;
  readonly onDidChangeTreeData = this.#changed.event;
  readonly onDidChangeVisibility: vscode.Event<unknown>;

  constructor(store: ConnectionStore, load: () => Promise<ExplorerRows>) {
    this.#load = load;
    this.#view = vscode.window.createTreeView(VIEWS.explorer, {
      treeDataProvider: this,
      showCollapseAll: true,
      canSelectMany: true,
    });
    this.onDidChangeVisibility = this.#view.onDidChangeVisibility;
    const countConnections = (): void =>
      void vscode.commands.executeCommand('setContext', CONTEXT_KEYS.connectionCount, store.all().length);
    this.#subscription = vscode.Disposable.from(this.#view, this.#changed, store.onDidChange(countConnections));
    countConnections();
  }

  get isVisible(): boolean {
    return this.#view.visible;
  }

  async getChildren(handle?: RowHandle): Promise<RowHandle[]> {
    this.#rows ??= await this.#load();
    return this.#rows.getChildren(handle);
  }

  getTreeItem(handle: RowHandle): vscode.TreeItem {
    return this.#loaded().getTreeItem(handle);
  }

  getParent(handle: RowHandle): RowHandle | undefined {
    return this.#loaded().getParent(handle);
  }

  resolveTreeItem(item: vscode.TreeItem, handle: RowHandle): vscode.TreeItem {
    return this.#loaded().resolveTreeItem(item, handle);
  }

  /** Has VS Code ask for a row and what is below it again; for all rows without one. */
  refresh(handle: RowHandle | undefined): void {
    this.#changed.fire(handle);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #loaded(): ExplorerRows {
    if (this.#rows === undefined) {
      throw new TypeError('not a row of this tree');
    }
    return this.#rows;
  }
}

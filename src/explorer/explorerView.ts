/** The tree view, registered at startup. Its rows are loaded once VS Code asks for them. */
import * as vscode from 'vscode';
import { VIEWS } from '../manifest.ts';
import type { OpaqueRowHandle } from '../ui/handles.ts';

/** The rows, once they are loaded. */
export interface ExplorerRowProvider {
  getChildren(handle?: OpaqueRowHandle): Promise<OpaqueRowHandle[]>;
  /** @throws TypeError for a handle from elsewhere. */
  getTreeItem(handle: OpaqueRowHandle): vscode.TreeItem;
  getParent(handle: OpaqueRowHandle): OpaqueRowHandle | undefined;
  resolveTreeItem(item: vscode.TreeItem, handle: OpaqueRowHandle): vscode.TreeItem;
}

/** Gives VS Code handles, since other extensions can get rows. */
export class ExplorerTreeView implements vscode.TreeDataProvider<OpaqueRowHandle>, vscode.Disposable {
  readonly #load: () => Promise<ExplorerRowProvider>;
  readonly #changed = new vscode.EventEmitter<OpaqueRowHandle | undefined>();
  readonly #view: vscode.TreeView<OpaqueRowHandle>;
  #rows: ExplorerRowProvider | undefined;
  readonly onDidChangeTreeData = this.#changed.event;
  readonly onDidChangeVisibility: vscode.Event<unknown>;

  constructor(load: () => Promise<ExplorerRowProvider>) {
    this.#load = load;
    this.#view = vscode.window.createTreeView(VIEWS.explorer, {
      treeDataProvider: this,
      showCollapseAll: true,
      canSelectMany: true,
    });
    this.onDidChangeVisibility = this.#view.onDidChangeVisibility;
  }

  get isVisible(): boolean {
    return this.#view.visible;
  }

  async getChildren(handle?: OpaqueRowHandle): Promise<OpaqueRowHandle[]> {
    this.#rows ??= await this.#load();
    return this.#rows.getChildren(handle);
  }

  getTreeItem(handle: OpaqueRowHandle): vscode.TreeItem {
    return this.#requireLoadedRows().getTreeItem(handle);
  }

  getParent(handle: OpaqueRowHandle): OpaqueRowHandle | undefined {
    return this.#requireLoadedRows().getParent(handle);
  }

  resolveTreeItem(item: vscode.TreeItem, handle: OpaqueRowHandle): vscode.TreeItem {
    return this.#requireLoadedRows().resolveTreeItem(item, handle);
  }

  /** Has VS Code ask for a row and what is below it again; for all rows without one. */
  refresh(handle: OpaqueRowHandle | undefined): void {
    this.#changed.fire(handle);
  }

  /** Selects a row, in a view that is shown for it. @param focus False to keep the focus where it is. */
  async reveal(handle: OpaqueRowHandle, focus: boolean): Promise<void> {
    // VS Code asks for its parent, before it asked for any row of a view that was never shown.
    this.#rows ??= await this.#load();
    await this.#view.reveal(handle, { select: true, focus });
  }

  dispose(): void {
    this.#view.dispose();
    this.#changed.dispose();
  }

  #requireLoadedRows(): ExplorerRowProvider {
    if (this.#rows === undefined) {
      throw new TypeError('not a row of this tree');
    }
    return this.#rows;
  }
}

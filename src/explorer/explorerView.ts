/** The tree view, registered at startup. Its rows are loaded once VS Code asks for them. */
import * as vscode from 'vscode';
import { VIEWS } from '../manifest.ts';
import type { OpaqueRowHandle } from '../ui/rowHandles.ts';

/** The rows, once they are loaded. Throws TypeError for a handle from elsewhere. */
export type ExplorerRows = Required<Omit<vscode.TreeDataProvider<OpaqueRowHandle>, 'onDidChangeTreeData'>>;

/** Gives VS Code handles, since other extensions can get rows. */
export class ExplorerTreeView implements vscode.Disposable {
  readonly #load: () => Promise<ExplorerRows>;
  readonly #changed = new vscode.EventEmitter<OpaqueRowHandle | undefined>();
  readonly #view: vscode.TreeView<OpaqueRowHandle>;
  #rows: ExplorerRows | undefined;
  readonly provider: vscode.TreeDataProvider<OpaqueRowHandle>;
  readonly onDidChangeVisibility: vscode.Event<unknown>;
  readonly onDidExpand: vscode.Event<vscode.TreeViewExpansionEvent<OpaqueRowHandle>>;
  readonly onDidCollapse: vscode.Event<vscode.TreeViewExpansionEvent<OpaqueRowHandle>>;

  constructor(load: () => Promise<ExplorerRows>) {
    this.#load = load;
    this.provider = {
      onDidChangeTreeData: this.#changed.event,
      getChildren: async (handle) => (await this.#loadRows()).getChildren(handle),
      getTreeItem: (handle) => this.#loadedRows.getTreeItem(handle),
      getParent: (handle) => this.#loadedRows.getParent(handle),
      resolveTreeItem: (...asked) => this.#loadedRows.resolveTreeItem(...asked),
    };
    this.#view = vscode.window.createTreeView(VIEWS.explorer, {
      treeDataProvider: this.provider,
      showCollapseAll: true,
      canSelectMany: true,
    });
    this.onDidChangeVisibility = this.#view.onDidChangeVisibility;
    this.onDidExpand = this.#view.onDidExpandElement;
    this.onDidCollapse = this.#view.onDidCollapseElement;
  }

  get isVisible(): boolean {
    return this.#view.visible;
  }

  /** Has VS Code ask for a row and what is below it again; for all rows without one. */
  refresh(handle: OpaqueRowHandle | undefined): void {
    this.#changed.fire(handle);
  }

  /** Selects a row, in a view that is shown for it. @param focus False to keep the focus where it is. */
  async reveal(handle: OpaqueRowHandle, focus: boolean): Promise<void> {
    const mayBeHidden = this.#rows !== undefined && !this.#view.visible;
    // VS Code asks for its parent, before it asked for any row of a view that was never shown.
    await this.#loadRows();
    if (mayBeHidden) {
      // VS Code draws what changed in a hidden view a moment after it shows the view, and selects no row before.
      await this.#view.reveal(handle, { select: false });
      this.refresh(undefined);
    }
    await this.#view.reveal(handle, { select: true, focus });
  }

  dispose(): void {
    this.#view.dispose();
    this.#changed.dispose();
  }

  async #loadRows(): Promise<ExplorerRows> {
    return (this.#rows ??= await this.#load());
  }

  get #loadedRows(): ExplorerRows {
    if (this.#rows === undefined) {
      throw new TypeError('not a row of this tree');
    }
    return this.#rows;
  }
}

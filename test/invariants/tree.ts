/** The tree as it is drawn and read out. */
import type * as vscode from 'vscode';

/** A row of the tree. */
export interface Row {
  readonly handle: unknown;
  readonly item: vscode.TreeItem;
  readonly label: string;
  /** All that is shown or read out. */
  readonly text: string;
}

/** Reads the rows below one, or those at the top. */
export async function readRows(tree: vscode.TreeDataProvider<unknown>, below?: Row): Promise<readonly Row[]> {
  const handles = (await tree.getChildren(below?.handle)) ?? [];
  return Promise.all(handles.map((handle) => readRow(tree, handle)));
}

async function readRow(tree: vscode.TreeDataProvider<unknown>, handle: unknown): Promise<Row> {
  const item = await tree.getTreeItem(handle);
  const resolved = (await tree.resolveTreeItem?.(item, handle, undefined as never)) ?? item;
  const { tooltip } = resolved;
  const label = typeof item.label === 'string' ? item.label : (item.label?.label ?? '');
  const texts = [
    label,
    item.description,
    item.accessibilityInformation?.label,
    typeof tooltip === 'string' ? tooltip : tooltip?.value.replaceAll(/\\(.)/g, '$1'),
  ];
  return { handle, item, label, text: texts.filter(Boolean).join('\n') };
}

export function isExpandable({ item }: Row): boolean {
  return (item.collapsibleState ?? 0) > 0;
}

export function isToken({ item }: Row): boolean {
  return /^token(;|$)/.test(item.contextValue ?? '');
}

/** Building blocks of the tree. */
import * as vscode from 'vscode';
import type { ConnectionRef } from '../connections/pickConnection.ts';
import type { ServiceFailure } from '../service/failure/failure.ts';
import { RowTooltip } from '../ui/tooltip.ts';
import { LONGEST_SENTENCE, inPlace, inPlainText } from '../ui/foreignText.ts';

/**
 * A row of the tree. VS Code keeps selection and expansion by the ID of its item. Connections and their groups stay the
 * same object, since they are refreshed by it.
 */
export interface ExplorerNode extends ConnectionRef {
  readonly parent: ExplorerNode | undefined;
  item(): vscode.TreeItem;
  /** Absent for leaves. Never throws: failures are rows. */
  children?(): Promise<readonly ExplorerNode[]> | readonly ExplorerNode[];
  /** Computed when the pointer rests on the row. */
  tooltip?(): RowTooltip | undefined;
  /** Of a connection: what keeps all of its lists from loading, which has one row above theirs. */
  readonly failure?: ServiceFailure | undefined;
}

/** A row below another one. */
export abstract class ChildNode implements ExplorerNode {
  readonly parent: ExplorerNode;
  readonly connectionId: string;

  constructor(parent: ExplorerNode) {
    this.parent = parent;
    this.connectionId = parent.connectionId;
  }

  abstract item(): vscode.TreeItem;
}

/** Makes a row's texts harmless: names and sentences from servers could disguise themselves. */
export function plainTreeItem(item: vscode.TreeItem): vscode.TreeItem {
  if (typeof item.label === 'string') {
    item.label = inPlace(inPlainText(item.label));
  }
  if (typeof item.description === 'string') {
    item.description = inPlace(inPlainText(item.description));
  }
  if (item.accessibilityInformation !== undefined) {
    item.accessibilityInformation = {
      ...item.accessibilityInformation,
      label: inPlainText(item.accessibilityInformation.label, LONGEST_SENTENCE),
    };
  }
  return item;
}

/** @param color ID of a color of VS Code's themes. */
export function coloredIcon(id: string, color: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(id, new vscode.ThemeColor(color));
}

/** A plain message where there are no rows. */
export class ListMessageNode extends ChildNode {
  readonly #text: string;
  readonly #command: vscode.Command | undefined;

  constructor(parent: ExplorerNode, text: string, command?: vscode.Command) {
    super(parent);
    this.#text = text;
    this.#command = command;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(this.#text);
    item.contextValue = 'message';
    if (this.#command !== undefined) {
      // Its text may change.
      item.id = `${this.connectionId}/${this.#command.command}`;
      item.command = this.#command;
    }
    return item;
  }
}

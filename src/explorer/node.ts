/** What the tree is made of. */
import type * as vscode from 'vscode';
import type { ConnectionRef } from '../connections/pickConnection.ts';
import type { ServiceFailure } from '../service/failure/failure.ts';
import type { Tooltip } from '../ui/tooltip.ts';
import { LONGEST_SENTENCE, inPlace, inPlainText } from '../ui/foreignText.ts';

/** One row of the tree. The same row is the same object, so that VS Code keeps selection and expansion over a refresh. */
export interface ExplorerNode extends ConnectionRef {
  readonly parent: ExplorerNode | undefined;
  item(): vscode.TreeItem;
  /** Absent: a leaf. Never throws and never asks: a failure is a node of its own. */
  children?(): Promise<readonly ExplorerNode[]> | readonly ExplorerNode[];
  /** Loads anew what is below. Absent: the parent's is meant. */
  refresh?(): Promise<void>;
  /** Filled in when the row is hovered over. */
  tooltip?(): Tooltip;
  readonly failure?: ServiceFailure;
}

/** A row as it is shown: labels hold names and sentences of servers, in which VS Code draws no icons, but which could disguise. */
export function plainItem(item: vscode.TreeItem): vscode.TreeItem {
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

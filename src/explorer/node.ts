/** Building blocks of the tree. */
import type * as vscode from 'vscode';
import type { ConnectionRef } from '../connections/pickConnection.ts';
import type { ServiceFailure } from '../service/failure/failure.ts';
import type { RowTooltip } from '../ui/tooltip.ts';
import { LONGEST_SENTENCE, inPlace, inPlainText } from '../ui/foreignText.ts';

/** A row of the tree. Rows stay the same object, so VS Code keeps selection and expansion. */
export interface ExplorerNode extends ConnectionRef {
  readonly parent: ExplorerNode | undefined;
  item(): vscode.TreeItem;
  /** Absent for leaves. Never throws: failures are rows. */
  children?(): Promise<readonly ExplorerNode[]> | readonly ExplorerNode[];
  /** Reloads the rows below. Absent: the parent does. */
  refresh?(): Promise<void>;
  /** Computed when the pointer rests on the row. */
  tooltip?(): RowTooltip;
  readonly failure?: ServiceFailure;
}

/** Makes a row's texts harmless: names and sentences from servers could disguise themselves. */
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

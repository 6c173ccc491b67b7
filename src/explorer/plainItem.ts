import type * as vscode from 'vscode';
import { LONGEST_SENTENCE, inPlace, inPlainText } from '../ui/foreignText.ts';

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

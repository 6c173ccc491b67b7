/** Pick lists. Icons come only from an item's `icon`, never from its text. */
import * as vscode from 'vscode';
import { inLabel, inPlace, inPlainText } from './foreignText.ts';
import type { ServiceFailure } from '../service/failure/failure.ts';
import { wrappedLines } from './textLines.ts';

export interface PickItem extends vscode.QuickPickItem {
  /** Name of a VS Code icon, shown before the label. */
  readonly icon?: string;
}

export function createPick<T extends PickItem>(placeholder: string): vscode.QuickPick<T> {
  const pick = vscode.window.createQuickPick<T>();
  setPlaceholder(pick, placeholder);
  return pick;
}

/** Sets the text of the empty field. */
export function setPlaceholder(pick: vscode.QuickPick<PickItem>, placeholder: string): void {
  pick.placeholder = inPlainText(placeholder);
}

/** @param active The item to focus. */
export function showItems<T extends PickItem>(pick: vscode.QuickPick<T>, items: readonly T[], active?: T): void {
  pick.items = items.map(shown);
  if (active !== undefined) {
    pick.activeItems = pick.items.filter((_, index) => items[index] === active);
  }
}

function shown<T extends PickItem>(item: T): T {
  const { icon, label, description, detail } = item;
  return {
    ...item,
    label: `${icon === undefined ? '' : `$(${icon}) `}${inPlace(inLabel(label))}`,
    ...(description === undefined ? {} : { description: inPlace(inLabel(description)) }),
    ...(detail === undefined ? {} : { detail: inPlace(inLabel(detail)) }),
  };
}

/** A failure as items: the headline, then the full text. None has a value. */
export function failureItems({ headline, message, next }: ServiceFailure): PickItem[] {
  return [
    { icon: 'error', label: headline, alwaysShow: true },
    ...lineItems('info', message),
    ...(next === undefined ? [] : lineItems('lightbulb', next)),
  ];
}

/** The icon stands before the first line; the others are indented. Shown whatever is typed. */
function lineItems(icon: string, text: string): PickItem[] {
  return wrappedLines(text).map((label, line) => ({ icon: line === 0 ? icon : 'blank', label, alwaysShow: true }));
}

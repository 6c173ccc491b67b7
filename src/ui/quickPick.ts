/** Lists to pick from. An icon is drawn where an item has one, never because a text says so: whoever wrote it, it is shown as text. */
import * as vscode from 'vscode';
import { inLabel, inPlace, inPlainText } from './foreignText.ts';
import type { ServiceFailure } from '../service/failure/failure.ts';
import { wrapped } from './textLines.ts';

export interface PickItem extends vscode.QuickPickItem {
  /** One of VS Code's icons, in front of the label. */
  readonly icon?: string;
}

export function createPick<T extends PickItem>(placeholder: string): vscode.QuickPick<T> {
  const pick = vscode.window.createQuickPick<T>();
  ask(pick, placeholder);
  return pick;
}

/** Changes the words that stand in the empty field. */
export function ask(pick: vscode.QuickPick<PickItem>, placeholder: string): void {
  pick.placeholder = inPlainText(placeholder);
}

/** @param active One of the items, marked from the start. */
export function offer<T extends PickItem>(pick: vscode.QuickPick<T>, items: readonly T[], active?: T): void {
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

/** A failure: the reason in a few words first, then the whole of it. None of the items stands for anything. */
export function failureItems({ headline, message, next }: ServiceFailure): PickItem[] {
  return [
    { icon: 'error', label: headline, alwaysShow: true },
    ...lineItems('info', message),
    ...(next === undefined ? [] : lineItems('lightbulb', next)),
  ];
}

/** The icon stands in front of the first line; those below it are indented as much. Each is shown whatever is typed. */
function lineItems(icon: string, text: string): PickItem[] {
  return wrapped(text).map((label, line) => ({ icon: line === 0 ? icon : 'blank', label, alwaysShow: true }));
}

/** Rows in a narrow side bar. VS Code cuts off their end, where the description is. */
import type * as vscode from 'vscode';
import { inPlainText, withBothEnds } from '../ui/foreignText.ts';
import { LONGEST_WHOLE_NAME } from '../ui/tooltip.ts';

/** In average letters: fits into 300 px, the side bar's default width, in a wide font. */
const LONGEST_ROW = 26.5;
/** The same in a usual font, for what may be cut off. */
const LONGEST_WITH_EXTRAS = 29.5;
const ICON = 2;
/** Size of a description's letters compared with those of a label. */
const DESCRIPTION_SIZE = 0.9;

/** True if a row without an icon has room for the whole description in a usual font. */
export function fitsNarrowRow(label: string, description: string): boolean {
  return letterWidths(label) + DESCRIPTION_SIZE * letterWidths(description) <= LONGEST_WITH_EXTRAS;
}

/**
 * Shortens a long name, so that the state with which the description begins stays visible. Screen readers get
 * the whole name. Call it last.
 */
export function keepStateVisible(item: vscode.TreeItem, state: string): void {
  // Without tokens, of which a shortened name could show a piece.
  const name = inPlainText(typeof item.label === 'string' ? item.label : '');
  // The rest of the description is cut off with an ellipsis, which must not take the state's end.
  const shown = item.description === state ? state : `${state} …`;
  const room = LONGEST_ROW - (item.iconPath === undefined ? 0 : ICON) - DESCRIPTION_SIZE * letterWidths(shown);
  if (state === '' || letterWidths(name) <= room) {
    return;
  }
  let length = name.length;
  let label = name;
  while (length > LONGEST_WHOLE_NAME && letterWidths(label) > room) {
    label = withBothEnds(name, --length);
  }
  if (label !== name) {
    item.label = label;
    item.accessibilityInformation ??= { label: [name, item.description].join(' ') };
  }
}

const NARROW = /[fijlrtI.,:;'’|!()[\]\s-]/gu;
const WIDE = /[mwMW@%…\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** Estimates a text's width in average letters of a proportional font. */
function letterWidths(text: string): number {
  const count = (letters: RegExp): number => text.match(letters)?.length ?? 0;
  return text.length - 0.45 * count(NARROW) + 0.5 * count(WIDE);
}

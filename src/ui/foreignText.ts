/**
 * Text of a server, a colleague or a stored file, made fit for the place where it is shown. VS Code draws more than text in some
 * places: links that run commands, icons that look like ours. One function for each kind of place.
 *
 * A visible space takes the meaning away: `[Renew] (command:…)`, `$ (key)`. The name is still recognised, every font and screen
 * reader has a space, and nothing invisible ends up in what somebody copies, but for the mark of `inPlace`, which `asTyped` takes out
 * again. A backslash would be shown in messages, and in a quick pick it loses its icon again where the highlight of a search begins
 * between the two.
 */
import { redactTokens, plainLine, plainLineKeepingEnds } from '../service/failure/redaction.ts';

/** What a file's name keeps of a name: with a few words around it, it is far from what file systems take (255 bytes). */
const LONGEST_IN_FILE_NAME = 40;
/** What is shown of a name or of a server's words, in characters. */
export const LONGEST_QUOTE = 300;
/** About as much as a row of a quick pick shows beside its description, in characters. */
const LONGEST_BOTH_ENDS = 60;
/** A sentence of ours with what it quotes, in characters; VS Code cuts messages here itself. */
export const LONGEST_SENTENCE = 1_000;

/** Where VS Code shows text as it is (modal questions, titles, the tree, pages): one line, no token, nothing that disguises. */
export function inPlainText(text: string, longest: number = LONGEST_QUOTE): string {
  return redactTokens(plainLine(text, longest));
}

/** A sentence of ours in such a place, with the names and the words of a server that it quotes. */
export function inSentence(text: string): string {
  return inPlace(inPlainText(text, LONGEST_SENTENCE));
}

/** A name where there is room for a few words only: the beginning and the end of it. For `inLabel` and `inPlainText` to make fit. */
export function bothEnds(text: string): string {
  return plainLineKeepingEnds(text, LONGEST_BOTH_ENDS);
}

/** Letters that are written from right to left: Hebrew, Arabic and their neighbours. */
const LETTER = String.raw`[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]`;
/** What may stand between two of them in a name; a quotation mark and a comma end one name, and another begins. */
const BETWEEN = String.raw`(?:(?!["”“»」』][,;:.] )[^\p{L}])`;
/** A number belongs to the name before it where the quotation or the text ends behind it. */
const END = String.raw`[\p{M}\u200C\u200D)\]]*(?:[\p{N}\p{Zs}()[\]._#-]*(?:["”“»」』]|$))?`;
const RIGHT_TO_LEFT = new RegExp(`${LETTER}(?:${BETWEEN}*${LETTER})*${END}`, 'gu');
const LEFT_TO_RIGHT_MARK = '\u200E';

/**
 * A text of one line in which a name that is written from right to left keeps to itself: without the mark behind it, a number or a
 * bracket that follows is drawn before it. To be applied last, since `inPlainText` takes such marks out of what comes from elsewhere.
 */
export function inPlace(text: string): string {
  return text.replace(RIGHT_TO_LEFT, `$&${LEFT_TO_RIGHT_MARK}`);
}

/** What somebody typed, or copied from where we show it. */
export function asTyped(text: string): string {
  return text.replaceAll(LEFT_TO_RIGHT_MARK, '');
}

/** Where VS Code draws `$(icon)`: quick picks and the status bar. */
export function inLabel(text: string): string {
  return inPlainText(text, LONGEST_SENTENCE).replaceAll('$(', '$ (');
}

/**
 * Where VS Code makes a link of `[text](address)`: messages, titles of progress, and what stands below an input box. Some of them
 * draw icons too, as a progress does that moves to the status bar.
 */
export function inMessage(text: string): string {
  return inPlace(inLabel(text).replaceAll('](', '] ('));
}

/** In Markdown, a cell of a table included: as it is, and nothing more than text. Bare addresses would become links. */
export function inMarkdown(text: string, longest: number = LONGEST_SENTENCE): string {
  return inPlainText(text, longest).replace(/[\\`*_{}[\]()<>#+\-.!|~=:@&$]/g, String.raw`\$&`);
}

/**
 * For a part of a file's name, on any system: letters and digits of any script, and one hyphen for each run of anything else. Empty
 * where nothing is left.
 */
export function inFileName(text: string): string {
  const letters = inPlainText(text.normalize('NFC')).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return Array.from(letters.join('-')).slice(0, LONGEST_IN_FILE_NAME).join('').replace(/-$/, '');
}

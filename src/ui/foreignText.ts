/**
 * Text of a server, a colleague or a stored file, made fit for the place where it is shown. VS Code draws more than text in some
 * places: links that run commands, icons that look like ours. One function for each kind of place.
 *
 * A visible space takes the meaning away: `[Renew] (command:…)`, `$ (key)`. The name is still recognised, every font and screen
 * reader has a space, and nothing invisible ends up in what somebody copies. A backslash would be shown in messages, and in a
 * quick pick it loses its icon again where the highlight of a search begins between the two.
 */
import { plain, plainEnds } from '../service/failure/redaction.ts';

/** What a file's name keeps of a name: with a few words around it, it is far from what file systems take (255 bytes). */
const LONGEST_IN_FILE_NAME = 40;
/** What is shown of a name or of a server's words, in characters. */
const LONGEST_QUOTE = 300;
/** About as much as a row of a quick pick shows beside its description, in characters. */
const LONGEST_BOTH_ENDS = 60;
/** A sentence of ours with what it quotes, in characters; VS Code cuts messages here itself. */
export const LONGEST_SENTENCE = 1_000;

/** Where VS Code shows text as it is (modal questions, titles, the tree, tooltips, pages): one line, nothing that disguises. */
export function inPlainText(text: string, longest: number = LONGEST_QUOTE): string {
  return plain(text, longest);
}

/** A sentence of ours in such a place, with the names and the words of a server that it quotes. */
export function inSentence(text: string): string {
  return isolatedNames(inPlainText(text, LONGEST_SENTENCE));
}

/** A name where there is room for a few words only: the beginning and the end of it. For `inLabel` and `inPlainText` to make fit. */
export function bothEnds(text: string): string {
  return plainEnds(text, LONGEST_BOTH_ENDS);
}

/** Letters that are written from right to left: Hebrew, Arabic and their neighbours. */
const RIGHT_TO_LEFT = String.raw`[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]`;
const ANY_RIGHT_TO_LEFT = new RegExp(RIGHT_TO_LEFT, 'u');
/** What stands in quotation marks of any language and has such a letter, else such words in a row, with what is between them. */
const QUOTED = String.raw`(?<=["“„«「『])[^"“”„«»「」『』]*${RIGHT_TO_LEFT}[^"“”„«»「」『』]*(?=["“”»」』])`;
const WORDS = String.raw`${RIGHT_TO_LEFT}+(?:[\p{N}\p{Zs}._'’-]*${RIGHT_TO_LEFT}+)*`;
const NAME_RIGHT_TO_LEFT = new RegExp(`${QUOTED}|${WORDS}`, 'gu');
const [FIRST_STRONG_ISOLATE, POP_DIRECTIONAL_ISOLATE] = ['\u2068', '\u2069'];

/**
 * A text that stands beside others on a line, as a label does before its description: its letters don't draw a number beside it to
 * their other side. To be applied last, since `inPlainText` takes such marks out of what comes from elsewhere.
 */
export function isolated(text: string): string {
  return ANY_RIGHT_TO_LEFT.test(text) ? FIRST_STRONG_ISOLATE + text + POP_DIRECTIONAL_ISOLATE : text;
}

/** The same for each name that a sentence quotes: a number, a quotation mark or another name beside it keeps its side. */
export function isolatedNames(sentence: string): string {
  return sentence.replace(NAME_RIGHT_TO_LEFT, isolated);
}

/** Where VS Code draws `$(icon)`: quick picks and the status bar. */
export function inLabel(text: string): string {
  return plain(text, LONGEST_SENTENCE).replaceAll('$(', '$ (');
}

/**
 * Where VS Code makes a link of `[text](address)`: messages, titles of progress, and what stands below an input box. Some of them
 * draw icons too, as a progress does that moves to the status bar.
 */
export function inMessage(text: string): string {
  return isolatedNames(inLabel(text).replaceAll('](', '] ('));
}

/** In a Markdown document, a cell of a table included: as it is, and nothing more than text. */
export function inMarkdown(text: string): string {
  return plain(text, LONGEST_SENTENCE).replace(/[\\`*_{}[\]()<>#+\-.!|~=:@&$]/g, String.raw`\$&`);
}

/**
 * For a part of a file's name, on any system: letters and digits of any script, and one hyphen for each run of anything else. Empty
 * where nothing is left.
 */
export function inFileName(text: string): string {
  const letters = inPlainText(text.normalize('NFC')).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return Array.from(letters.join('-')).slice(0, LONGEST_IN_FILE_NAME).join('').replace(/-$/, '');
}

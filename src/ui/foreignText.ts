/**
 * Makes text from servers, other users or files harmless, with one function per kind of place. VS Code draws
 * links and icons in some places, which could run commands or imitate ours. A visible space breaks the syntax:
 * `[Renew] (command:…)`, `$ (key)`. Names stay readable, in any font and for screen readers, and copies have no
 * invisible characters except the mark of `inPlace`, which `asTyped` removes. A backslash would show in
 * messages, and in quick picks a search highlight can split it from its icon.
 */
import { redactTokens, plainLine, plainLineKeepingEnds } from '../service/failure/redaction.ts';

/** Limit for a name or a server's words, in characters. */
export const LONGEST_QUOTE = 300;
/** Roughly the space in a quick pick, in characters. */
const LONGEST_BOTH_ENDS = 60;
/** Limit for a sentence with quotes, in characters. VS Code also cuts messages here. */
export const LONGEST_SENTENCE = 1_000;

/** For places that show text as is (modals, titles, tree, pages): one line, no token, no disguise. */
export function inPlainText(text: string, longest: number = LONGEST_QUOTE): string {
  return redactTokens(plainLine(text, longest));
}

/** Same, for our sentences with quoted names and server messages. */
export function inSentence(text: string): string {
  return inPlace(inPlainText(text, LONGEST_SENTENCE));
}

/** Keeps both ends of a name. Pass the result to `inLabel` or `inPlainText`. */
export function withBothEnds(text: string, longest: number = LONGEST_BOTH_ENDS): string {
  return plainLineKeepingEnds(text, longest);
}

/** Right-to-left letters: Hebrew, Arabic and related scripts. */
const LETTER = String.raw`[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]`;
/** May stand within a right-to-left name. A quotation mark with a comma ends the name. */
const BETWEEN = String.raw`(?:(?!["”“»」』][,;:.] )[^\p{L}])`;
/** A number belongs to the name if the quotation or the text ends after it. */
const END = String.raw`[\p{M}\u200C\u200D)\]]*(?:[\p{N}\p{Zs}()[\]._#-]*(?:["”“»」』]|$))?`;
/** Created on first use, since compiling it slows down startup. */
let rightToLeftNames: RegExp | undefined;
const LEFT_TO_RIGHT_MARK = '\u200E';

/**
 * Isolates right-to-left names in a line. Without a mark, a following number or bracket would be drawn before
 * the name. Apply last, since `inPlainText` removes such marks from foreign text.
 */
export function inPlace(text: string): string {
  rightToLeftNames ??= new RegExp(`${LETTER}(?:${BETWEEN}*${LETTER})*${END}`, 'gu');
  return text.replace(rightToLeftNames, `$&${LEFT_TO_RIGHT_MARK}`);
}

/** Text as typed or pasted, without our marks. */
export function asTyped(text: string): string {
  return text.replaceAll(LEFT_TO_RIGHT_MARK, '');
}

/** For `$(icon)` syntax: quick picks and the status bar. */
export function inLabel(text: string): string {
  return inPlainText(text, LONGEST_SENTENCE).replaceAll('$(', '$ (');
}

/**
 * For places with `[text](address)` links: messages, progress titles, and input prompts. Some of them draw
 * icons too, such as progress in the status bar.
 */
export function inMessage(text: string): string {
  return inPlace(inLabel(text).replaceAll('](', '] ('));
}

/** For Markdown that is only read: literal text. Bare addresses would become links. */
export function inMarkdown(text: string, longest: number = LONGEST_SENTENCE): string {
  return inPlainText(text, longest).replace(/[\\`*_{}[\]()<>#+\-.!|~=:@&$]/g, String.raw`\$&`);
}

/** For Markdown that is copied from: a code span, which needs no escapes. Not for tables: a pipe would end the cell. */
export function inCodeSpan(text: string, longest: number = LONGEST_SENTENCE): string {
  const plain = inPlainText(text, longest);
  const runs = plain.match(/`+/g) ?? [];
  const fence = '`'.repeat(1 + Math.max(0, ...runs.map((run) => run.length)));
  // A backtick at an end would belong to the fence.
  const padding = plain.startsWith('`') || plain.endsWith('`') ? ' ' : '';
  return plain === '' ? '' : `${fence}${padding}${plain}${padding}${fence}`;
}

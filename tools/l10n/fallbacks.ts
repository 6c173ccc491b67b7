/** Finds English texts of the extension in a user interface in another language. */
import type { Texts } from './english.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': '\u00A0',
};

/** The place of a value. */
const PLACE = /\{\d+\}/;

/** Minimum of letters in a text with values: `{0} as {1}` would match any English. */
const LEAST_LETTERS = 8;

/** Texts in markup or plain text: between tags, and in the attributes that users read or hear. */
export function textsShown(markup: string): string[] {
  const attributes = Array.from(
    markup.matchAll(/\s(?:aria-label|title|placeholder|alt)="([^"]*)"/g),
    ([, value = '']) => value,
  );
  const between = markup.replaceAll(/<style[^]*?<\/style>/g, '').split(/<[^>]*>/);
  return [...attributes, ...between]
    .map((text) => text.replaceAll(/&(?:\w+|#39);/g, (entity) => ENTITIES[entity] ?? entity).trim())
    .filter((text) => text !== '');
}

/**
 * English texts that should be translated. A text without a translation may be English.
 * @param shown whole texts, as from {@link textsShown}
 * @param others texts that may be in English, such as those of VS Code itself
 */
export function englishAmong(
  shown: Iterable<string>,
  english: Texts,
  translated: Texts,
  others: ReadonlySet<string> = new Set(),
): string[] {
  const texts = Object.entries(english).filter(([key, text]) => key in translated && translated[key] !== text);
  const isWanted = isOneOf(
    texts.map(([, text]) => text).filter((text) => !others.has(text)),
    LEAST_LETTERS,
  );
  const mayBeEnglish = isUntranslated(english, translated);
  return [...new Set(shown)].filter((text) => isWanted(text) && !mayBeEnglish(text));
}

/** Recognizes texts of the extension that have no translation yet. */
export function isUntranslated(english: Texts, translated: Texts): (shown: string) => boolean {
  const texts = Object.entries(english).filter(([key]) => !(key in translated));
  return isOneOf(
    texts.map(([, text]) => text),
    1,
  );
}

/** @param leastLetters minimum of letters besides values; shorter texts are skipped */
function isOneOf(texts: readonly string[], leastLetters: number): (shown: string) => boolean {
  const lines = texts.flatMap((text) => text.split('\n').filter((line) => line !== '' && !line.startsWith('[')));
  const whole = new Set(lines.filter((text) => !PLACE.test(text)));
  const patterns = lines
    .filter((text) => PLACE.test(text) && lettersOf(text) >= leastLetters)
    .map((text) => text.split(PLACE));
  return (shown) => whole.has(shown) || patterns.some((parts) => fits(shown, parts));
}

function lettersOf(text: string): number {
  return text.replaceAll(/\{\d+\}|[^\p{L}]/gu, '').length;
}

/** True if a text is these parts with some value between each. For a whole page, a regular expression takes seconds. */
function fits(shown: string, parts: readonly string[]): boolean {
  const [first = '', ...between] = parts;
  const last = between.pop() ?? '';
  if (!shown.startsWith(first) || !shown.endsWith(last)) return false;
  let end = first.length;
  for (const part of between) {
    const start = shown.indexOf(part, end + 1);
    if (start === -1) return false;
    end = start + part.length;
  }
  return end < shown.length - last.length;
}

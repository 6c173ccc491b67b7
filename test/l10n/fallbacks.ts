/** Finds English texts of ours in what is shown in another language. */
import { escaped } from '../escaped.ts';
import type { Texts } from './english.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': '\u00A0',
};

/** A text with values in it must have this many letters of its own: `{0} as {1}` would be found in any English. */
const LEAST_LETTERS = 8;

/** The texts in a piece of markup, or in text: between tags, and in the attributes that people read or hear. */
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
 * The texts that are English although they have a translation.
 *
 * @param shown texts as a whole, as {@link textsShown} gives them
 * @param others texts that somebody else may show in English, such as VS Code itself
 */
export function englishAmong(
  shown: Iterable<string>,
  english: Texts,
  translated: Texts,
  others: ReadonlySet<string> = new Set(),
): string[] {
  const wanted = Object.entries(english)
    .filter(([key, text]) => translated[key] !== text && !others.has(text))
    .flatMap(([, text]) => text.split('\n').filter((line) => line !== '' && !line.startsWith('[')));
  const whole = new Set(wanted.filter((text) => !/\{\d+\}/.test(text)));
  const patterns = wanted.filter((text) => /\{\d+\}/.test(text) && lettersOf(text) >= LEAST_LETTERS).map(patternOf);
  return [...new Set(shown)].filter((text) => whole.has(text) || patterns.some((pattern) => pattern.test(text)));
}

function lettersOf(text: string): number {
  return text.replaceAll(/\{\d+\}|[^\p{L}]/gu, '').length;
}

function patternOf(text: string): RegExp {
  const parts = text.split(/\{\d+\}/).map(escaped);
  return new RegExp(`^${parts.join('.+')}$`, 's');
}

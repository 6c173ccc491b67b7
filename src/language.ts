/** Language of all texts, numbers, times and plurals: VS Code's display language if translated, else English. */
import * as l10n from '@vscode/l10n';

let textLanguage = 'en';
let rules: Intl.PluralRules | undefined;

/**
 * Call once, before the first text.
 * @param locale VS Code's display language: "pt-br".
 * @param texts Translations by English text; undefined for English. Numbers stay English then too, since
 * "expires in 3 days" is one sentence.
 */
export function useLanguage(locale: string, texts: Readonly<Record<string, string>> | undefined): void {
  l10n.config({ contents: texts ?? {} });
  textLanguage = texts === undefined ? 'en' : locale;
  rules = undefined;
}

/** A locale for Intl and `lang`. */
export function language(): string {
  return textLanguage;
}

/**
 * Chooses the text for a count: "0 Zeilen", but "0 ligne".
 * @param one Some languages use it for 0, so it contains `{0}` unless the count is never 0.
 * @param other For other counts; the only form in languages without plurals.
 */
export function plural(count: number, one: string, other: string): string {
  rules ??= new Intl.PluralRules(textLanguage);
  return rules.select(count) === 'one' ? one : other;
}

/** So that another sentence can follow. @param words Of a server, in any form. */
export function asSentence(words: string): string {
  return /[.!?…。！？]$/.test(words) ? words : `${words}.`;
}

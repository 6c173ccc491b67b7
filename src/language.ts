/** The language of every text: VS Code's display language where it is one of ours, else English. Numbers, times and plurals follow it. */
import * as l10n from '@vscode/l10n';
import { textKey } from './textKey.ts';

/** The languages that the texts are translated into, as VS Code names them. English is the source. */
export const LANGUAGES = ['de', 'es', 'fr', 'ja', 'ko', 'pt-br', 'zh-cn', 'zh-tw'] as const;
export type Language = (typeof LANGUAGES)[number];

let textLanguage = 'en';
let rules: Intl.PluralRules | undefined;

/**
 * To be called once, before the first text is made.
 * @param locale VS Code's display language: "pt-br".
 * @param texts The texts in it by their keys (`textKey`); undefined where there are none. Numbers stay English then too: "expires in
 * 3 days" is one sentence.
 */
export function useLanguage(locale: string, texts: Readonly<Record<string, string>> | undefined): void {
  const byEnglish: ProxyHandler<Readonly<Record<string, string>>> = {
    get: (byKey, english) => (typeof english === 'string' ? byKey[textKey(english)] : undefined),
  };
  l10n.config({ contents: new Proxy(texts ?? {}, byEnglish) });
  textLanguage = texts === undefined ? 'en' : locale;
  rules = undefined;
}

/** As Intl and `lang` take it. */
export function language(): string {
  return textLanguage;
}

/**
 * The text that fits the count in the language: "0 Zeilen", but "0 ligne".
 * @param one May be said of 0 too, so it holds the count as `{0}` unless the count is never 0.
 * @param other Of every other count; all there is in a language without plurals.
 */
export function plural(count: number, one: string, other: string): string {
  rules ??= new Intl.PluralRules(textLanguage);
  return rules.select(count) === 'one' ? one : other;
}

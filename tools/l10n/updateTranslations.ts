/** Brings the translations of a language up to date with the English texts. */
import type { Texts } from './english.ts';

/** A text without a translation. A translator fills in `translated`. */
export interface MissingTranslation {
  readonly key: string;
  readonly english: string;
  /** Places in the source, as context for the translator. */
  readonly places?: string | undefined;
  readonly translated: string;
}

/** Open work of a catalogue. out/l10n/<language>.json has one for each. */
export interface OpenTranslations {
  readonly missing: readonly MissingTranslation[];
  /** Translations of texts that were removed or reworded. */
  readonly dropped: Texts;
}

interface PreviousTranslations {
  /** Existing translations of the language. */
  readonly translated: Texts;
  /** English texts that they were translated from. */
  readonly from: Texts;
  /** The previous list, possibly with translations filled in. */
  readonly list: OpenTranslations | undefined;
}

/**
 * @param places where texts are in the source, by their keys
 * @returns the translations in the order of the English texts, and the open work
 */
export function broughtUp(
  english: Texts,
  { translated, from, list }: PreviousTranslations,
  places: Texts = {},
): OpenTranslations & { readonly texts: Texts } {
  const isCurrent = (key: string, of: string | undefined): boolean => of !== undefined && of === english[key];
  const entered = (list?.missing ?? []).filter((one) => one.translated !== '' && isCurrent(one.key, one.english));
  const kept = Object.entries(translated).filter(([key]) => isCurrent(key, from[key]));
  const texts: Texts = {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(entered.map((one) => [one.key, one.translated])),
  };
  const keys = Object.keys(english);
  const old = { ...list?.dropped, ...translated };
  return {
    texts: Object.fromEntries(keys.flatMap((key) => (key in texts ? [[key, texts[key] as string]] : []))),
    missing: keys
      .filter((key) => !(key in texts))
      .map((key) => ({ key, english: english[key] ?? '', places: places[key], translated: '' })),
    dropped: Object.fromEntries(Object.entries(old).filter(([key]) => !(key in texts))),
  };
}

/**
 * Summary that `npm run l10n` prints: the number of missing texts in each language, then each of these texts once.
 * @param byLanguage texts without a translation
 */
export function remainderLines(byLanguage: ReadonlyMap<string, readonly MissingTranslation[]>): string[] {
  const lacking = new Map<string, string[]>();
  for (const [language, missing] of byLanguage) {
    for (const { key } of missing) lacking.set(key, [...(lacking.get(key) ?? []), language]);
  }
  return [
    ...Array.from(byLanguage, ([language, { length }]) =>
      length === 0 ? `${language}: complete` : `${language}: ${length} not translated (out/l10n/${language}.json)`,
    ),
    ...Array.from(lacking, ([key, languages]) => {
      const where = languages.length === byLanguage.size ? '' : ` (${languages.join(', ')})`;
      return `- ${key.replaceAll('\n', String.raw`\n`)}${where}`;
    }),
  ];
}

/** The translations, in files named as VS Code requires. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.ts';
import { bundleTexts, manifestTexts, unwrapped, walkthroughTexts, type SourceText, type Texts } from './english.ts';

/** Languages of the translations, by VS Code's names. */
export const LANGUAGES = ['de', 'es', 'fr', 'ja', 'ko', 'pt-br', 'zh-cn', 'zh-tw'] as const;
export type DisplayLanguage = (typeof LANGUAGES)[number];

/** `manifest`: texts of package.json; `walkthrough`: its pages; `bundle`: texts of the source, including pages. */
export const CATALOGUES = ['manifest', 'walkthrough', 'bundle'] as const;
export type TextCatalogue = (typeof CATALOGUES)[number];

/**
 * English texts of package.json and of the walkthrough that were translated. Their keys don't change when they are
 * reworded.
 */
export const TRANSLATED_FROM = 'tools/l10n/translatedFrom.json';

export function englishTexts(source?: readonly SourceText[]): Readonly<Record<TextCatalogue, Texts>> {
  return { manifest: manifestTexts(), walkthrough: walkthroughTexts(), bundle: bundleTexts(source) };
}

/**
 * A language's files of a catalogue, relative to the repository's folder, each with its key. A key of undefined means
 * all.
 */
export function filesOf(
  catalogue: TextCatalogue,
  language: DisplayLanguage,
): { readonly file: string; readonly key: string | undefined }[] {
  switch (catalogue) {
    case 'manifest':
      return [{ file: `package.nls.${language}.json`, key: undefined }];
    case 'bundle':
      return [{ file: `l10n/bundle.l10n.${language}.json`, key: undefined }];
    case 'walkthrough':
      return Object.keys(walkthroughTexts()).map((key) => ({
        file: key.replace(/\.md$/, `.nls.${language}.md`),
        key,
      }));
  }
}

/** Undefined if there is no translation yet. */
export function translation(catalogue: TextCatalogue, language: DisplayLanguage): Texts | undefined {
  const found = filesOf(catalogue, language).filter(({ file }) => existsSync(join(root, file)));
  if (found.length === 0) return undefined;
  return Object.assign(
    {},
    ...found.map(({ file, key }) =>
      key === undefined ? readJson(file) : { [key]: unwrapped(readFileSync(join(root, file), 'utf8')) },
    ),
  ) as Texts;
}

/** A language's translations of the current texts, without those of removed or reworded ones. */
export function currentTranslation(
  catalogue: TextCatalogue,
  language: DisplayLanguage,
  english: Texts = englishTexts()[catalogue],
): Texts {
  const from = { ...(catalogue === 'bundle' ? english : translatedFrom()) };
  const texts = Object.entries(translation(catalogue, language) ?? {});
  return Object.fromEntries(texts.filter(([key]) => key in english && from[key] === english[key]));
}

/** English texts of package.json and of the walkthrough that were translated, by their keys. */
export function translatedFrom(): Texts {
  return (readJson(TRANSLATED_FROM) ?? {}) as Texts;
}

/** Existing files of translations, of all languages. */
export function translationFiles(): string[] {
  return LANGUAGES.flatMap((language) => CATALOGUES.flatMap((catalogue) => filesOf(catalogue, language)))
    .map(({ file }) => file)
    .filter((file) => existsSync(join(root, file)));
}

/** English texts that a language may keep, with reasons. */
export function sameInBoth(language: DisplayLanguage): Texts {
  return (readJson(`tools/l10n/same/${language}.json`) ?? {}) as Texts;
}

/** Parsed file of the repository. Undefined if it is missing. */
export function readJson(file: string): unknown {
  const path = join(root, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

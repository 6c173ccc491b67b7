/** The translations: two files for each language, named as VS Code looks for them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.ts';
import type { Texts } from './english.ts';

/** As VS Code calls its display languages. */
export const LANGUAGES = ['de', 'es', 'fr', 'ja', 'ko', 'pt-br', 'zh-cn', 'zh-tw'] as const;
export type Language = (typeof LANGUAGES)[number];

/** `manifest`: what package.json shows; `bundle`: what the source says, pages too. */
export const CATALOGUES = ['manifest', 'bundle'] as const;
export type Catalogue = (typeof CATALOGUES)[number];

/** Below the repository's folder. */
export function translationFile(catalogue: Catalogue, language: Language): string {
  return catalogue === 'manifest' ? `package.nls.${language}.json` : `l10n/bundle.l10n.${language}.json`;
}

/** Those that are there, of all languages. */
export function translationFiles(): string[] {
  return LANGUAGES.flatMap((language) => CATALOGUES.map((catalogue) => translationFile(catalogue, language))).filter(
    (file) => existsSync(join(root, file)),
  );
}

/** The texts of package.json that the translations were made from. */
export const TRANSLATED_FROM = 'test/l10n/translatedFrom.json';

/** Undefined where there is no such file yet. */
export function translation(catalogue: Catalogue, language: Language): Texts | undefined {
  return readTexts(translationFile(catalogue, language));
}

export function translatedFrom(): Texts | undefined {
  return readTexts(TRANSLATED_FROM);
}

/** The English texts that a language may have as they are, each with why that is so. */
export function sameInBoth(language: Language): Texts {
  return readTexts(`test/l10n/same/${language}.json`) ?? {};
}

function readTexts(file: string): Texts | undefined {
  return readJson(file) as Texts | undefined;
}

/** A file of the repository; undefined where it is missing. */
export function readJson(file: string): unknown {
  const path = join(root, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

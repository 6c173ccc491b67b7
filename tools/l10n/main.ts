// npm run l10n: updates the translations to the English texts, and lists the missing ones for a translator.
//
// npm run l10n -- [--release]
//
// --release ends with status 1 while a language lacks a text. A change can be merged without translations, a release
// needs all of them.
//
// For each language it applies the translations filled in in out/l10n/<language>.json, sorts its files like the
// English texts, drops unused and reworded texts, and writes out/l10n/<language>.json again: texts without a
// translation, with their places, and the dropped translations, which are often close to the new ones. Until they are
// translated, these texts are shown in English.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../paths.ts';
import { sourceTexts, type Texts } from './english.ts';
import {
  CATALOGUES,
  LANGUAGES,
  TRANSLATED_FROM,
  englishTexts,
  filesOf,
  readJson,
  sameInBoth,
  translatedFrom,
  translation,
  type DisplayLanguage,
  type TextCatalogue,
} from './translationFiles.ts';
import { broughtUp, remainderLines, type MissingTranslation, type OpenTranslations } from './updateTranslations.ts';

const { values: options } = parseArgs({ options: { release: { type: 'boolean', default: false } } });
const source = sourceTexts();
const english = englishTexts(source);
const places = Object.fromEntries(source.map((one) => [one.text, one.places.join(', ')]));
const keyed = { ...english.manifest, ...english.walkthrough };
const from = { ...translatedFrom(), ...english.bundle };

const remainders = new Map<DisplayLanguage, readonly MissingTranslation[]>();
for (const folder of ['out/l10n', 'l10n']) mkdirSync(join(root, folder), { recursive: true });
for (const language of LANGUAGES) {
  const listFile = `out/l10n/${language}.json`;
  const lists = readJson(listFile) as Partial<Record<TextCatalogue, OpenTranslations>> | undefined;
  const left = CATALOGUES.map((catalogue): [TextCatalogue, OpenTranslations] => {
    const translated = translation(catalogue, language) ?? {};
    const { texts, missing, dropped } = broughtUp(
      english[catalogue],
      { translated, from, list: lists?.[catalogue] },
      catalogue === 'bundle' ? places : {},
    );
    writeTexts(catalogue, language, texts);
    return [catalogue, { missing, dropped }];
  });
  writeJson(listFile, Object.fromEntries(left));
  remainders.set(
    language,
    left.flatMap(([, { missing }]) => missing),
  );
  dropReasons(language);
}
writeJson(TRANSLATED_FROM, keyed);
for (const line of remainderLines(remainders)) console.log(line);
const lacking = [...remainders].filter(([, missing]) => missing.length > 0);
if (options.release && lacking.length > 0) {
  console.error(
    `Not translated completely: ${lacking.map(([language]) => language).join(', ')}. A release needs every text.`,
  );
  process.exitCode = 1;
}

/** Removes the reasons of removed texts. */
function dropReasons(language: DisplayLanguage): void {
  const texts = new Set(Object.values({ ...keyed, ...english.bundle }));
  const same = Object.entries(sameInBoth(language)).filter(([text]) => texts.has(text));
  writeJson(`tools/l10n/same/${language}.json`, Object.fromEntries(same));
}

/** Writes a catalogue, and deletes files without texts. */
function writeTexts(catalogue: TextCatalogue, language: DisplayLanguage, texts: Texts): void {
  for (const { file, key } of filesOf(catalogue, language)) {
    const text = key === undefined ? undefined : texts[key];
    if (text !== undefined) writeFileSync(join(root, file), `${text}\n`);
    else if (key === undefined && Object.keys(texts).length > 0) writeJson(file, texts);
    else rmSync(join(root, file), { force: true });
  }
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(join(root, file), `${JSON.stringify(value, undefined, 2)}\n`);
}

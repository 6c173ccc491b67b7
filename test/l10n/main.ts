// npm run l10n: brings the translations up to date with the English texts, and lists what is left for a translator.
//
// For each language it takes over what was filled in into out/l10n/<language>.json, sorts its files as the English texts are,
// drops what is not used any more or was reworded, and writes out/l10n/<language>.json anew: the texts without a translation,
// with where they stand, and what was dropped, since that is often almost the translation that is needed.
//
// The keys of package.nls.json stay when its texts change, so the texts that were translated are kept in
// test/l10n/translatedFrom.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.ts';
import { bundleTexts, manifestTexts, sourceTexts } from './english.ts';
import {
  CATALOGUES,
  LANGUAGES,
  TRANSLATED_FROM,
  readJson,
  translatedFrom,
  translation,
  translationFile,
} from './translations.ts';
import type { Catalogue } from './translations.ts';
import { broughtUp } from './upToDate.ts';
import type { Remainder } from './upToDate.ts';

const source = sourceTexts();
const bundle = bundleTexts(source);
const english = { manifest: manifestTexts(), bundle };
const from = { manifest: translatedFrom() ?? english.manifest, bundle };
const places = Object.fromEntries(source.map((one) => [one.text, one.places.join(', ')]));

for (const folder of ['out/l10n', 'l10n']) mkdirSync(join(root, folder), { recursive: true });
for (const language of LANGUAGES) {
  const listFile = `out/l10n/${language}.json`;
  const lists = readJson(listFile) as Partial<Record<Catalogue, Remainder>> | undefined;
  const left = CATALOGUES.map((catalogue): [Catalogue, Remainder] => {
    const translated = translation(catalogue, language) ?? {};
    const { texts, missing, dropped } = broughtUp(
      english[catalogue],
      { translated, from: from[catalogue], list: lists?.[catalogue] },
      catalogue === 'bundle' ? places : {},
    );
    if (Object.keys(texts).length > 0) writeJson(translationFile(catalogue, language), texts);
    return [catalogue, { missing, dropped }];
  });
  writeJson(listFile, Object.fromEntries(left));
  const counts = left.map(([name, { missing }]) => `${name} ${missing.length}`).join(', ');
  console.log(`${language}: not translated: ${counts} (${listFile})`);
}
writeJson(TRANSLATED_FROM, english.manifest);

function writeJson(file: string, value: unknown): void {
  writeFileSync(join(root, file), `${JSON.stringify(value, undefined, 2)}\n`);
}

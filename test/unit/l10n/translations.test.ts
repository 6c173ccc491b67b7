// The translations as they are. Whatever fails here is listed by `npm run l10n`, which also takes over what a translator fills in.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { bundleTexts, manifestTexts } from '../../l10n/english.ts';
import { quotationFaults, translationFaults } from '../../l10n/faults.ts';
import {
  CATALOGUES,
  LANGUAGES,
  sameInBoth,
  translatedFrom,
  translation,
  translationFile,
} from '../../l10n/translations.ts';
import type { Language } from '../../l10n/translations.ts';
import { root } from '../../paths.ts';
import { readSources } from '../sources.ts';

const english = { manifest: manifestTexts(), bundle: bundleTexts() };

/** Everything that the language has, in one. */
function all(language: Language): Record<string, string> {
  return Object.assign({}, ...CATALOGUES.map((catalogue) => translation(catalogue, language) ?? {})) as Record<
    string,
    string
  >;
}

const translated = LANGUAGES.filter((language) => Object.keys(all(language)).length > 0);
const sources = await readSources();
const privileges = [
  ...new Set(
    sources.flatMap(({ code }) => Array.from(code.matchAll(/\bprivilege:"([^"]+)"/g), ([, name = '']) => name)),
  ),
];

suite('The English texts', () => {
  test('of package.json are those that it asks for', () => {
    const asked = readFileSync(join(root, 'package.json'), 'utf8').match(/(?<="%)[^%"]+(?=%")/g) ?? [];
    assert.deepEqual(Object.keys(english.manifest).toSorted(), [...new Set(asked)].toSorted());
  });

  test('name privileges as servers do', () => {
    assert.ok(privileges.includes('Manage All Access Tokens'));
    assert.ok(Object.keys(english.bundle).some((text) => privileges.some((name) => text.includes(name))));
  });
});

suite('Each translation', () => {
  for (const language of translated) {
    const same = sameInBoth(language);
    for (const catalogue of CATALOGUES) {
      const file = translationFile(catalogue, language);
      test(`${file} has every text, and each with all that is in the English one`, () => {
        assert.deepEqual(
          translationFaults(english[catalogue], translation(catalogue, language) ?? {}, same, privileges),
          [],
        );
      });
      test(`${file} is sorted as the English texts are`, () => {
        const keys = Object.keys(translation(catalogue, language) ?? {});
        assert.deepEqual(
          keys,
          Object.keys(english[catalogue]).filter((key) => keys.includes(key)),
        );
      });
    }

    test(`${language} calls a command, a button or a row the same everywhere`, () => {
      const texts = { ...english.manifest, ...english.bundle };
      const its = all(language);
      assert.deepEqual(quotationFaults(Object.keys(texts).map((key) => [texts[key] ?? '', its[key] ?? ''])), []);
    });

    test(`${language} says of every text that it has in common with English why that is so`, () => {
      const texts: Record<string, string> = { ...english.manifest, ...english.bundle };
      const its = all(language);
      for (const [text, reason] of Object.entries(same)) {
        const keys = Object.keys(texts).filter((key) => texts[key] === text);
        assert.ok(
          keys.some((key) => its[key] === text),
          `"${text}" is translated, or not used any more`,
        );
        assert.match(reason, /\w \w/, `why "${text}" is the same`);
      }
    });
  }

  test('of package.json is one of today’s texts', () => {
    if (translated.length > 0) assert.deepEqual(translatedFrom(), english.manifest);
  });

  test('is in a language that there is', () => {
    const found = readdirSync(root)
      .concat(existsSync(join(root, 'l10n')) ? readdirSync(join(root, 'l10n')) : [])
      .flatMap((file) => /^(?:package\.nls|bundle\.l10n)\.(.+)\.json$/.exec(file)?.[1] ?? []);
    assert.deepEqual(
      found.filter((language) => !(LANGUAGES as readonly string[]).includes(language)),
      [],
    );
  });
});

// TO BE TURNED ON WITH THE TRANSLATIONS: delete the line with `skip`.
suite('The languages', { skip: 'the translations are being made' }, () => {
  for (const language of LANGUAGES) {
    test(`${language} is there`, () => {
      for (const catalogue of CATALOGUES) {
        assert.ok(translation(catalogue, language) !== undefined, translationFile(catalogue, language));
      }
    });
  }
});

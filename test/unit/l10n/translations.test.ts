// The translations as they are. Whatever fails here is listed by `npm run l10n`, which also takes over what a translator fills in.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { quotationFaults, translationFaults } from '../../l10n/faults.ts';
import type { Texts } from '../../l10n/english.ts';
import {
  CATALOGUES,
  LANGUAGES,
  TRANSLATED_FROM,
  englishTexts,
  filesOf,
  readJson,
  sameInBoth,
  translation,
} from '../../l10n/translations.ts';
import type { Language } from '../../l10n/translations.ts';
import { root } from '../../paths.ts';
import { readSources } from '../sources.ts';
import { textKey } from '../../../src/textKey.ts';

const english = englishTexts();
const everyText: Texts = { ...english.manifest, ...english.walkthrough, ...english.bundle };

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
  test('name privileges as servers do', () => {
    assert.ok(privileges.includes('Manage All Access Tokens'));
    assert.ok(Object.keys(english.bundle).some((text) => privileges.some((name) => text.includes(name))));
  });

  test('have a key of their own each', () => {
    const texts = Object.keys(english.bundle);
    assert.equal(new Set(texts.map(textKey)).size, texts.length);
  });
});

suite('Each translation', () => {
  for (const language of translated) {
    const same = sameInBoth(language);
    for (const catalogue of CATALOGUES) {
      test(`${language} has every text of the ${catalogue}, and each with all that is in the English one`, () => {
        assert.deepEqual(
          translationFaults(english[catalogue], translation(catalogue, language) ?? {}, same, privileges),
          [],
        );
      });
      test(`${language} has the texts of the ${catalogue} in the order of the English ones`, () => {
        const keys = Object.keys(translation(catalogue, language) ?? {});
        assert.deepEqual(
          keys,
          Object.keys(english[catalogue]).filter((key) => keys.includes(key)),
        );
      });
    }

    test(`${language} calls a command, a button or a row the same everywhere`, () => {
      const its = all(language);
      assert.deepEqual(quotationFaults(Object.entries(everyText).map(([key, text]) => [text, its[key] ?? ''])), []);
    });

    test(`${language} says of every text that it has in common with English why that is so`, () => {
      const its = all(language);
      for (const [text, reason] of Object.entries(same)) {
        const keys = Object.keys(everyText).filter((key) => everyText[key] === text);
        assert.ok(
          keys.some((key) => its[key] === text),
          `"${text}" is translated, or not used any more`,
        );
        assert.match(reason, /\w \w/, `why "${text}" is the same`);
      }
    });
  }

  test('of package.json and the walkthrough is one of the texts of today', () => {
    if (translated.length > 0)
      assert.deepEqual(readJson(TRANSLATED_FROM), { ...english.manifest, ...english.walkthrough });
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

suite('The languages', () => {
  for (const language of LANGUAGES) {
    test(`${language} is there`, () => {
      for (const catalogue of CATALOGUES) {
        for (const { file } of filesOf(catalogue, language)) assert.ok(existsSync(join(root, file)), file);
      }
    });
  }
});

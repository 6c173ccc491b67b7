// The current translations. A text without one is shown in English and fails no test: `npm run l10n` lists it.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { quotationFaults, translationFaults } from './translationFaults.ts';
import type { Texts } from '../../../../tools/l10n/english.ts';
import {
  CATALOGUES,
  currentTranslation,
  LANGUAGES,
  englishTexts,
  sameInBoth,
  translatedFrom,
  translation,
  type DisplayLanguage,
  type TextCatalogue,
} from '../../../../tools/l10n/translationFiles.ts';
import { root } from '../../../../tools/paths.ts';
import { PRIVILEGES } from '../../../../src/service/failure/privileges.ts';

const english = englishTexts();
const everyText: Texts = { ...english.manifest, ...english.walkthrough, ...english.bundle };

function all(language: DisplayLanguage): Record<string, string> {
  return Object.assign({}, ...CATALOGUES.map((catalogue) => current(catalogue, language))) as Record<string, string>;
}

function current(catalogue: TextCatalogue, language: DisplayLanguage): Texts {
  return currentTranslation(catalogue, language, english[catalogue]);
}

function keysGone(texts: Texts, now: Texts): string[] {
  return Object.keys(texts).filter((key) => !(key in now));
}

const privileges: readonly string[] = Object.values(PRIVILEGES);

suite('The English texts', () => {
  test('are the only ones with translations: `npm run l10n` drops the others', () => {
    const keyed = { ...english.manifest, ...english.walkthrough };
    assert.deepEqual(keysGone(translatedFrom(), keyed), []);
  });
});

suite('Each translation', () => {
  for (const language of LANGUAGES) {
    const same = sameInBoth(language);
    for (const catalogue of CATALOGUES) {
      test(`${language} has all parts of the English text in each text of the ${catalogue}`, () => {
        const texts = current(catalogue, language);
        // All pages of the walkthrough may be reworded at once. `npm run l10n` removes their files then.
        assert.equal(Object.keys(texts).length > 0, translation(catalogue, language) !== undefined);
        assert.deepEqual(translationFaults(english[catalogue], texts, same, privileges), []);
      });
    }

    test(`${language} has no text that was removed: \`npm run l10n\` drops those`, () => {
      const gone = CATALOGUES.flatMap((catalogue) =>
        keysGone(translation(catalogue, language) ?? {}, english[catalogue]),
      );
      const texts = new Set(Object.values(everyText));
      assert.deepEqual([...gone, ...Object.keys(same).filter((text) => !texts.has(text))], []);
    });

    test(`${language} calls a command, a button or a row the same everywhere`, () => {
      const pairs = Object.entries(all(language)).map(([key, text]) => [everyText[key] ?? '', text] as const);
      assert.deepEqual(quotationFaults(pairs), []);
    });

    test(`${language} has a reason for every text that is the same in English`, () => {
      const its = all(language);
      for (const [text, reason] of Object.entries(same)) {
        const theirs = Object.keys(its).flatMap((key) => (everyText[key] === text ? its[key] : []));
        assert.ok(theirs.length === 0 || theirs.includes(text), `"${text}" is translated`);
        assert.match(reason, /\w \w/, `why "${text}" is the same`);
      }
    });
  }

  test('is in a known language', () => {
    const found = readdirSync(root)
      .concat(existsSync(join(root, 'l10n')) ? readdirSync(join(root, 'l10n')) : [])
      .flatMap((file) => /^(?:package\.nls|bundle\.l10n)\.(.+)\.json$/.exec(file)?.[1] ?? []);
    assert.deepEqual(
      found.filter((language) => !(LANGUAGES as readonly string[]).includes(language)),
      [],
    );
  });
});

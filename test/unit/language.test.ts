import assert from 'node:assert/strict';
import { afterEach, suite, test } from 'node:test';
import * as l10n from '@vscode/l10n';
import { asSentence, language, plural, useLanguage } from '../../src/language.ts';
import { formatsOf } from '../../src/ui/formats.ts';

suite('The language of the texts', () => {
  afterEach(() => useLanguage('en', undefined));

  test('is the display language if translated', () => {
    useLanguage('pt-br', { 'Try again.': 'Tente novamente.' });
    assert.equal(language(), 'pt-br');
    assert.equal(l10n.t('Try again.'), 'Tente novamente.');
    assert.equal(formatsOf(language()).number(1_234.5), '1.234,5');
  });

  test('is English with English numbers and plurals otherwise', () => {
    useLanguage('pt-br', { 'Try again.': 'Tente novamente.' });
    useLanguage('ru', undefined);
    assert.equal(language(), 'en');
    assert.equal(l10n.t('Try again.'), 'Try again.');
    // Russian uses the same form for 21 and 1.
    assert.equal(plural(21, '{0} row', '{0} rows'), '{0} rows');
  });

  const COUNTS = [0, 1, 2, 21, 1_000_000] as const;
  for (const [locale, ones] of [
    ['en', [1]],
    ['de', [1]],
    ['fr', [0, 1]],
    ['es', [1]],
    ['pt-br', [0, 1]],
    ['ja', []],
    ['ko', []],
    ['zh-cn', []],
    ['zh-tw', []],
  ] as const) {
    test(`says of ${ones.length === 0 ? 'no count' : ones.join(' and ')} that it is one in ${locale}`, () => {
      useLanguage(locale, {});
      assert.deepEqual(
        COUNTS.filter((count) => plural(count, 'one', 'other') === 'one'),
        ones,
      );
    });
  }
});

test('Words become a sentence, if they are none in any language', () => {
  assert.deepEqual(
    ['No index is ticked', 'None stays.', 'Why?', 'Wait…', '此索引的所有行都将被删除。', '本当ですか？'].map(
      asSentence,
    ),
    ['No index is ticked.', 'None stays.', 'Why?', 'Wait…', '此索引的所有行都将被删除。', '本当ですか？'],
  );
});

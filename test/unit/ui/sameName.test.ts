import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { inMessage, inPlainText } from '../../../src/ui/foreignText.ts';
import { isSameName, normalizedName } from '../../../src/ui/sameName.ts';
import { hostileText } from './hostileText.ts';

suite('A typed name', () => {
  for (const [what, text] of Object.entries({
    'a no-break space': 'Main\u00A0EU',
    'a tab': 'Main\tEU',
    'several spaces': '  Main   EU ',
    'a Braille blank': 'Main\u2800EU',
    'a zero-width space': 'Ma\u200Bin EU',
    'a Hangul filler': 'Main\u3164 EU',
    'a variant': 'Main\uFE0F EU',
    'a tag': 'Main\u{E0041} EU',
    'a control character': 'Main\u0007 EU',
    'half a character': 'Main\uD83D EU',
  })) {
    test(`is kept without ${what}`, () => assert.equal(normalizedName(text), 'Main EU'));
  }

  test('is composed', () => {
    assert.equal(normalizedName('Zu\u0308rich'), 'Z\u00FCrich');
    assert.equal(normalizedName('Zu\u200B\u0308rich'), 'Z\u00FCrich');
  });

  test('is empty if nothing is visible', () => assert.equal(normalizedName(' \u200B\u00A0\u2060'), ''));

  test('keeps visible characters, and is stable', () => {
    for (const name of ['Main (EU) – 東京', 'prod.eu/1 & 2', 'שרת (7)', 'Café ☕'])
      assert.equal(normalizedName(name), name);
    fc.assert(
      fc.property(hostileText, (text) => {
        const name = normalizedName(text);
        assert.equal(normalizedName(name), name);
        assert.equal(inPlainText(name, Infinity), name, 'it is shown as it is');
      }),
    );
  });

  test('matches in every form that looks alike', () => {
    fc.assert(
      fc.property(hostileText, (name) => {
        assert.ok(isSameName(name, name));
        assert.ok(isSameName(inMessage(name), name) && isSameName(inPlainText(name), name));
        assert.ok(isSameName(` \u200B${name}\u00A0`, name));
      }),
    );
    assert.ok(isSameName('Main$ (key) [x] (y)', 'Main$(key) [x](y)'));
    assert.ok(isSameName('Main\u00A0EU', 'Main EU') && isSameName('Main EU', 'Main\u00A0EU'));
  });

  test('differs if anything visible differs', () => {
    for (const text of ['main EU', 'MainEU', 'Main', '', 'Main EU.']) assert.equal(isSameName(text, 'Main EU'), false);
  });
});

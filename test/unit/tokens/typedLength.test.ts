import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { useLanguage } from '../../../src/language.ts';
import { isoMillis } from '../../../src/service/isoDuration.ts';
import { endOf } from '../../../src/tokens/expiry.ts';
import { typedLength } from '../../../src/tokens/typedLength.ts';

suite('A length that is typed', () => {
  for (const [text, iso] of [
    ['45', 'P45D'],
    ['45 days', 'P45D'],
    ['1 day', 'P1D'],
    [' 45D ', 'P45D'],
    ['007 days', 'P7D'],
    ['12 hours', 'PT12H'],
    ['36h', 'P1DT12H'],
    ['2 weeks', 'P14D'],
    ['1 month', 'P30D'],
    ['3mo', 'P90D'],
    ['1 Year', 'P365D'],
    ['P45D', 'P45D'],
    ['P1W', 'P7D'],
    ['P1M', 'P30D'],
    ['p1y', 'P365D'],
    ['PT12H', 'PT12H'],
  ] as const) {
    test(`${JSON.stringify(text)} is ${iso}`, () => assert.deepEqual(typedLength(text), { iso }));
  }

  for (const [locale, text, iso] of [
    ['de', '45 Tage', 'P45D'],
    ['de', '1 Monat', 'P30D'],
    ['de', '45 days', 'P45D'],
    ['fr', '2 semaines', 'P14D'],
    ['es', '1 año', 'P365D'],
    ['pt-br', '3 meses', 'P90D'],
    ['ja', '45日', 'P45D'],
    ['ja', '12 時間', 'PT12H'],
    ['ko', '2주', 'P14D'],
    ['zh-cn', '3个月', 'P90D'],
    ['zh-tw', '1 年', 'P365D'],
  ] as const) {
    test(`${JSON.stringify(text)} is ${iso} where the display language is ${locale}`, (context) => {
      useLanguage(locale, {});
      context.after(() => useLanguage('en', undefined));
      assert.deepEqual(typedLength(text), { iso });
    });
  }

  for (const text of [
    '',
    ' ',
    '0',
    '0 days',
    '-1 day',
    '1.5 days',
    '45 fortnights',
    '45 Tage',
    '3m',
    '3 minutes',
    'P',
    'P0D',
    'P1.5D',
    'never',
    '999999 days',
    '1 day 2 hours',
    'days',
  ]) {
    test(`is none when it is ${JSON.stringify(text)}`, () => assert.equal(typedLength(text), undefined));
  }

  test('has an end that can be shown, whatever is typed', () => {
    const now = Date.UTC(2026, 0, 1);
    const unit = fc.constantFrom('', ' days', 'h', ' weeks', ' months', ' years');
    const typed = fc.oneof(
      fc.string(),
      fc.tuple(fc.nat(200_000), unit).map((parts) => parts.join('')),
      fc.stringMatching(/^P(\d{1,5}[YMWD]){0,4}(T(\d{1,5}[HMS]){0,3})?$/),
    );
    fc.assert(
      fc.property(typed, (text) => {
        const length = typedLength(text);
        if (length !== undefined) {
          assert.ok((isoMillis(length.iso) ?? 0) > 0);
          assert.doesNotThrow(() => new Intl.DateTimeFormat('en').format(endOf(length, now) ?? Number.NaN));
        }
      }),
    );
  });
});

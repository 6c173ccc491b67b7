// Numbers from a server or file may be no date, count or share. Their text says so, and nothing throws.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { tokenExpiryText, shortExpiry } from '../../../src/tokens/expiry.ts';
import { formatsOf, utcTimeText } from '../../../src/ui/formats.ts';

const anyNumber = fc.oneof(
  fc.double(),
  fc.constantFrom(9e15, -9e15, 8.64e15, 8.64e15 + 1, -8.64e15 - 1, Number.NaN, Number.POSITIVE_INFINITY, -Infinity),
  fc.maxSafeInteger(),
);
const LOCALES = ['en', 'de', 'ja', 'zh-tw', 'qps-ploc'];

suite('Any number', () => {
  for (const locale of LOCALES) {
    test(`has a text in ${locale}`, () => {
      const formats = formatsOf(locale);
      fc.assert(
        fc.property(anyNumber, anyNumber, (value, other) => {
          const texts = [
            formats.number(value),
            formats.percent(value),
            formats.share(value),
            formats.size(value),
            formats.change(value),
            formats.date(value),
            formats.time(value),
            formats.moment(value, other),
            formats.exactTime(value),
            formats.zonedTime(value),
            formats.distance(value, other),
            formats.duration(value, 'month'),
            utcTimeText(value),
            tokenExpiryText(value, other, locale),
            shortExpiry(value, other, locale),
          ];
          assert.ok(texts.every((text) => text !== ''));
        }),
      );
    });
  }

  test('is a dash if it is no date', () => {
    const { date, moment, zonedTime, distance } = formatsOf('en');
    for (const millis of [9e15, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.deepEqual(
        [date(millis), moment(millis, 0), zonedTime(millis), utcTimeText(millis)],
        Array.from({ length: 4 }, () => '—'),
      );
    }
    assert.equal(distance(Number.NaN, 0), '—');
    assert.equal(utcTimeText(8.64e15), '+275760-09-13 00:00 UTC');
  });
});

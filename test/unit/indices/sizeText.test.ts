import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { sizeText, totalBytes } from '../../../src/indices/sizeText.ts';

suite('A size', () => {
  for (const [bytes, text] of [
    [0, '0 byte'],
    [1, '1 byte'],
    [999, '999 byte'],
    [999.4, '999 byte'],
    [999.5, '1 kB'],
    [1_000, '1 kB'],
    [1_049, '1 kB'],
    [1_050, '1.1 kB'],
    [9_949, '9.9 kB'],
    [9_950, '10 kB'],
    [10_499, '10 kB'],
    [208_000, '208 kB'],
    [999_499, '999 kB'],
    [999_500, '1 MB'],
    [8_100_000_000, '8.1 GB'],
    [999_500_000_000, '1 TB'],
    [1.5e15, '1.5 PB'],
    [2e18, '2,000 PB'],
  ] as const) {
    test(`of ${bytes} bytes is "${text}"`, () => assert.equal(sizeText(bytes, 'en'), text));
  }

  test('is in the words of the display language', () => {
    assert.equal(sizeText(8_100_000_000, 'de').replaceAll('\u00A0', ' '), '8,1 GB');
    assert.match(sizeText(8_100_000_000, 'fr'), /8,1\sGo/);
    for (const locale of ['zh-cn', 'pt-br', 'ja', 'tr', 'qps-ploc']) {
      assert.ok(sizeText(8_100_000_000, locale).length > 2, locale);
    }
  });

  test('has three digits at most, and is never off by more than a twentieth', () => {
    const factors: Readonly<Record<string, number>> = { byte: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, PB: 1e15 };
    fc.assert(
      fc.property(fc.maxSafeInteger().map(Math.abs), (bytes) => {
        const [, digits = '', unit = ''] = /^([\d.]+) (\w+)$/.exec(sizeText(bytes, 'en')) ?? [];
        assert.ok(digits.replace('.', '').length <= 3);
        const said = Number(digits) * (factors[unit] ?? Number.NaN);
        assert.ok(Math.abs(said - bytes) <= bytes / 19);
      }),
    );
  });
});

suite('The total of sizes', () => {
  test('is that of those which are known', () => {
    assert.equal(totalBytes([1, undefined, 2, 0]), 3);
    assert.equal(totalBytes([0]), 0);
  });

  test('is not known when none is', () => {
    assert.equal(totalBytes([]), undefined);
    assert.equal(totalBytes([undefined, undefined]), undefined);
  });
});

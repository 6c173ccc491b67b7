import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { growsText } from '../../../src/indices/growthText.ts';

suite('Growth in words', () => {
  test('is told a month, and only where there is any', () => {
    assert.equal(growsText({ bytesPerMonth: 45_000_000, days: 30 }, 'en'), 'Grows by about 45 MB a month.');
    assert.equal(growsText({ bytesPerMonth: -45_000_000, days: 30 }, 'en'), undefined);
    assert.equal(growsText({ bytesPerMonth: 0, days: 30 }, 'en'), undefined);
    assert.equal(growsText(undefined, 'en'), undefined);
  });
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { sizeGrowthText } from '../../../src/indices/indexTexts.ts';

suite('Growth in words', () => {
  test('names the days, and is left out without growth', () => {
    assert.equal(sizeGrowthText({ bytes: 45_000_000, days: 30 }, 'en'), 'Grew by 45 MB in 30 days.');
    assert.equal(sizeGrowthText({ bytes: 45_000_000, days: 1 }, 'en'), 'Grew by 45 MB in 1 day.');
    assert.equal(sizeGrowthText({ bytes: -45_000_000, days: 30 }, 'en'), undefined);
    assert.equal(sizeGrowthText({ bytes: 0, days: 30 }, 'en'), undefined);
    assert.equal(sizeGrowthText(undefined, 'en'), undefined);
  });
});

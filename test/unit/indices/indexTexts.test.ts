import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { grewText } from '../../../src/indices/indexTexts.ts';

suite('Growth in words', () => {
  test('is told with the days it took, and only where there is any', () => {
    assert.equal(grewText({ bytes: 45_000_000, days: 30 }, 'en'), 'Grew by 45 MB in 30 days.');
    assert.equal(grewText({ bytes: 45_000_000, days: 1 }, 'en'), 'Grew by 45 MB in 1 day.');
    assert.equal(grewText({ bytes: -45_000_000, days: 30 }, 'en'), undefined);
    assert.equal(grewText({ bytes: 0, days: 30 }, 'en'), undefined);
    assert.equal(grewText(undefined, 'en'), undefined);
  });

  test('is about so much where the sizes may be wrong', () =>
    assert.equal(grewText({ bytes: 45_000_000, days: 30 }, 'en', 'approximate'), 'Grew by about 45 MB in 30 days.'));
});

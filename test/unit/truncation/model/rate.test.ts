import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { rateOf } from '../../../../src/truncation/model/rate.ts';
import { rateText } from '../../../../src/truncation/model/texts.ts';

suite('How fast rows go, and how long the rest takes', () => {
  const progress = { counts: 'deleted', done: 6_000, total: 30_000 } as const;

  test('by what is done since it was sent', () => {
    assert.deepEqual(rateOf(progress, 0, 60_000), { rowsPerMinute: 6_000, remainingMillis: 240_000 });
    assert.equal(rateOf({ ...progress, done: 30_000 }, 0, 60_000)?.remainingMillis, 0);
  });

  test('is not told in the first moments, of nothing done, or of an unknown whole', () => {
    assert.equal(rateOf(progress, 0, 1_000), undefined);
    assert.equal(rateOf(progress, 60_000, 0), undefined, 'the clock was set back');
    assert.equal(rateOf({ ...progress, done: 0 }, 0, 60_000), undefined);
    assert.equal(rateOf({ ...progress, total: undefined }, 0, 60_000), undefined);
    assert.equal(rateOf(undefined, 0, 60_000), undefined);
  });

  test('in words: rows a minute, then minutes, then hours', () => {
    assert.equal(rateText(progress, 0, 60_000), 'About 6,000 rows a minute, about 4 min left.');
    assert.equal(rateText({ ...progress, done: 29_999 }, 0, 60_000), 'About 29,999 rows a minute, about 1 min left.');
    assert.equal(rateText({ ...progress, total: 3_000_000 }, 0, 60_000), 'About 6,000 rows a minute, about 9 hr left.');
  });
});

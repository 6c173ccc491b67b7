import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { USUAL_LIMIT, parseLimit, readLimit, withText } from '../../../../../src/truncation/overview/page/limit.ts';
import type { Limit } from '../../../../../src/truncation/overview/page/limit.ts';

const GB: Limit = { ...USUAL_LIMIT, kind: 'keepBytes' };

suite('The limit of several indices', () => {
  test('is 90 days before somebody types another', () => {
    assert.deepEqual(readLimit(USUAL_LIMIT), { goal: { kind: 'keepDays', days: 90 } });
  });

  test('is typed for each kind by itself: 90 days never become 90 GB', () => {
    assert.ok('problem' in readLimit(GB));
    assert.deepEqual(readLimit(withText(GB, '2.5')), { goal: { kind: 'keepBytes', bytes: 2.5e9 } });
    assert.deepEqual(readLimit({ ...withText(GB, '2.5'), kind: 'keepDays' }), readLimit(USUAL_LIMIT));
    assert.deepEqual(readLimit(withText({ ...GB, kind: 'deleteRows' }, '1,000')), {
      goal: { kind: 'deleteRows', rows: 1_000 },
    });
  });

  test('is brought back as it was typed, wrong or not', () => {
    const typed = withText(GB, 'many');
    assert.deepEqual(parseLimit(JSON.parse(JSON.stringify(typed))), typed);
  });

  test('is the usual one where what was kept of a page is damaged', () => {
    for (const kept of [
      undefined,
      '90',
      { kind: 'all', texts: GB.texts },
      { kind: 'keepBytes' },
      { ...GB, texts: {} },
    ]) {
      assert.deepEqual(parseLimit(kept), USUAL_LIMIT);
    }
  });
});

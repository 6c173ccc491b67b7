import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { durationInWords, progressBar } from '../../../tools/liveLines.ts';

suite('Lines of progress', () => {
  test('have durations in seconds, or in minutes and seconds', () => {
    assert.deepEqual([400, 59_400, 60_000, 185_000].map(durationInWords), ['0 s', '59 s', '1:00 min', '3:05 min']);
  });

  test('have a bar of a fixed width, empty while the total is unknown', () => {
    assert.equal(progressBar(1, 4), '██████░░░░░░░░░░░░░░░░░░');
    assert.equal(progressBar(5, 4), '█'.repeat(24));
    assert.equal(progressBar(3, 0), '░'.repeat(24));
  });
});

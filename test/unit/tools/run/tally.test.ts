import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addTallies, EMPTY_TALLY, failedSuite, tallyLine } from '../../../../tools/run/tally.ts';

test('a run ends with the counts in one line', () => {
  const failures = [{ title: 'a', message: 'b' }];
  assert.equal(tallyLine({ passed: 12, skipped: 0, failures: [] }), '12 passed, 0 failed');
  assert.equal(tallyLine({ passed: 0, skipped: 3, failures }), '0 passed, 1 failed, 3 skipped');
});

test('tallies are added', () => {
  const failed = failedSuite('host', 'It did not start.');
  assert.deepEqual(addTallies([{ ...EMPTY_TALLY, passed: 2, skipped: 1 }, failed, { ...EMPTY_TALLY, passed: 3 }]), {
    passed: 5,
    skipped: 1,
    failures: [{ title: 'host', message: 'It did not start.' }],
  });
});

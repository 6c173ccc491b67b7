import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readDryRun } from '../../../../src/truncation/model/dryRun.ts';
import { freedBy, freedInSum, spaceNeeded } from '../../../../src/truncation/model/space.ts';
import type { Measured } from '../../../../src/truncation/model/space.ts';
import { UNKNOWN_WORDS, dryRunText } from './samples.ts';

const IN_PLACE: Measured = { report: readDryRun(dryRunText(20, 200)), size: 1_000_000 };
const REINDEXED: Measured = { report: readDryRun(dryRunText(150, 200)), size: 2_000_000 };
const LATER = 'once the old index is removed';

suite('The space that several truncations free', () => {
  test('is the share of the rows, by a reindex only later', () => {
    assert.deepEqual(freedBy(IN_PLACE), { bytes: 100_000 });
    assert.deepEqual(freedBy(REINDEXED), { bytes: 1_500_000, when: LATER });
  });

  test("is not told where rows, size or strategy aren't known", () => {
    assert.equal(freedBy({ ...IN_PLACE, size: undefined }), undefined);
    assert.equal(freedBy({ ...IN_PLACE, report: UNKNOWN_WORDS }), undefined);
    const unknownWay = readDryRun('Delete 20 out of 200 rows (10.00%). This was a dry run.');
    assert.equal(freedBy({ ...IN_PLACE, report: unknownWay }), undefined);
  });

  test('is summed up apart for what frees it and what frees it later, that last', () => {
    assert.deepEqual(freedInSum([{ bytes: 7, when: LATER }, { bytes: 1 }, { bytes: 2 }, { bytes: 3, when: LATER }]), [
      { bytes: 3 },
      { bytes: 10, when: LATER },
    ]);
    assert.deepEqual(freedInSum([{ bytes: 1 }]), [{ bytes: 1 }]);
    assert.deepEqual(freedInSum([]), []);
  });
});

suite('The space that copies need', () => {
  test('is that of the rows that stay, of each that is copied', () => {
    assert.equal(spaceNeeded([IN_PLACE]), undefined);
    assert.equal(
      spaceNeeded([IN_PLACE, REINDEXED]),
      "The copy needs about 500 kB of disk space for a while. How much is free isn't known.",
    );
    assert.equal(
      spaceNeeded([REINDEXED, IN_PLACE, REINDEXED]),
      "The copies need about 1 MB of disk space for a while. How much is free isn't known.",
    );
  });

  test("is no number where the size of one isn't known", () =>
    assert.equal(
      spaceNeeded([REINDEXED, { ...REINDEXED, size: undefined }]),
      "The copy needs disk space for a while. How much is free isn't known.",
    ));
});

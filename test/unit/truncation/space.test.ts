import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readDryRun } from '../../../src/truncation/dryRun.ts';
import { bytesToDelete, spaceNeeded } from '../../../src/truncation/space.ts';
import type { SizedReport } from '../../../src/truncation/space.ts';
import type { ReportedSize } from '../../../src/service/indices/indexSize.ts';
import { UNKNOWN_WORDS, dryRunText, exactly } from './samples.ts';

const IN_PLACE: SizedReport = { report: readDryRun(dryRunText(20, 200)), size: exactly(1_000_000) };
const REINDEXED: SizedReport = { report: readDryRun(dryRunText(150, 200)), size: exactly(2_000_000) };
/** Of a server that can't report more than 2.1 GB: the index may have any size. */
const MAYBE_WRONG: ReportedSize = { bytes: 1_000_000, precision: 'approximate' };

suite('The disk space that rows to delete hold', () => {
  test('is their share of the index, however they are deleted', () => {
    assert.equal(bytesToDelete(IN_PLACE), 100_000);
    assert.equal(bytesToDelete(REINDEXED), 1_500_000);
  });

  test("isn't known where rows or size aren't, or where the size may be wrong", () => {
    assert.equal(bytesToDelete({ ...IN_PLACE, size: exactly(undefined) }), undefined);
    assert.equal(bytesToDelete({ ...IN_PLACE, report: UNKNOWN_WORDS }), undefined);
    assert.equal(bytesToDelete({ ...IN_PLACE, size: MAYBE_WRONG }), undefined);
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

  test("is no number where the size of one isn't known, or may be wrong", () => {
    for (const size of [exactly(undefined), MAYBE_WRONG]) {
      assert.equal(
        spaceNeeded([REINDEXED, { ...REINDEXED, size }]),
        "The copy needs disk space for a while. How much is free isn't known.",
      );
    }
  });
});

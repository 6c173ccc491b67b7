import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { parseDryRun } from '../../../src/truncation/dryRun.ts';
import { recountReason } from '../../../src/truncation/recount.ts';
import { dryRunText } from './samples.ts';

suite('Repeated dry run', () => {
  test('has a regression if and only if it deletes more rows or uses another strategy', () => {
    const counts = fc.nat(1_000);
    fc.assert(
      fc.property(counts, counts, fc.boolean(), (shown, repeated, sameWay) => {
        const worse = recountReason(
          parseDryRun(dryRunText(shown, 1_000, 'deleteByQuery')),
          parseDryRun(dryRunText(repeated, 1_000, sameWay ? 'deleteByQuery' : 'reindex')),
        );
        assert.equal(worse, repeated > shown ? 'grew' : sameWay ? undefined : 'changed');
      }),
    );
  });
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { BARE_ROW } from '../rows.ts';
import type { OverviewTableRow } from '../../../../../src/pages/overview/protocol.ts';
import { canSelectRow, toggleSelection } from '../../../../../src/pages/overview/page/selection.ts';
import { MAX_ITEMS } from '../../../../../src/truncation/jobState.ts';

const IDS = fc.array(fc.constantFrom(...Array.from({ length: 40 }, (_, index) => `index${index}`)), { maxLength: 60 });

suite('Selected indices', () => {
  test('can be truncated in a job', () => {
    const row: OverviewTableRow = { ...BARE_ROW, id: 'a', indexName: 'a', canTruncate: true };
    assert.deepEqual(
      [row, { ...row, onlyAlone: 'It holds state.' }, { ...row, canTruncate: false }].map(canSelectRow),
      [true, false, false],
    );
  });

  test('are unique, and limited to the size of a job', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(IDS, fc.boolean())), (changes) => {
        const ids = changes.reduce<readonly string[]>(
          (before, [some, isTicked]) => toggleSelection(before, some, isTicked),
          [],
        );
        assert.equal(new Set(ids).size, ids.length);
        assert.ok(ids.length <= MAX_ITEMS);
      }),
    );
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowFigures } from '../../../../../src/pages/kit/page/rowFigures.ts';
import { formatsOf } from '../../../../../src/ui/formats.ts';

/** The boundary in the bar of rows, in percent: where its line is drawn. */
function boundary(toDelete: number, total: number): unknown {
  const drawn = rowFigures({ toDelete, total, percent: (toDelete / total) * 100, size: undefined }, formatsOf('en'));
  const bar = drawn.values.at(-1) as ReturnType<typeof rowFigures>;
  return bar.values.at(-1);
}

test('Both parts of the bar are visible if both have rows', () => {
  assert.deepEqual(
    [boundary(0, 1_000), boundary(1, 1_000), boundary(402, 1_000), boundary(999, 1_000), boundary(1_000, 1_000)],
    [0, 1, 40.2, 99, 100],
  );
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { jobTableRows } from '../../../../../src/pages/overview/page/jobRows.ts';
import type { OverviewTableRow } from '../../../../../src/pages/overview/protocol.ts';
import { BARE_ITEM, BARE_ROW } from '../rows.ts';

const OPERATION: OverviewTableRow = {
  ...BARE_ROW,
  id: 'dataset_operationaspect_v1',
  entityType: 'dataset',
  aspect: 'operation',
  canTruncate: true,
};

suite('The items of a job', () => {
  test('are found in the rows of the table, whatever the case of their names', () => {
    const item = { ...BARE_ITEM, name: 'dataset/Operation' };
    const { rows, items } = jobTableRows([BARE_ROW, OPERATION], [item]);
    assert.deepEqual(rows, [BARE_ROW, OPERATION]);
    assert.deepEqual([...items], [[OPERATION.id, { item, place: 0 }]]);
  });

  test('get rows of their own if their index is not listed any more', () => {
    const gone = { ...BARE_ITEM, name: 'chart/usage' };
    const { rows, items } = jobTableRows([OPERATION], [BARE_ITEM, gone]);
    const [, added] = rows;
    assert.deepEqual([rows.length, added?.indexName, added?.canTruncate], [2, 'chart/usage', false]);
    assert.deepEqual(items.get(added?.id ?? ''), { item: gone, place: 1 });
  });
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import {
  canSelectRow,
  filterTableRows,
  shownIndexName,
  parseSorting,
  sortTableRows,
  toggleSelection,
  type SortKey,
  type TableSorting,
} from '../../../../../src/pages/overview/page/tableRows.ts';
import { MAX_ITEMS } from '../../../../../src/truncation/jobState.ts';
import { BARE_ROW } from '../rows.ts';
import type { OverviewTableRow } from '../../../../../src/pages/overview/protocol.ts';

function row(name: string, more: Partial<OverviewTableRow> = {}): OverviewTableRow {
  const [entityType = '', aspect = ''] = name.split('/');
  return {
    ...BARE_ROW,
    id: name,
    entityType,
    aspect,
    indexName: `${entityType}_${aspect}aspect_v1`,
    canTruncate: true,
    ...more,
  };
}

const USUAL_SORTING = parseSorting(undefined);
const GROWTH = { bytes: 5, days: 9, figures: [] };
const PROFILE = row('dataset/datasetprofile', { bytes: 300, growth: GROWTH });
const USAGE = row('chart/usage', { bytes: 50, growth: { ...GROWTH, bytes: -2 } });
const OPERATION = row('dataset/operation');
const NAMELESS: OverviewTableRow = { ...BARE_ROW, bytes: 1 };
const ALL = [USAGE, NAMELESS, OPERATION, PROFILE];

const names = (rows: readonly OverviewTableRow[]): readonly string[] => rows.map(shownIndexName);

suite('The order of the table', () => {
  test('is by size at first, with unknown sizes and protected indices last', () => {
    assert.deepEqual(names(sortTableRows(ALL, USUAL_SORTING)), [
      'dataset/datasetprofile',
      'chart/usage',
      'dataset/operation',
      'graph_v1',
    ]);
  });

  test('is by name with natural numbers', () => {
    const rows = [row('chart/a10'), row('chart/a9'), row('Chart/b')];
    const ascending = ['chart/a9', 'chart/a10', 'Chart/b'];
    assert.deepEqual(names(sortTableRows(rows, { by: 'name', descending: false })), ascending);
    assert.deepEqual(names(sortTableRows(rows, { by: 'name', descending: true })), ascending.toReversed());
  });

  test("loses no rows, and puts those that can't be truncated last", () => {
    const any = fc.record({
      name: fc.stringMatching(/^[a-c]{1,2}\/[a-c]{1,2}$/),
      bytes: fc.option(fc.nat(5), { nil: undefined }),
      canTruncate: fc.boolean(),
    });
    const sorting = fc.record({
      by: fc.constantFrom<SortKey>('name', 'size', 'growth', 'truncation'),
      descending: fc.boolean(),
    }) as fc.Arbitrary<TableSorting>;
    fc.assert(
      fc.property(fc.array(any), sorting, (many, by) => {
        const rows = many.map(({ name, bytes, canTruncate }) =>
          row(name, { canTruncate, ...(bytes === undefined ? {} : { bytes }) }),
        );
        const order = sortTableRows(rows, by);
        assert.deepEqual(new Set(order), new Set(rows));
        assert.equal(order.length, rows.length);
        assert.deepEqual(
          order.map((one) => one.canTruncate),
          rows.map((one) => one.canTruncate).toSorted((a, b) => Number(b) - Number(a)),
        );
        assert.deepEqual(names(sortTableRows(order.toReversed(), by)), names(order));
      }),
    );
  });

  test('is the usual one if the stored state is damaged', () => {
    for (const kept of [null, 7, {}, { by: 'colour', descending: true }, { by: 'size' }]) {
      assert.deepEqual(parseSorting(kept), USUAL_SORTING);
    }
    assert.deepEqual(parseSorting({ by: 'name', descending: true }), { by: 'name', descending: true });
  });
});

suite('The filter', () => {
  test('keeps rows that contain every word, in any order and case', () => {
    assert.deepEqual(names(filterTableRows(ALL, 'dataset')), ['dataset/operation', 'dataset/datasetprofile']);
    assert.deepEqual(names(filterTableRows(ALL, ' PROFILE data ')), ['dataset/datasetprofile']);
    assert.deepEqual(names(filterTableRows(ALL, 'dataset / oper')), ['dataset/operation']);
    assert.deepEqual(names(filterTableRows(ALL, 'graph_v')), ['graph_v1']);
    assert.deepEqual(names(filterTableRows(ALL, 'chart_usageaspect')), ['chart/usage']);
    assert.deepEqual(filterTableRows(ALL, 'nothing'), []);
    assert.equal(filterTableRows(ALL, '  '), ALL);
  });
});

const IDS = fc.array(fc.constantFrom(...Array.from({ length: 40 }, (_, index) => `index${index}`)), { maxLength: 60 });

suite('Selected indices', () => {
  test('can be truncated in a job', () => {
    const rows = [PROFILE, { ...PROFILE, onlyAlone: 'It holds state.' }, NAMELESS];
    assert.deepEqual(rows.map(canSelectRow), [true, false, false]);
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

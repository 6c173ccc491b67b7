import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { groupByEntityType, type IndexListOrder, type ListedIndex } from '../../../src/indices/indexList.ts';

function index(entityType: string | undefined, aspect: string | undefined, sizeBytes: number | undefined): ListedIndex {
  return {
    entityType,
    aspect,
    sizeBytes,
    indexName: `${entityType ?? 'x'}_${aspect ?? 'y'}`,
    isTotal: false,
    isAdded: false,
  };
}

/** `entityType: aspect aspect` for each group. */
function shape(indices: readonly ListedIndex[], order: IndexListOrder): string[] {
  return [...groupByEntityType(indices, order)].map(
    ([entityType, members]) => `${entityType ?? '-'}: ${members.map(({ aspect }) => aspect ?? '-').join(' ')}`,
  );
}

const INDICES = [
  index('chart', 'usage', 10),
  index(undefined, undefined, 9_000),
  index('dataset', 'operation', 200),
  index('dataset', 'profile', 800),
  index('dataset', 'added', undefined),
  index('dataset', 'empty', 0),
  index('assertion', 'run', 10),
];

suite('Indices by entity type', () => {
  test('are together however the type of an added one is spelled', () => {
    const added = index('dataJob', 'checkpoint', undefined);
    assert.deepEqual(shape([index('datajob', 'run', 1), added], 'size'), ['datajob: run checkpoint']);
  });

  test('are sorted by size, with unknown sizes after empty ones and unnamed ones last', () => {
    assert.deepEqual(shape(INDICES, 'size'), [
      'dataset: profile operation empty added',
      'assertion: run',
      'chart: usage',
      '-: -',
    ]);
  });

  test('are sorted by name, with unnamed ones last', () => {
    assert.deepEqual(shape(INDICES, 'name'), [
      'assertion: run',
      'chart: usage',
      'dataset: added empty operation profile',
      '-: -',
    ]);
  });
});

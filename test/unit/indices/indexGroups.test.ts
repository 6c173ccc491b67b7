import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
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

  test('contain each index once in its place, in any order of input', () => {
    const name = fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined });
    const anyIndex = fc.tuple(name, name, fc.option(fc.nat(5), { nil: undefined })).map((parts) => index(...parts));
    fc.assert(
      fc.property(fc.array(anyIndex), fc.constantFrom('size', 'name'), (indices, order) => {
        const before = [...indices];
        const groups = groupByEntityType(indices, order);
        assert.deepEqual(indices, before);
        assert.deepEqual(new Set([...groups.values()].flat()), new Set(indices));
        assert.equal([...groups.values()].flat().length, indices.length);
        for (const [entityType, members] of groups) {
          assert.ok(members.length > 0 && members.every((member) => member.entityType === entityType));
          const sizes = members.map(({ sizeBytes }) => sizeBytes ?? -1);
          assert.ok(order === 'name' || sizes.every((size, i) => i === 0 || size <= (sizes[i - 1] ?? 0)));
        }
        assert.ok(!groups.has(undefined) || [...groups.keys()].at(-1) === undefined);
      }),
    );
  });
});

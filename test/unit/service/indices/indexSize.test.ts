import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { parseIndexRow } from '../../../../src/service/indices/indexSize.ts';

suite('A listed index', () => {
  for (const [sizes, bytes] of [
    [{ sizeInMb: 1.5 }, 1_500_000],
    [{ sizeInMb: 2, sizeMb: 1.5 }, 2_000_000],
    [{ sizeInMb: 0, sizeMb: 0 }, 0],
    [{ sizeInMb: '1.5' }, undefined],
    [{ sizeInMb: null }, undefined],
    [{ sizeInMb: -1 }, undefined],
    [{ sizeInMb: 1e13 }, undefined],
    [{ sizeMb: 1.5 }, undefined],
  ] as const) {
    test(`has ${String(bytes)} bytes if an action reports ${JSON.stringify(sizes)}`, () =>
      assert.equal(parseIndexRow({ indexName: 'dataset_xaspect_v1', ...sizes })[0]?.sizeBytes, bytes));
  }

  test('has the names of the listing, and only its own if the server omits the rest', () => {
    const named = { indexName: 'x', entityName: 'dataset', aspectName: 'chartUsageStatistics' };
    for (const [row, entityType, aspect, isTotal] of [
      [named, 'dataset', 'chartUsageStatistics', false],
      // Even if its name resembles another index.
      [{ indexName: 'prod_eu_dataset_operationaspect_v1' }, undefined, undefined, false],
      [{ ...named, entityName: '', aspectName: '' }, undefined, undefined, false],
      [{ ...named, entityName: null, aspectName: null }, undefined, undefined, false],
      // It stands for all indices.
      [{ ...named, entityName: '*', aspectName: '*' }, undefined, undefined, true],
      [{ ...named, aspectName: '*' }, 'dataset', undefined, false],
      [{ ...named, entityName: '*' }, undefined, 'chartUsageStatistics', false],
      // They could not be sent back unchanged.
      [{ ...named, entityName: 'data\u202Eset', aspectName: 'a b' }, undefined, undefined, false],
    ] as const) {
      const [index] = parseIndexRow(row);
      assert.deepEqual(
        [index?.indexName, index?.entityType, index?.aspect, index?.isTotal],
        [row.indexName, entityType, aspect, isTotal],
      );
    }
  });

  test('gets a made-up name if the server omits it', () => {
    assert.equal(
      parseIndexRow({ entityName: 'dataset', aspectName: 'operation', sizeInMb: 1 })[0]?.indexName,
      'dataset/operation',
    );
    assert.equal(parseIndexRow({ aspectName: 'operation', sizeInMb: 1 })[0]?.indexName, '/operation');
  });

  test('is omitted if it has no name at all', () => {
    for (const row of [null, 7, 'x', [], {}, { indexName: '' }, { indexName: '\n' }, { entityName: 'dataset' }]) {
      assert.deepEqual(parseIndexRow(row), []);
    }
  });

  test('always has a one-line name and a numeric size', () => {
    const field = fc.oneof(fc.string(), fc.double(), fc.constant(null), fc.anything());
    fc.assert(
      fc.property(
        fc.record({ indexName: field, entityName: field, aspectName: field, sizeInMb: field }, { requiredKeys: [] }),
        (row) => {
          for (const index of parseIndexRow(row)) {
            assert.match(index.indexName, /^[^\n\r\u202E]+$/);
            assert.ok(index.sizeBytes === undefined || (Number.isFinite(index.sizeBytes) && index.sizeBytes >= 0));
            assert.doesNotMatch(`${index.entityType ?? ''}${index.aspect ?? ''}`, /[\s\p{C}]/u);
            assert.ok(index.entityType !== '*' && index.aspect !== '*');
          }
        },
      ),
    );
  });
});

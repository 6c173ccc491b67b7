import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { indexFrom } from '../../../../src/service/indices/indexSize.ts';

const ROW = {
  indexName: 'dataset_datasetusagestatisticsaspect_v1',
  entityName: 'dataset',
  aspectName: 'datasetusagestatistics',
  sizeInMb: 0.208,
};

suite('A listed index', () => {
  test('has its names as the listing spells them, and its size in bytes', () => {
    assert.deepEqual(indexFrom(ROW), [
      {
        indexName: ROW.indexName,
        entityType: 'dataset',
        aspect: 'datasetusagestatistics',
        sizeBytes: 208_000,
        isTotal: false,
      },
    ]);
    assert.equal(indexFrom({ ...ROW, aspectName: 'chartUsageStatistics' })[0]?.aspect, 'chartUsageStatistics');
  });

  for (const [sizes, bytes] of [
    [{ sizeInMb: 1.5 }, 1_500_000],
    [{ sizeMb: 1.5 }, 1_500_000],
    [{ sizeInMb: 2, sizeMb: 1.5 }, 2_000_000],
    [{ sizeInMb: 0, sizeMb: 1.5 }, 1_500_000],
    [{ sizeInMb: 0, sizeMb: 0 }, 0],
    [{ sizeInMb: 0 }, 0],
    [{ sizeInMb: null, sizeMb: 0 }, 0],
    [{ sizeInMb: '1.5' }, 1_500_000],
    [{ sizeInMb: '12.25' }, 12_250_000],
    [{ sizeInMb: '3' }, 3_000_000],
    [{ sizeInMb: '1e3' }, undefined],
    [{ sizeInMb: null, sizeMb: null }, undefined],
    [{}, undefined],
    [{ sizeInMb: -1 }, undefined],
    [{ sizeInMb: 'NaN', sizeMb: 'much' }, undefined],
  ] as const) {
    test(`takes ${String(bytes)} bytes when ${JSON.stringify(sizes)} is told`, () => {
      assert.equal(indexFrom({ indexName: 'dataset_xaspect_v1', ...sizes })[0]?.sizeBytes, bytes);
    });
  }

  for (const indexName of [
    'dataset_datasetprofileaspect_v1',
    'dataset_datasetprofileaspect_v1_1723456789012',
    'prod_eu_dataset_operationaspect_v1',
    'datahubpolicyindex_v2',
    '.kibana_1',
  ]) {
    test(`is nothing but its own name where the server tells no more, however much that looks like another index: ${indexName}`, () => {
      for (const names of [{}, { entityName: '', aspectName: '' }, { entityName: null, aspectName: null }]) {
        assert.deepEqual(indexFrom({ indexName, sizeInMb: 1, ...names }), [
          { indexName, entityType: undefined, aspect: undefined, sizeBytes: 1_000_000, isTotal: false },
        ]);
      }
    });
  }

  test('that stands for all of them is a total, and names none', () => {
    assert.deepEqual(indexFrom({ indexName: 'metadata_timeseries', entityName: '*', aspectName: '*', sizeInMb: 812 }), [
      {
        indexName: 'metadata_timeseries',
        entityType: undefined,
        aspect: undefined,
        sizeBytes: 812_000_000,
        isTotal: true,
      },
    ]);
    const [half] = indexFrom({ indexName: 'x', entityName: 'dataset', aspectName: '*' });
    assert.deepEqual([half?.entityType, half?.aspect, half?.isTotal], ['dataset', undefined, false]);
    const [other] = indexFrom({ indexName: 'x', entityName: '*', aspectName: 'operation' });
    assert.deepEqual([other?.entityType, other?.aspect, other?.isTotal], [undefined, 'operation', false]);
  });

  test('has a name of its own making where none is told', () => {
    assert.equal(
      indexFrom({ entityName: 'dataset', aspectName: 'operation', sizeMb: 1 })[0]?.indexName,
      'dataset/operation',
    );
    assert.equal(indexFrom({ aspectName: 'operation', sizeMb: 1 })[0]?.indexName, '/operation');
  });

  test('takes names only that can be sent back as they are', () => {
    const [index] = indexFrom({ ...ROW, indexName: 'x', entityName: 'data\u202Eset', aspectName: 'a b' });
    assert.deepEqual([index?.entityType, index?.aspect], [undefined, undefined]);
  });

  test('is left out when it has no name at all', () => {
    for (const row of [null, 7, 'x', [], {}, { indexName: '' }, { indexName: '\n' }, { entityName: 'dataset' }]) {
      assert.deepEqual(indexFrom(row), []);
    }
  });

  test('has a name on one line and a size that is a number, whatever is told', () => {
    const field = fc.oneof(fc.string(), fc.double(), fc.constant(null), fc.anything());
    fc.assert(
      fc.property(
        fc.record(
          { indexName: field, entityName: field, aspectName: field, sizeInMb: field, sizeMb: field },
          { requiredKeys: [] },
        ),
        (row) => {
          for (const index of indexFrom(row)) {
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

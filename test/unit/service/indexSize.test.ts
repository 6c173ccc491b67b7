import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { indexFrom, namesFromIndex } from '../../../src/service/indexSize.ts';

const ROW = {
  indexName: 'dataset_datasetusagestatisticsaspect_v1',
  entityName: 'dataset',
  aspectName: 'datasetusagestatistics',
  sizeInMb: 0.208,
};

suite('A listed index', () => {
  test('has its names as the listing spells them, and its size in bytes', () => {
    assert.deepEqual(indexFrom(ROW), [
      { indexName: ROW.indexName, entityType: 'dataset', aspect: 'datasetusagestatistics', sizeBytes: 208_000 },
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
    [{}, undefined],
    [{ sizeInMb: -1 }, undefined],
    [{ sizeInMb: 'NaN', sizeMb: 'much' }, undefined],
  ] as const) {
    test(`takes ${String(bytes)} bytes when ${JSON.stringify(sizes)} is told`, () => {
      assert.equal(indexFrom({ indexName: 'dataset_xaspect_v1', ...sizes })[0]?.sizeBytes, bytes);
    });
  }

  for (const [indexName, entityType, aspect] of [
    ['dataset_datasetprofileaspect_v1', 'dataset', 'datasetprofile'],
    ['prod_eu_dataset_operationaspect_v1', 'dataset', 'operation'],
    ['dataset_operationaspect_v1_1723456789012', 'dataset', 'operation'],
    ['my-prefix_chart_chartusagestatisticsaspect_v1', 'chart', 'chartusagestatistics'],
  ] as const) {
    test(`has its names from that of the index where none are told: ${indexName}`, () => {
      const [index] = indexFrom({ indexName, sizeInMb: 1 });
      assert.deepEqual([index?.entityType, index?.aspect], [entityType, aspect]);
    });
  }

  for (const indexName of [
    'datahubpolicyindex_v2',
    'aspect_v1',
    'dataset_aspect_v1',
    '.kibana_1',
    'dataset_xaspect_v2',
    'dataset_xaspect_v1_reindexed',
    'DATASET_Xaspect_v1',
  ]) {
    test(`cannot be truncated where nothing tells what is in it: ${indexName}`, () => {
      assert.equal(namesFromIndex(indexName), undefined);
      assert.deepEqual(indexFrom({ indexName })[0], { indexName, entityType: undefined, aspect: undefined, sizeBytes: undefined });
    });
  }

  test('has a name of its own making where none is told', () => {
    assert.equal(indexFrom({ entityName: 'dataset', aspectName: 'operation', sizeMb: 1 })[0]?.indexName, 'dataset_operation');
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
        fc.record({ indexName: field, entityName: field, aspectName: field, sizeInMb: field, sizeMb: field }, { requiredKeys: [] }),
        (row) => {
          for (const index of indexFrom(row)) {
            assert.match(index.indexName, /^[^\n\r\u202E]+$/);
            assert.ok(index.sizeBytes === undefined || (Number.isFinite(index.sizeBytes) && index.sizeBytes >= 0));
            assert.doesNotMatch(`${index.entityType ?? ''}${index.aspect ?? ''}`, /[\s\p{C}]/u);
          }
        },
      ),
    );
  });

  test('is found again in the name that a server makes of its entity type and aspect', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9]{0,20}$/);
    fc.assert(
      fc.property(
        fc.stringMatching(/^(?:[a-z0-9-]{1,9}_){0,2}$/),
        name,
        name,
        fc.option(fc.nat()),
        (prefix, entityType, aspect, millis) => {
          const suffix = millis === null ? '' : `_${millis}`;
          assert.deepEqual(namesFromIndex(`${prefix}${entityType}_${aspect}aspect_v1${suffix}`), { entityType, aspect });
        },
      ),
    );
  });
});

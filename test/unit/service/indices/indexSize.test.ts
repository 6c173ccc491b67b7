import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { parseIndexRow, commonPrecision } from '../../../../src/service/indices/indexSize.ts';

const ROW = {
  indexName: 'dataset_datasetusagestatisticsaspect_v1',
  entityName: 'dataset',
  aspectName: 'datasetusagestatistics',
  sizeInMb: 0.208,
};

suite('A listed index', () => {
  test('has its names as in the listing, and its size in bytes', () => {
    assert.deepEqual(parseIndexRow(ROW, 'restli'), [
      {
        indexName: ROW.indexName,
        entityType: 'dataset',
        aspect: 'datasetusagestatistics',
        sizeBytes: 208_000,
        precision: 'exact',
        isTotal: false,
      },
    ]);
    assert.equal(
      parseIndexRow({ ...ROW, aspectName: 'chartUsageStatistics' }, 'restli')[0]?.aspect,
      'chartUsageStatistics',
    );
  });

  for (const [sizes, bytes, precision] of [
    [{ sizeInMb: 1.5 }, 1_500_000, 'exact'],
    [{ sizeInMb: 2, sizeMb: 1.5 }, 2_000_000, 'exact'],
    [{ sizeInMb: 0, sizeMb: 0 }, 0, 'exact'],
    [{ sizeInMb: 0 }, 0, 'exact'],
    [{ sizeInMb: '1.5' }, 1_500_000, 'exact'],
    [{ sizeInMb: '12.25' }, 12_250_000, 'exact'],
    [{ sizeInMb: '3' }, 3_000_000, 'exact'],
    [{ sizeInMb: '1e3' }, undefined, 'exact'],
    [{ sizeInMb: null, sizeMb: null }, undefined, 'exact'],
    [{}, undefined, 'exact'],
    [{ sizeInMb: -1 }, undefined, 'exact'],
    [{ sizeInMb: 'NaN', sizeMb: 'much' }, undefined, 'exact'],
    // Alone, `sizeMb` is in kilobytes: for an empty index, for 26 MB, and for 2,147,483,647 bytes.
    [{ sizeMb: 0.208 }, 208, 'approximate'],
    [{ sizeMb: 26_460 }, 26_460_000, 'approximate'],
    [{ sizeMb: 2_147_483.6 }, 2_147_483_600, 'approximate'],
    [{ sizeMb: '26460.5' }, 26_460_500, 'approximate'],
    [{ sizeInMb: 0, sizeMb: 1.5 }, 1_500, 'approximate'],
    [{ sizeInMb: null, sizeMb: 0 }, 0, 'approximate'],
    // One byte more is negative. 4.3 GB more is a number that looks right.
    [{ sizeMb: -2_147_483.6 }, undefined, 'approximate'],
    [{ sizeMb: '-1' }, undefined, 'approximate'],
    [{ sizeMb: 1e16 }, undefined, 'approximate'],
  ] as const) {
    test(`has ${String(bytes)} bytes (${precision}) if an action reports ${JSON.stringify(sizes)}`, () => {
      const [index] = parseIndexRow({ indexName: 'dataset_xaspect_v1', ...sizes }, 'restli');
      assert.deepEqual([index?.sizeBytes, index?.precision], [bytes, precision]);
    });
  }

  test('has megabytes in `sizeMb` by OpenAPI, which copies `sizeInMb` to it', () => {
    const sizesOf = (sizeMb: number): unknown[] =>
      parseIndexRow({ ...ROW, sizeInMb: undefined, sizeMb }, 'openapi').map(({ sizeBytes, precision }) => [
        sizeBytes,
        precision,
      ]);
    assert.deepEqual(sizesOf(0.208), [[208_000, 'exact']]);
    assert.deepEqual(sizesOf(-1), [[undefined, 'exact']]);
  });

  for (const indexName of [
    'dataset_datasetprofileaspect_v1',
    'dataset_datasetprofileaspect_v1_1723456789012',
    'prod_eu_dataset_operationaspect_v1',
    'datahubpolicyindex_v2',
    '.kibana_1',
  ]) {
    test(`is only its own name if the server omits the rest, even if it resembles another index: ${indexName}`, () => {
      for (const names of [{}, { entityName: '', aspectName: '' }, { entityName: null, aspectName: null }]) {
        assert.deepEqual(parseIndexRow({ indexName, sizeInMb: 1, ...names }, 'restli'), [
          {
            indexName,
            entityType: undefined,
            aspect: undefined,
            sizeBytes: 1_000_000,
            precision: 'exact',
            isTotal: false,
          },
        ]);
      }
    });
  }

  test('is a total without an entity if it stands for all of them', () => {
    const row = { indexName: 'metadata_timeseries', entityName: '*', aspectName: '*', sizeInMb: 812 };
    assert.deepEqual(parseIndexRow(row, 'restli'), [
      {
        indexName: 'metadata_timeseries',
        entityType: undefined,
        aspect: undefined,
        sizeBytes: 812_000_000,
        precision: 'exact',
        isTotal: true,
      },
    ]);
    const [half] = parseIndexRow({ indexName: 'x', entityName: 'dataset', aspectName: '*' }, 'restli');
    assert.deepEqual([half?.entityType, half?.aspect, half?.isTotal], ['dataset', undefined, false]);
    const [other] = parseIndexRow({ indexName: 'x', entityName: '*', aspectName: 'operation' }, 'restli');
    assert.deepEqual([other?.entityType, other?.aspect, other?.isTotal], [undefined, 'operation', false]);
  });

  test('gets a made-up name if the server omits it', () => {
    assert.equal(
      parseIndexRow({ entityName: 'dataset', aspectName: 'operation', sizeMb: 1 }, 'restli')[0]?.indexName,
      'dataset/operation',
    );
    assert.equal(parseIndexRow({ aspectName: 'operation', sizeMb: 1 }, 'restli')[0]?.indexName, '/operation');
  });

  test('has names only if they can be sent back unchanged', () => {
    const [index] = parseIndexRow({ ...ROW, indexName: 'x', entityName: 'data\u202Eset', aspectName: 'a b' }, 'restli');
    assert.deepEqual([index?.entityType, index?.aspect], [undefined, undefined]);
  });

  test('is omitted if it has no name at all', () => {
    for (const row of [null, 7, 'x', [], {}, { indexName: '' }, { indexName: '\n' }, { entityName: 'dataset' }]) {
      assert.deepEqual(parseIndexRow(row, 'restli'), []);
    }
  });

  test('always has a one-line name and a numeric size', () => {
    const field = fc.oneof(fc.string(), fc.double(), fc.constant(null), fc.anything());
    fc.assert(
      fc.property(
        fc.record(
          { indexName: field, entityName: field, aspectName: field, sizeInMb: field, sizeMb: field },
          { requiredKeys: [] },
        ),
        (row) => {
          for (const index of parseIndexRow(row, 'restli')) {
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

suite('The precision of a listing', () => {
  const row = (precision: 'exact' | 'approximate', sizeBytes?: number) => ({ precision, sizeBytes });

  test('is approximate if any size is', () => {
    assert.equal(commonPrecision([row('exact', 1), row('approximate', 2)]), 'approximate');
    assert.equal(commonPrecision([row('exact', 1), row('approximate')]), 'approximate', 'one that wrapped');
    assert.equal(commonPrecision([row('exact', 1), row('exact')]), 'exact');
  });

  test('is unknown if there is no size', () => {
    assert.equal(commonPrecision([row('exact')]), undefined);
    assert.equal(commonPrecision([]), undefined);
  });
});

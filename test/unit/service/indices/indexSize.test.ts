import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { parseIndexRow, commonPrecision } from '../../../../src/service/indices/indexSize.ts';

suite('A listed index', () => {
  for (const [sizes, bytes, precision] of [
    [{ sizeInMb: 1.5 }, 1_500_000, 'exact'],
    [{ sizeInMb: 2, sizeMb: 1.5 }, 2_000_000, 'exact'],
    [{ sizeInMb: 0, sizeMb: 0 }, 0, 'exact'],
    [{ sizeInMb: '1.5' }, 1_500_000, 'exact'],
    [{ sizeInMb: '1e3' }, undefined, 'exact'],
    [{ sizeInMb: null, sizeMb: null }, undefined, 'exact'],
    [{ sizeInMb: -1 }, undefined, 'exact'],
    [{ sizeInMb: 'NaN', sizeMb: 'much' }, undefined, 'exact'],
    // Alone, `sizeMb` is in kilobytes: for 2,147,483,647 bytes.
    [{ sizeMb: 2_147_483.6 }, 2_147_483_600, 'approximate'],
    [{ sizeMb: '26460.5' }, 26_460_500, 'approximate'],
    [{ sizeInMb: 0, sizeMb: 1.5 }, 1_500, 'approximate'],
    [{ sizeInMb: null, sizeMb: 0 }, 0, 'approximate'],
    // One byte more is negative. 4.3 GB more is a number that looks right.
    [{ sizeMb: -2_147_483.6 }, undefined, 'approximate'],
    [{ sizeMb: 1e16 }, undefined, 'approximate'],
  ] as const) {
    test(`has ${String(bytes)} bytes (${precision}) if an action reports ${JSON.stringify(sizes)}`, () => {
      const [index] = parseIndexRow({ indexName: 'dataset_xaspect_v1', ...sizes });
      assert.deepEqual([index?.sizeBytes, index?.precision], [bytes, precision]);
    });
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
      parseIndexRow({ entityName: 'dataset', aspectName: 'operation', sizeMb: 1 })[0]?.indexName,
      'dataset/operation',
    );
    assert.equal(parseIndexRow({ aspectName: 'operation', sizeMb: 1 })[0]?.indexName, '/operation');
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
        fc.record(
          { indexName: field, entityName: field, aspectName: field, sizeInMb: field, sizeMb: field },
          { requiredKeys: [] },
        ),
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

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { indexSizesAsCsv } from '../../../src/indices/exportSizes.ts';
import { parseIndexRow } from '../../../src/service/indices/indexSize.ts';
import type { ListedIndex } from '../../../src/indices/indexList.ts';

const INDEX: ListedIndex = {
  entityType: 'dataset',
  aspect: 'operation',
  indexName: 'dataset_operationaspect_v1',
  sizeBytes: 208_000.4,
  isTotal: false,
  isAdded: false,
};

const anyName = fc.oneof(
  fc.string(),
  fc.array(fc.constantFrom(...'",;|\r\n=+-@＝＋－＠\t a\'\u200B'), { maxLength: 8 }).map((parts) => parts.join('')),
);
const anyIndex: fc.Arbitrary<ListedIndex> = fc.record({
  entityType: fc.option(anyName, { nil: undefined }),
  aspect: fc.option(anyName, { nil: undefined }),
  indexName: anyName.map((name) => name.replaceAll('/', '_')),
  sizeBytes: fc.option(fc.nat(), { nil: undefined }),
  isTotal: fc.boolean(),
  isAdded: fc.boolean(),
});

/** Starts of formulas in spreadsheets, some after white space and quotes. */
const FORMULA = /^[\s"\u200B]*[=+\-@＝＋－＠]/u;

const HEADER = 'entityType,aspect,indexName,sizeBytes\r\n';

suite('Sizes as CSV', () => {
  test('have a header, whole bytes, and empty cells for unknown values', () => {
    const nameless = { ...INDEX, entityType: undefined, aspect: undefined, sizeBytes: undefined };
    const hostile = { ...INDEX, entityType: '=a"b",c', aspect: '-1', isAdded: true };
    const rows = [
      'dataset,operation,dataset_operationaspect_v1,208000',
      ',,dataset_operationaspect_v1,',
      // Added indices have no name from the server.
      '_a_b__c,_1,,208000',
    ];
    assert.equal(indexSizesAsCsv([INDEX, nameless, hostile]), HEADER + rows.map((row) => `${row}\r\n`).join(''));
  });

  test('contain no formula, in spreadsheets of any language', () => {
    fc.assert(
      fc.property(fc.array(anyIndex, { maxLength: 5 }), (indices) => {
        for (const separator of [',', ';', '|', '\t', '\r', '\n']) {
          // Splits the text like a spreadsheet with another separator, and drops the quotes.
          const cells = indexSizesAsCsv(indices)
            .split('\r\n')
            .flatMap((line) => line.split(separator));
          assert.deepEqual(
            cells.filter((cell) => FORMULA.test(cell)),
            [],
          );
        }
      }),
    );
  });
});

suite('An index without a reported name', () => {
  test('has none in the table', () => {
    const [index] = parseIndexRow({ entityName: 'dataset', aspectName: 'operation', sizeInMb: 1 });
    const listed = { ...(index ?? assert.fail()), isAdded: false };
    assert.match(indexSizesAsCsv([listed]), /dataset,operation,,1000000/);
  });
});

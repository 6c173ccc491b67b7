import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { indexSizesAsCsv, indexSizesAsJson, exportFileName } from '../../../src/indices/indexTexts.ts';
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

/** Removes each apostrophe before a sign at the start of a cell. */
function withoutMarks(cell: string): string {
  return cell.replaceAll(/(?<=(?:^|[,;|\t\r\n，；｜])[\p{Z}\p{Cf}"']*)'(?=[=+\-@\t\r\n＝＋－＠\u2212])/gu, '');
}

/** A strict parser of RFC 4180: throws for anything else. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let at = 0;
  while (at < text.length) {
    const [, quoted, plain = '', end = ''] =
      /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(text.slice(at)) ?? assert.fail(`no cell at ${at}`);
    at += (quoted === undefined ? plain.length : quoted.length + 2) + end.length;
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '\r\n') {
      rows.push([]);
    }
  }
  assert.deepEqual(rows.pop(), [], 'the last line is ended too');
  return rows;
}

const HEADER = '"entityType","aspect","indexName","sizeBytes"\r\n';

suite('Sizes as CSV', () => {
  test('have a header, whole bytes, and empty cells for unknown values', () => {
    const nameless = { ...INDEX, entityType: undefined, aspect: undefined, sizeBytes: undefined };
    assert.equal(
      indexSizesAsCsv([INDEX, nameless]),
      `${HEADER}"dataset","operation","dataset_operationaspect_v1","208000"\r\n"","","dataset_operationaspect_v1",""\r\n`,
    );
  });

  test('are read back unchanged, except for the added marks', () => {
    fc.assert(
      fc.property(fc.array(anyIndex, { maxLength: 5 }), (indices) => {
        const [header, ...rows] = readCsv(indexSizesAsCsv(indices));
        assert.deepEqual(header, ['entityType', 'aspect', 'indexName', 'sizeBytes']);
        // Added indices have no name from the server.
        const cells = indices.map(({ entityType = '', aspect = '', indexName, sizeBytes, isAdded }) => [
          entityType,
          aspect,
          isAdded ? '' : indexName,
          sizeBytes === undefined ? '' : String(sizeBytes),
        ]);
        assert.deepEqual(
          rows.map((row) => row.map(withoutMarks)),
          cells,
        );
      }),
    );
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
  test('has none in the file', () => {
    const [index] = parseIndexRow({ entityName: 'dataset', aspectName: 'operation', sizeInMb: 1 });
    const listed = { ...(index ?? assert.fail()), isAdded: false };
    assert.match(indexSizesAsCsv([listed]), /"dataset","operation","","1000000"/);
    assert.ok(!indexSizesAsJson([listed]).includes('indexName'));
  });
});

suite('Sizes as JSON', () => {
  test('contain known values only', () => {
    fc.assert(
      fc.property(fc.array(anyIndex, { maxLength: 5 }), (indices) => {
        const written = indexSizesAsJson(indices);
        assert.ok(written.endsWith(']\n'));
        const known = indices.map(({ entityType, aspect, indexName, sizeBytes, isAdded }) => ({
          entityType,
          aspect,
          ...(isAdded ? {} : { indexName }),
          ...(sizeBytes === undefined ? {} : { sizeBytes }),
        }));
        assert.deepEqual(JSON.parse(written), JSON.parse(JSON.stringify(known)));
      }),
    );
  });
});

suite('The file name', () => {
  const moment = new Date(2026, 10, 21, 23, 59);

  test('names the connection and the day', () =>
    assert.equal(exportFileName('Production (EU)', moment), 'indices-Production-EU-2026-11-21.csv'));
});

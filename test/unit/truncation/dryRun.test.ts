import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { parseRowCounts, percentToDelete, parseDryRun } from '../../../src/truncation/dryRun.ts';

const DRY_RUN = 'This was a dry run. Run with dryRun = false to execute.';
const BY_QUERY = 'Issuing a delete by query request.';
const BY_REINDEX = 'Reindexing the aspect without the deleted records.';

suite('Text of a dry run', () => {
  for (const [which, strategy, rows, text] of [
    [
      'of a reindex',
      'reindex',
      [134_517, 135_600],
      `Delete 134517 out of 135600 rows (99.20%). ${BY_REINDEX} ${DRY_RUN}`,
    ],
    ['of a delete by query', 'deleteByQuery', [20, 201], `Delete 20 out of 201 rows (9.95%). ${BY_QUERY} ${DRY_RUN}`],
    ['of an empty index', 'deleteByQuery', [0, 0], `Delete 0 out of 0 rows (NaN%). ${BY_QUERY} ${DRY_RUN}`],
    ['with a comma in the percentage', 'deleteByQuery', [20, 201], `Delete 20 out of 201 rows (9,95%). ${BY_QUERY}`],
    ['without a count', 'unknown', undefined, `Nothing can be said yet. ${DRY_RUN.toUpperCase()}`],
    ['without a strategy', 'unknown', [20, 201], `Delete 20 out of 201 rows (9.95%). ${DRY_RUN}`],
    [
      'behind other words',
      'deleteByQuery',
      undefined,
      `3 out of 5. Delete 20 out of 201 rows (9%). ${BY_QUERY} ${DRY_RUN}`,
    ],
    ['that is empty', 'unknown', undefined, ''],
    ['that is a task ID', 'unknown', undefined, 'qhxGdzytQS-pQek8CwBCZg:533446'],
    ['in other words', 'deleteByQuery', undefined, `Would remove 20 of 201 rows, by a delete by query. ${DRY_RUN}`],
  ] as const) {
    test(`is parsed ${which}`, () => {
      const counts = rows && { toDelete: rows[0], total: rows[1] };
      assert.deepEqual(parseDryRun(text), { serverText: text, rows: counts, strategy });
    });
  }

  for (const [which, numbers] of Object.entries({
    'more rows than there are': '202 out of 201',
    'a negative number': '-20 out of 201',
    'a fraction': '1.25 out of 30',
    'a fraction of a total': '20 out of 201.5',
    'grouped digits': '1,234 out of 5,678',
    'digits of another script': '٢٠ out of ٢٠١',
    'more than can be counted exactly': '9007199254740993 out of 9007199254740993',
    'a total that cannot be counted exactly': '20 out of 9007199254740993',
    'a number in letters': 'twenty out of 201',
  })) {
    test(`has no counts with ${which}`, () =>
      assert.equal(parseDryRun(`Delete ${numbers} rows (9%). ${BY_QUERY} ${DRY_RUN}`).rows, undefined));
  }

  test('can have contradictory counts, since each comes from its own search', () => {
    const text = `Delete 202 out of 201 rows (9%). ${BY_QUERY} ${DRY_RUN}`;
    assert.deepEqual(parseRowCounts(text), { toDelete: 202, total: 201 });
    assert.equal(parseDryRun(text).rows, undefined);
  });

  test('never throws and never yields an invalid count', () => {
    const fragment = fc.constantFrom(
      'Delete ',
      ' out of ',
      ' rows (',
      '%)',
      '12',
      '1,000',
      '.',
      ' ',
      '-',
      'dry run',
      'reindex',
      '\n',
      '\uD83D',
    );
    const words = fc.oneof(
      fc.string({ unit: 'binary-ascii', maxLength: 60 }),
      fc.array(fragment, { maxLength: 30 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(words, (text) => {
        const { serverText, rows } = parseDryRun(text);
        assert.equal(serverText, text);
        assert.ok(
          rows === undefined ||
            (Number.isSafeInteger(rows.toDelete) &&
              Number.isSafeInteger(rows.total) &&
              rows.toDelete >= 0 &&
              rows.toDelete <= rows.total),
        );
      }),
      { numRuns: 500 },
    );
  });
});

suite('Share of the rows to delete', () => {
  test('is 0 for an empty index', () => assert.equal(percentToDelete({ toDelete: 0, total: 0 }), 0));

  test('is between 0 and 100', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (toDelete, total) => {
        const percent = percentToDelete({ toDelete, total });
        assert.ok(percent >= 0 && percent <= 100);
        assert.ok(total === 0 || toDelete > total || percent === (toDelete / total) * 100);
      }),
    );
  });
});

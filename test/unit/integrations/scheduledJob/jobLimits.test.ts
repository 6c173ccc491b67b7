import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { type JobIndex, jobIndices } from '../../../../src/integrations/scheduledJob/jobLimits.ts';
import { parseDryRun, type ReviewedIndex } from '../../../../src/truncation/dryRun.ts';
import { DAY, NOW, PLAN, REINDEX, UNKNOWN_WORDS, dryRunText } from '../../truncation/samples.ts';

const HOUR = DAY / 24;

/** Rows to delete and all rows by the dry run, and an age in ms. */
interface Sample {
  readonly index?: string;
  readonly age?: number;
  readonly rows?: readonly [toDelete: number, total: number];
}

function reviewed({
  index = 'dataset/operation',
  age = 90 * DAY,
  rows: [toDelete, total] = [20, 201],
}: Sample = {}): ReviewedIndex {
  const [entityType = '', aspect = ''] = index.split('/');
  const plan = { ...PLAN, entityType, aspect, endTimeMillis: NOW - age };
  return { plan, at: NOW, report: parseDryRun(dryRunText(toDelete, total, 'deleteByQuery')) };
}

function indexOf(sample: Sample): JobIndex {
  const found = jobIndices([reviewed(sample)]);
  assert.ok('indices' in found, JSON.stringify(found));
  return found.indices[0] ?? assert.fail();
}

/** Sentence and next step. */
function refusal(...indices: readonly ReviewedIndex[]): readonly (string | undefined)[] {
  const found = jobIndices(indices);
  assert.ok('sentence' in found, JSON.stringify(found));
  return [found.sentence, found.next];
}

suite('The limits of a scheduled job', () => {
  test('are twice the rows of the dry run, and the rows to keep', () =>
    assert.deepEqual(indexOf({ rows: [31_174, 145_206 * 2] }), {
      entityType: 'dataset',
      aspect: 'operation',
      days: 90,
      mostRows: 62_348,
      rowsToKeep: 259_238,
      batchSize: PLAN.batchSize,
    }));

  test('are a fifth of all rows where there is nothing to delete yet, and at least one row', () => {
    assert.equal(indexOf({ rows: [0, 209] }).mostRows, 41);
    assert.equal(indexOf({ rows: [0, 3] }).mostRows, 1);
  });

  test('may have another age for each index', () => {
    const found = jobIndices([reviewed({ age: 30 * DAY }), reviewed({ index: 'chart/usage', age: 365 * DAY })]);
    assert.ok('indices' in found);
    assert.deepEqual(
      found.indices.map(({ aspect, days }) => [aspect, days]),
      [
        ['operation', 30],
        ['usage', 365],
      ],
    );
  });

  test('keep one row at least, since the script takes no 0', () => {
    const { mostRows, rowsToKeep } = indexOf({ rows: [20, 20] });
    assert.deepEqual([mostRows, rowsToKeep], [40, 1]);
  });

  test('are whole numbers that the script accepts, for any dry run', () =>
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 40 }), fc.nat({ max: 2 ** 40 }), (a, b) => {
        fc.pre(a + b > 0);
        const { mostRows, rowsToKeep } = indexOf({ rows: [a, a + b] });
        for (const limit of [mostRows, rowsToKeep]) assert.ok(Number.isSafeInteger(limit) && limit > 0, String(limit));
      }),
    ));
});

suite('A scheduled job is refused', () => {
  test('for a cutoff that is no whole number of days ago', () => {
    assert.deepEqual(refusal(reviewed({ age: 12 * HOUR })), [
      'The cutoff has to be a whole number of days ago.',
      'Set the cutoff in days, or set its time to the current time.',
    ]);
  });

  test('for the state of pipelines, in any spelling and in company', () => {
    for (const [index, shown] of [
      ['dataJob/DatahubIngestionCheckpoint', 'dataJob/datahubIngestionCheckpoint'],
      ['dataJob/ourCheckpoint', 'dataJob/ourCheckpoint'],
    ] as const) {
      assert.deepEqual(refusal(reviewed(), reviewed({ index })), [
        `A scheduled job doesn't delete the state of pipelines: ${shown}.`,
        'To delete it anyway, copy the job of another index, and add this one to its INDICES and STATE_INDICES.',
      ]);
    }
  });

  test('unless the dry run says delete by query', () => {
    for (const report of [REINDEX, UNKNOWN_WORDS]) {
      assert.deepEqual(refusal({ ...reviewed(), report }), [
        "The dry run doesn't show that this server can delete by query, which a scheduled job requires.",
        'Under Advanced, select "Delete by query", then run the dry run again.',
      ]);
    }
  });

  test('without a count of rows, or without rows', () => {
    const report = parseDryRun('Issuing a delete by query request. This was a dry run.');
    assert.deepEqual(refusal({ ...reviewed(), report }), ['Row count not available', undefined]);
    const reason = ['Searches find no rows of dataset/operation, so no limit can be set.', undefined];
    assert.deepEqual(refusal(reviewed({ rows: [0, 0] })), reason);
  });
});

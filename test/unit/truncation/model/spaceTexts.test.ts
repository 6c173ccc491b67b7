import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { canMerge, mergeRequest, spaceText } from '../../../../src/truncation/model/spaceTexts.ts';
import { FAILED, FINISHED, LOST, RECORD, REINDEX, UNKNOWN_WORDS } from './samples.ts';

const ENDED = { ...RECORD, ending: FINISHED };
const ON_POSTGRES = { ...ENDED, taskId: 'c56a4180-65aa-42ec-a945-5fd21dec0538' };

suite('What is said of disk space after a truncation', () => {
  test('claims none: the index may keep its size, a replaced one keeps it, and so may a table', () => {
    assert.match(spaceText(ENDED), /^The rows are gone for searches\. The index may keep its size .* for good/);
    assert.match(
      spaceText({ ...ENDED, report: REINDEX }),
      /^The old index .* keeps its disk space until it's removed\./,
    );
    assert.match(spaceText(ON_POSTGRES), /table may keep its size/);
    assert.doesNotMatch(spaceText(ON_POSTGRES), /search engine/);
  });
});

suite('The request that merges an index', () => {
  test('takes out deleted rows only, and names the index as the cluster does', () =>
    assert.equal(
      mergeRequest('dataset_operationaspect_v1_1700000000000'),
      'POST /dataset_operationaspect_v1_1700000000000/_forcemerge?only_expunge_deletes=true',
    ));

  test('has a placeholder where no name is known, or where one would make another request of it', () => {
    for (const name of [
      undefined,
      '',
      '*',
      '_all',
      'a,b',
      'a/_delete_by_query?x=',
      'a b',
      'a\nDELETE /b',
      '../b',
      '{x}',
    ]) {
      assert.equal(mergeRequest(name), 'POST /<index>/_forcemerge?only_expunge_deletes=true');
    }
  });

  test('is offered where rows of a search cluster were deleted in place', () => {
    assert.equal(canMerge(ENDED), true);
    for (const record of [
      RECORD,
      { ...ENDED, ending: FAILED },
      { ...ENDED, ending: LOST },
      { ...ENDED, report: REINDEX },
      { ...ENDED, report: UNKNOWN_WORDS },
      ON_POSTGRES,
    ]) {
      assert.equal(canMerge(record), false);
    }
  });
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { canMerge, spaceText } from '../../../../src/truncation/texts/spaceTexts.ts';
import { FAILED, FINISHED, LOST, RECORD, REINDEX, UNKNOWN_WORDS } from '../samples.ts';

const ENDED = { ...RECORD, ending: FINISHED };
const ON_POSTGRES = { ...ENDED, taskId: 'c56a4180-65aa-42ec-a945-5fd21dec0538' };

suite('What is said of disk space after a truncation', () => {
  test('claims none: the index may keep its size, a replaced one keeps it, and so may a table', () => {
    assert.match(spaceText(ENDED), /^The index may keep its size .* for good/);
    assert.match(
      spaceText({ ...ENDED, report: REINDEX }),
      /^The old index .* keeps its disk space until it's removed\./,
    );
    assert.match(spaceText(ON_POSTGRES), /table may keep its size/i);
    assert.doesNotMatch(spaceText(ON_POSTGRES), /search engine/);
  });

  test('calls the rows gone only where readers were counted and see none of them', () => {
    const saysGone = (readers: 'clean' | 'rowsLeft' | 'notChecked', taskId = RECORD.taskId): boolean =>
      spaceText({ ...ENDED, taskId, ending: { ...FINISHED, readers } }).startsWith('The rows are gone');
    assert.deepEqual([saysGone('clean'), saysGone('rowsLeft'), saysGone('notChecked')], [true, false, false]);
    assert.deepEqual([saysGone('clean', ON_POSTGRES.taskId), saysGone('rowsLeft', ON_POSTGRES.taskId)], [true, false]);
  });
});

suite('The request that merges an index', () => {
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

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { endMessage, runningMessage, runningTitle } from '../../../../src/truncation/texts/notificationTexts.ts';
import type { TruncationRecord } from '../../../../src/truncation/record.ts';
import type { Outcome } from '../../../../src/truncation/outcome.ts';
import { FAILED, LOST, RECORD, REINDEX } from '../samples.ts';

function told(ending: Outcome, change: Partial<TruncationRecord> = {}): string {
  return endMessage({ ...RECORD, ...change, ending }, 'Production');
}

function finished(deleted: number | undefined, versionConflicts = 0): Extract<Outcome, { kind: 'finished' }> {
  return { kind: 'finished', deleted, versionConflicts };
}

suite('The message about a truncation that runs', () => {
  test('names it, and the connection', () =>
    assert.equal(runningTitle(RECORD, 'Production'), 'Truncating dataset / datasetprofile on Production'));

  test('says how far it is, and that the button stops nothing on the server', () => {
    const message = (progress: Parameters<typeof runningMessage>[1], trouble?: string): string =>
      runningMessage(RECORD, progress, trouble === undefined ? undefined : { sentence: trouble });
    const stays = ' Cancel only stops watching; the deletion continues.';
    assert.equal(message(undefined), `Running on the server.${stays}`);
    assert.equal(message({ counts: 'deleted', done: 5, total: undefined }), `Running on the server.${stays}`);
    assert.equal(
      message({ counts: 'deleted', done: 20_000, total: 134_517 }),
      `20,000 of 134,517 rows deleted.${stays}`,
    );
    assert.equal(message({ counts: 'copied', done: 5, total: 20 }), `5 of 20 remaining rows copied.${stays}`);
    assert.equal(message({ counts: 'copied', done: 5, total: 20 }, "Can't reach it."), `Can't reach it.${stays}`);
  });

  test('says that it stands still, unless it cannot be watched', () => {
    const seen = { at: RECORD.sentAt + 180_000, since: RECORD.sentAt, hasMoved: true, isReported: false };
    const progress = { counts: 'deleted', done: 5, total: 20, seen } as const;
    assert.match(
      runningMessage(RECORD, progress, undefined),
      /^5 of 20 rows deleted\. No progress for 3 min\. The task may have ended; .* Cancel only stops watching\.$/,
    );
    assert.doesNotMatch(runningMessage(RECORD, progress, { sentence: 'Down.' }), /No progress/);
  });

  test('says that the task is over while readers are counted, when no deletion continues', () => {
    const progress = { counts: 'deleted', done: 50, total: 90 } as const;
    const message = (taskEnd: TruncationRecord['taskEnd'], trouble?: string): string =>
      runningMessage({ ...RECORD, taskEnd }, progress, trouble === undefined ? undefined : { sentence: trouble });
    assert.equal(message({ kind: 'whole' }), 'Deleted. Searches may show the rows for some seconds more.');
    assert.equal(
      message({ kind: 'short', done: 50, total: 90 }),
      'The task ended early, after 50 of 90 rows. Counting what is left…',
    );
    assert.equal(message({ kind: 'whole' }, "Can't reach it."), "Can't reach it.");
  });
});

suite('The message about a truncation that has ended', () => {
  test('says rows, and no size: one that was read at the end says nothing', () =>
    assert.equal(
      told({ kind: 'finished', deleted: 134_517, versionConflicts: 0, readers: 'clean' }, { sizeAfter: 1_200_000_000 }),
      'Truncated dataset / datasetprofile on Production: 134,517 rows deleted. ' +
        'The rows are gone for searches. The index may keep its size until the search engine merges its files, ' +
        'or for good if little was deleted.',
    ));

  test('says what it knows where it knows less', () => {
    assert.match(told(finished(1)), /: 1 row deleted\. /);
    assert.match(
      told(finished(undefined)),
      /^Truncated .* on Production\. The server didn't say how many rows were deleted\. /,
    );
    assert.match(
      told({ ...finished(5), readers: 'rowsLeft', rowsLeft: 2_000 }),
      /5 rows deleted\. Finished\. 2,000 rows dated before the cutoff are there/,
    );
    assert.match(told({ ...finished(5), readers: 'notChecked' }), /Finished on the server; not checked\./);
  });

  test('says that the old index of a reindex still takes space', () =>
    assert.match(told(finished(5), { report: REINDEX }), /The old index .* keeps its disk space until it's removed/));

  test('names the next step of a failure and of an unknown outcome', () => {
    assert.equal(
      told(FAILED),
      'The truncation of dataset / datasetprofile on Production failed. The task ended with failures. Look.',
    );
    assert.equal(told(LOST), 'Check the truncation of dataset / datasetprofile on Production. The answer was lost.');
  });

  test('is none while it runs', () => assert.equal(endMessage(RECORD, 'Production'), ''));
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { endMessage, runningMessage, runningTitle, shortStatus } from '../../../../src/truncation/texts/statusTexts.ts';
import type { TruncationRecord } from '../../../../src/truncation/record.ts';
import { judgementTexts } from '../../../../src/truncation/texts/judgementTexts.ts';
import { taskTexts } from '../../../../src/truncation/texts/taskTexts.ts';
import { problemText, type TruncationOutcome } from '../../../../src/truncation/outcome.ts';
import { FAILED, LOST, RECORD, REINDEX } from '../samples.ts';

function told(ending: TruncationOutcome, change: Partial<TruncationRecord> = {}): string {
  return endMessage({ ...RECORD, ...change, ending }, 'Production');
}

function finished(deleted: number | undefined, versionConflicts = 0): Extract<TruncationOutcome, { kind: 'finished' }> {
  return { kind: 'finished', deleted, versionConflicts, readers: 'clean' };
}

suite('Message about a running truncation', () => {
  test('contains the index and the connection', () =>
    assert.equal(runningTitle(RECORD, 'Production'), 'Truncating dataset / datasetprofile on Production'));

  test('shows the progress and that Cancel stops nothing on the server', () => {
    const message = (progress: Parameters<typeof runningMessage>[1], trouble?: string): string =>
      runningMessage(RECORD, progress, trouble === undefined ? undefined : { sentence: trouble });
    const stays = ' Cancel only stops watching; the deletion continues.';
    assert.equal(message(undefined), `Running on the server.${stays}`);
    assert.equal(message({ counts: 'deleted', done: 5, total: undefined }), `Running on the server.${stays}`);
    assert.equal(
      message({ counts: 'deleted', done: 20_000, total: 134_517 }),
      `20,000 of 134,517 rows deleted.${stays}`,
    );
    assert.equal(message({ counts: 'copied', done: 5, total: 20 }), `Copied 5 of 20 rows to keep.${stays}`);
    assert.equal(message({ counts: 'copied', done: 5, total: 20 }, "Can't reach it."), `Can't reach it.${stays}`);
  });

  test('shows a standstill unless the task cannot be watched', () => {
    const seen = { at: RECORD.sentAt + 180_000, since: RECORD.sentAt, hasMoved: true, isReported: false };
    const progress = { counts: 'deleted', done: 5, total: 20, seen } as const;
    assert.match(
      runningMessage(RECORD, progress, undefined),
      /^5 of 20 rows deleted\. No progress for 3 min\. The task may have ended; .* Cancel only stops watching\.$/,
    );
    assert.doesNotMatch(runningMessage(RECORD, progress, { sentence: 'Down.' }), /No progress/);
  });

  test('says that the task has ended while rows are counted', () => {
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

suite('Message about the end of a truncation', () => {
  test('contains rows but no size, which says nothing at the end', () =>
    assert.equal(
      told({ kind: 'finished', deleted: 134_517, versionConflicts: 0, readers: 'clean' }),
      'Truncated dataset / datasetprofile on Production: 134,517 rows deleted. ' +
        'Searches no longer find the rows. The index may keep its size until the search engine merges its files, ' +
        'or permanently if only a few rows were deleted.',
    ));

  test('is shorter if less is known', () => {
    assert.match(told(finished(1)), /: 1 row deleted\. /);
    assert.match(
      told(finished(undefined)),
      /^Truncated .* on Production\. The server didn't say how many rows were deleted\. /,
    );
    assert.match(
      told({ ...finished(5), readers: 'rowsLeft', rowsLeft: 2_000 }),
      /5 rows deleted\. Finished\. Searches still find 2,000 rows dated before the cutoff/,
    );
    assert.match(told({ ...finished(5), readers: 'notChecked' }), /Finished on the server; not checked\./);
  });

  test('says that the old index of a reindex still uses space', () =>
    assert.match(told(finished(5), { report: REINDEX }), /The old index .* keeps its disk space until it's removed/));

  test('contains the next step of a failure and of an unknown outcome', () => {
    assert.equal(
      told(FAILED),
      `The truncation of dataset / datasetprofile on Production failed. ${problemText(judgementTexts.neverBegan())}`,
    );
    assert.equal(
      told(LOST),
      `It isn't certain how the truncation of dataset / datasetprofile on Production ended. ${problemText(taskTexts.lost())}`,
    );
  });

  test('is empty while the truncation runs', () => assert.equal(endMessage(RECORD, 'Production'), ''));
});

suite('Status of a truncation that cannot be watched', () => {
  const watchProblem = { sentence: "Can't reach datahub.example.com." };
  const shown = (change: Partial<TruncationRecord>): string =>
    shortStatus({ ...RECORD, ...change }, undefined, RECORD.sentAt, watchProblem);

  test('is unavailable before its end', () => {
    assert.equal(shown({}), 'status unavailable');
    assert.equal(shown({ taskEnd: { kind: 'whole' } }), 'status unavailable');
  });

  test('is how it ended afterwards: a failed count disproves nothing', () => {
    assert.equal(shown({ ending: finished(5) }), '5 rows deleted');
    const hidden = {
      kind: 'unknown',
      reason: 'missing',
      hidesRows: true,
    } as const;
    assert.equal(shown({ ending: hidden, report: REINDEX }), 'rows may be hidden');
  });
});

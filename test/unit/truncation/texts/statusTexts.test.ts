import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { endMessage, shortStatus } from '../../../../src/truncation/texts/statusTexts.ts';
import type { TruncationRecord } from '../../../../src/truncation/record.ts';
import { judgementTexts } from '../../../../src/truncation/texts/judgementTexts.ts';
import { taskTexts } from '../../../../src/truncation/texts/taskTexts.ts';
import { problemText, type TruncationOutcome } from '../../../../src/truncation/outcome.ts';
import { FAILED, LOST, RECORD, REINDEX } from '../samples.ts';

function told(ending: TruncationOutcome, change: Partial<TruncationRecord> = {}): string {
  return endMessage({ ...RECORD, ...change, ending }, 'Production', true);
}

function finished(deleted: number | undefined, versionConflicts = 0): Extract<TruncationOutcome, { kind: 'finished' }> {
  return { kind: 'finished', deleted, versionConflicts, readers: 'clean' };
}

suite('Message about the end of a truncation', () => {
  test('is one sentence with the rows', () =>
    assert.equal(
      told({ kind: 'finished', deleted: 134_517, versionConflicts: 0, readers: 'clean' }),
      'Truncated dataset / datasetprofile on Production: 134,517 rows deleted.',
    ));

  test('is shorter if less is known, and says what is left', () => {
    assert.match(told(finished(1)), /: 1 row deleted\.$/);
    assert.match(told(finished(undefined)), /^Truncated .* on Production\.$/);
    assert.match(
      told({ ...finished(5), readers: 'rowsLeft', rowsLeft: 2_000 }),
      /5 rows deleted\. Finished, but searches still find 2,000 rows dated before the cutoff/,
    );
    assert.match(told({ ...finished(5), readers: 'notChecked' }), /Finished on the server; not checked\./);
  });

  test('leaves the next step of a problem to the page, unless there is nothing to show', () => {
    const about = 'Truncation of dataset / datasetprofile on Production:';
    assert.equal(told(FAILED), `${about} ${judgementTexts.neverBegan().sentence}`);
    assert.equal(told(LOST), `${about} ${taskTexts.lost().sentence}`);
    assert.equal(
      endMessage({ ...RECORD, ending: FAILED }, 'Production', false),
      `The truncation of dataset / datasetprofile on Production failed. ${problemText(judgementTexts.neverBegan())}`,
    );
  });

  test('is empty while the truncation runs', () => assert.equal(endMessage(RECORD, 'Production', true), ''));
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

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { useLanguage } from '../../../../src/language.ts';
import type { TruncationOutcome } from '../../../../src/truncation/outcome.ts';
import type { TruncationRecord } from '../../../../src/truncation/record.ts';
import type { ProgressSighting, TaskProgress } from '../../../../src/truncation/taskEnd.ts';
import {
  endMessage,
  longStatus,
  nextStepText,
  shortStatus,
  statusText,
} from '../../../../src/truncation/texts/statusTexts.ts';
import { FAILED, FINISHED, LOST, MINUTE, NOW, RECORD, REINDEX } from '../samples.ts';

const sending: TruncationRecord = { ...RECORD, taskId: undefined };
const reindexing: TruncationRecord = { ...RECORD, report: REINDEX };
const whole: TruncationRecord = { ...RECORD, taskEnd: { kind: 'whole', done: 20, total: 20 } };
const NEVER_BEGAN = 'It failed before it began: the task ended without changing a row.';
const NO_RESPONSE = 'No response was received, so the deletion may or may not have started.';
const BEYOND = NOW + 4 * MINUTE;

function ended(ending: TruncationOutcome, record = RECORD): TruncationRecord {
  return { ...record, ending };
}

function finished(change: Partial<Extract<TruncationOutcome, { kind: 'finished' }>>): TruncationRecord {
  return ended({ ...FINISHED, ...change });
}

function deleting(done: number, total?: number): TaskProgress {
  return { counts: 'deleted', done, total };
}

/** Counted last three minutes after sending, without progress since then. */
function stillAt(done: number, since = NOW): TaskProgress & { readonly seen: ProgressSighting } {
  return { ...deleting(done, 100), seen: { at: NOW + 3 * MINUTE, since, hasMoved: true, isReported: false } };
}

suite('The status of a truncation', () => {
  for (const [said, record, progress, now = NOW] of [
    ['Sending…', sending],
    [NO_RESPONSE, sending, undefined, BEYOND],
    ['Running on the server…', RECORD],
    ['Running on the server; progress not known.', RECORD, deleting(5)],
    ['Deleting: 20,000 of 134,517 rows.', RECORD, deleting(20_000, 134_517)],
    ['Copying rows to keep: 1 of 1,083.', reindexing, { counts: 'copied', done: 1, total: 1_083 }],
    ['Finished: 20 rows deleted.', ended(FINISHED), deleting(1, 2)],
    ['Finished.', finished({ deleted: undefined })],
    ['Finished on the server; not checked.', finished({ readers: 'notChecked' })],
    [
      "Finished, but searches still find 1,500 rows dated before the cutoff: they were written in the meantime, or their deletion isn't visible yet.",
      finished({ readers: 'rowsLeft', rowsLeft: 1_500 }),
    ],
    ['Counting what is left…', whole],
    [NEVER_BEGAN, ended(FAILED)],
    [NO_RESPONSE, ended(LOST)],
  ] as readonly (readonly [string, TruncationRecord, TaskProgress?, number?])[]) {
    test(`is in full: ${said}`, () => assert.equal(statusText(record, progress, now), said));
  }

  test('is in the language of VS Code', (context) => {
    useLanguage('de', {});
    context.after(() => useLanguage('en', undefined));
    assert.equal(statusText(RECORD, deleting(20_000, 134_517), NOW), 'Deleting: 20.000 of 134.517 rows.');
  });

  for (const [said, record, progress, now = NOW] of [
    ['sending…', sending],
    ['outcome unknown', sending, undefined, BEYOND],
    ['62%, stalled', RECORD, stillAt(62), NOW + 3 * MINUTE],
    ['62%', RECORD, stillAt(62, NOW + 2.5 * MINUTE), NOW + 3 * MINUTE],
    ['running', RECORD],
    ['running', RECORD, deleting(5)],
    ['>99.9%', RECORD, deleting(9_999, 10_000)],
    ['20 rows deleted', ended(FINISHED)],
    ['1 row deleted', finished({ deleted: 1 })],
    ['finished', finished({ deleted: undefined })],
    ['failed', ended(FAILED)],
    ['rows may be hidden', ended(FAILED, reindexing)],
    ['outcome unknown', ended(LOST)],
    ['rows may be hidden', ended({ ...LOST, hidesRows: true } as TruncationOutcome, reindexing)],
    ['outcome unknown', ended({ ...LOST, hidesRows: false } as TruncationOutcome, reindexing)],
    ['checking…', whole, deleting(20, 20)],
  ] as readonly (readonly [string, TruncationRecord, TaskProgress?, number?])[]) {
    test(`is in short: ${said}`, () => assert.equal(shortStatus(record, progress, now), said));
  }

  for (const [said, record] of [
    ['status unavailable', RECORD],
    ['status unavailable', whole],
    // A failed count disproves nothing.
    ['20 rows deleted', ended(FINISHED)],
  ] as const) {
    test(`is in short, if it can't be watched: ${said}`, () =>
      assert.equal(shortStatus(record, undefined, NOW, { sentence: "Can't reach datahub.example.com." }), said));
  }

  test('describes a standstill in its long form, until the end', () => {
    assert.equal(
      longStatus(RECORD, stillAt(62), NOW + 3 * MINUTE),
      'Deleting: 62 of 100 rows. No progress for 3 min. The task may have ended; rows are counted every 30 sec.',
    );
    assert.equal(longStatus(ended(FINISHED), stillAt(62), NOW), 'Finished: 20 rows deleted.');
  });
});

suite('The next step', () => {
  for (const [what, record, now, next] of [
    ['while it is sent', sending, NOW, undefined],
    ['after a lost response', sending, BEYOND, /Check again later/],
    ['after an unknown end', ended(LOST), NOW, /Check again later/],
    ['after a failure', ended(FAILED), NOW, /^Check the batch size and the health of the index, then run the dry run/],
    ['after an end', ended(FINISHED), NOW, /The index may keep its size/],
    ['after the end of a reindex', ended(FINISHED, reindexing), NOW, /^The old index .* keeps its disk space/],
  ] as const) {
    test(`${what} is ${next?.source ?? 'none'}`, () => {
      const text = nextStepText(record, now);
      assert.ok(next === undefined ? text === undefined : next.test(text ?? ''), text);
    });
  }
});

suite('The message about the end of a truncation', () => {
  const about = 'Truncation of dataset/datasetprofile on Production:';
  for (const [said, record, isKept = true] of [
    ['', RECORD],
    ['Truncated dataset/datasetprofile on Production: 134,517 rows deleted.', finished({ deleted: 134_517 })],
    ['Truncated dataset/datasetprofile on Production: 1 row deleted.', finished({ deleted: 1 })],
    ['Truncated dataset/datasetprofile on Production.', finished({ deleted: undefined })],
    [
      "Truncated dataset/datasetprofile on Production: 20 rows deleted. Finished, but searches still find 2 rows dated before the cutoff: they were written in the meantime, or their deletion isn't visible yet.",
      finished({ readers: 'rowsLeft', rowsLeft: 2 }),
    ],
    [`${about} ${NEVER_BEGAN}`, ended(FAILED)],
    [`${about} ${NO_RESPONSE}`, ended(LOST)],
    [
      `${about} ${NEVER_BEGAN} Check the batch size and the health of the index, then run the dry run again.`,
      ended(FAILED),
      false,
    ],
  ] as readonly (readonly [string, TruncationRecord, boolean?])[]) {
    test(`is: ${said}`, () => assert.equal(endMessage(record, 'Production', isKept), said));
  }
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { useLanguage } from '../../../../src/language.ts';
import type { TruncationOutcome } from '../../../../src/truncation/outcome.ts';
import type { TruncationRecord } from '../../../../src/truncation/sentTruncation.ts';
import type { ProgressSighting, TaskProgress } from '../../../../src/truncation/taskEnd.ts';
import {
  endMessage,
  longStatus,
  nextStepText,
  shortStatus,
  statusText,
} from '../../../../src/truncation/texts/statusTexts.ts';
import { FAILED, FINISHED, MINUTE, NOW, RECORD, REINDEX, UNANSWERED } from '../samples.ts';

const reindexing: TruncationRecord = { ...RECORD, report: REINDEX };
const whole: TruncationRecord = { ...RECORD, taskEnd: { kind: 'whole', done: 20, total: 20 } };
const NEVER_BEGAN = 'The task ended without changing a row.';
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

const LEFT = 'Finished, but searches still find 1,500 rows dated before the cutoff.';
const UNCHECKED = 'Finished on the server; not checked.';
const NO_ANSWER = { kind: 'unknown', reason: 'lost' } as const;
const LATER = NOW + 3 * MINUTE;

type Said = readonly [full: string, short: string];

suite('A truncation', () => {
  for (const [record, said, progress, now = NOW] of [
    [UNANSWERED, ['Sending…', 'sending…']],
    [UNANSWERED, [NO_RESPONSE, 'outcome unknown'], undefined, BEYOND],
    [RECORD, ['Running on the server…', 'running']],
    [RECORD, ['Running on the server; progress not known.', 'running'], deleting(5)],
    [RECORD, ['Deleting: 20,000 of 134,517 rows.', '15%'], deleting(20_000, 134_517)],
    [RECORD, ['Deleting: 9,999 of 10,000 rows.', '>99.9%'], deleting(9_999, 10_000)],
    [RECORD, ['Deleting: 62 of 100 rows.', '62%'], stillAt(62, NOW + 2.5 * MINUTE), LATER],
    [RECORD, ['Deleting: 62 of 100 rows.', '62%, stalled'], stillAt(62), LATER],
    [reindexing, ['Copying rows to keep: 1 of 100.', '1%'], { counts: 'copied', done: 1, total: 100 }],
    [whole, ['Counting what is left…', 'checking…'], deleting(20, 20)],
    [ended(FINISHED), ['Finished: 20 rows deleted.', '20 rows deleted'], deleting(1, 2)],
    [finished({ deleted: 1 }), ['Finished: 1 row deleted.', '1 row deleted']],
    [finished({ deleted: undefined }), ['Finished.', 'finished']],
    [finished({ readers: 'rowsLeft', rowsLeft: 1_500 }), [LEFT, 'rows left']],
    [finished({ readers: 'notChecked' }), [UNCHECKED, 'not checked']],
    [ended(FAILED), [NEVER_BEGAN, 'failed']],
    [ended(FAILED, reindexing), [NEVER_BEGAN, 'rows may be hidden']],
    [ended(NO_ANSWER), [NO_RESPONSE, 'outcome unknown']],
    [ended({ ...NO_ANSWER, hidesRows: true }, reindexing), [NO_RESPONSE, 'rows may be hidden']],
    [ended({ ...NO_ANSWER, hidesRows: false }, reindexing), [NO_RESPONSE, 'outcome unknown']],
  ] as readonly (readonly [TruncationRecord, Said, TaskProgress?, number?])[]) {
    test(`is said in each voice: ${said.join(' | ')}`, () => {
      assert.deepEqual([statusText(record, progress, now), shortStatus(record, { progress }, now)], said);
    });
  }

  test('is named in the message about its end', () => {
    const sentence = statusText(ended(FINISHED), undefined, NOW);
    assert.equal(
      endMessage(RECORD.plan, 'Production', { sentence }),
      'Truncation of dataset/datasetProfile on Production: Finished: 20 rows deleted.',
    );
  });

  test('is said in the language of VS Code', (context) => {
    useLanguage('de', {});
    context.after(() => useLanguage('en', undefined));
    assert.equal(statusText(RECORD, deleting(20_000, 134_517), NOW), 'Deleting: 20.000 of 134.517 rows.');
  });

  test("that can't be watched is said to be so before its end, which no failed count disproves", () => {
    const problem = { sentence: "Can't reach datahub.example.com." };
    assert.deepEqual(
      [RECORD, whole, ended(FINISHED)].map((record) => shortStatus(record, { problem }, NOW)),
      ['status unavailable', 'status unavailable', '20 rows deleted'],
    );
    assert.deepEqual(
      [RECORD, whole, ended(FINISHED)].map((record) => longStatus(record, { problem }, NOW)),
      [problem.sentence, problem.sentence, 'Finished: 20 rows deleted.'],
    );
  });

  test('at a standstill is described so in its long form, until the end', () => {
    assert.equal(
      longStatus(RECORD, { progress: stillAt(62) }, LATER),
      'Deleting: 62 of 100 rows. No progress for 3 min. The task may have ended; rows are counted every 30 sec.',
    );
    assert.equal(longStatus(ended(FINISHED), { progress: stillAt(62) }, NOW), 'Finished: 20 rows deleted.');
  });
});

suite('The next step', () => {
  for (const [what, record, now, next, canCheck = true] of [
    ['while it is sent', UNANSWERED, NOW, undefined],
    ['after a lost response', UNANSWERED, BEYOND, /Check again later/],
    ['after an unknown end', ended(NO_ANSWER), NOW, /Check again later/],
    ['after a failure', ended(FAILED), NOW, /^Check the batch size and the health of the index, then run the dry run/],
    [
      'after an end with rows left',
      finished({ readers: 'rowsLeft', rowsLeft: 5 }),
      NOW,
      /^Check again later: rows were/,
    ],
    ['after an end that was not checked', finished({ readers: 'notChecked' }), NOW, /couldn't be counted\.$/],
    [
      'after an end of which one count found nothing left',
      finished({ readers: 'rowsLeft', rowsLeft: 0 }),
      NOW,
      /^Check again later\.$/,
    ],
    [
      'after an end that was not checked before a later truncation',
      finished({ readers: 'notChecked' }),
      NOW,
      /^A later truncation of this index was sent, so this one can't be checked anymore\.$/,
      false,
    ],
    ['after an end', ended(FINISHED), NOW, undefined],
  ] as readonly (readonly [string, TruncationRecord, number, RegExp | undefined, boolean?])[]) {
    test(`${what} is ${next?.source ?? 'none'}`, () => {
      const text = nextStepText(record, now, canCheck);
      assert.ok(next === undefined ? text === undefined : next.test(text ?? ''), text);
    });
  }
});

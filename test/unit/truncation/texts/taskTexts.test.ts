import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { useLanguage } from '../../../../src/language.ts';
import { longStatus, nextStepText, shortStatus, statusText } from '../../../../src/truncation/texts/statusTexts.ts';
import { endingRemarks } from '../../../../src/truncation/texts/endingTexts.ts';
import type { Connection } from '../../../../src/connections/connection.ts';
import { taskTexts } from '../../../../src/truncation/texts/taskTexts.ts';
import { SESSION_ID, type TruncationRecord } from '../../../../src/truncation/record.ts';
import { judgementTexts } from '../../../../src/truncation/texts/judgementTexts.ts';
import type { ProgressSighting, TaskProgress } from '../../../../src/truncation/taskEnd.ts';
import { DELETE_BY_QUERY, FAILED, FINISHED, LOST, MINUTE, NOW, RECORD, REINDEX } from '../samples.ts';

const SIGN_IN = { origin: 'https://datahub.example.com', storedAt: NOW };
const CONNECTION: Connection = {
  id: RECORD.connectionId,
  name: 'Production',
  baseUrl: 'https://datahub.example.com',
  actorUrn: 'urn:li:corpuser:jdoe',
  createdAt: NOW,
  role: 'development',
  signIn: SIGN_IN,
};
const sending: TruncationRecord = { ...RECORD, taskId: undefined, sessionId: SESSION_ID };
const sentElsewhere: TruncationRecord = { ...sending, sessionId: 'another window' };
const WHOLE = { kind: 'whole', done: 20, total: 20 } as const;
const reindexing: TruncationRecord = { ...RECORD, report: REINDEX };

/** Counted last three minutes after sending, without progress. */
function stillAt(done: number): TaskProgress & { readonly seen: ProgressSighting } {
  const seen = { at: NOW + 3 * MINUTE, since: NOW, hasMoved: true, isReported: false };
  return { counts: 'deleted', done, total: 100, seen };
}

suite('Texts about a truncation', () => {
  for (const [said, record, progress, now, locale] of [
    ['Sending…', sending, undefined, NOW, 'en'],
    [taskTexts.unanswered().sentence, sentElsewhere, undefined, NOW, 'en'],
    [taskTexts.unanswered().sentence, { ...sending, sessionId: undefined }, undefined, NOW, 'en'],
    [taskTexts.lost().sentence, sending, undefined, NOW + 4 * MINUTE, 'en'],
    ['Running on the server…', RECORD, undefined, NOW, 'en'],
    ['Running on the server; progress not known.', RECORD, { counts: 'deleted', done: 5, total: undefined }, NOW, 'en'],
    ['Deleting: 20,000 of 134,517 rows.', RECORD, { counts: 'deleted', done: 20_000, total: 134_517 }, NOW, 'en'],
    ['Deleting: 20.000 of 134.517 rows.', RECORD, { counts: 'deleted', done: 20_000, total: 134_517 }, NOW, 'de'],
    ['Copying rows to keep: 1 of 1,083.', reindexing, { counts: 'copied', done: 1, total: 1_083 }, NOW, 'en'],
    [
      'Finished: 20 rows deleted.',
      { ...RECORD, ending: FINISHED },
      { counts: 'deleted', done: 1, total: 2 },
      NOW,
      'en',
    ],
    ['Finished.', { ...RECORD, ending: { ...FINISHED, deleted: undefined } }, undefined, NOW, 'en'],
    [
      'Finished on the server; not checked.',
      { ...RECORD, ending: { ...FINISHED, readers: 'notChecked' } },
      undefined,
      NOW,
      'en',
    ],
    [
      "Finished, but searches still find 1,500 rows dated before the cutoff: they were written in the meantime, or their deletion isn't visible yet.",
      { ...RECORD, ending: { ...FINISHED, readers: 'rowsLeft', rowsLeft: 1_500 } },
      undefined,
      NOW,
      'en',
    ],
    ['Deleted. Searches may show the rows for some seconds more.', { ...RECORD, taskEnd: WHOLE }, undefined, NOW, 'en'],
    [
      'The rows to keep were copied. Checking that searches find them…',
      { ...reindexing, taskEnd: WHOLE },
      undefined,
      NOW,
      'en',
    ],
    [
      'The task ended early, after 12 of 20 rows. Counting what is left…',
      { ...RECORD, taskEnd: { kind: 'short', done: 12, total: 20 } },
      undefined,
      NOW,
      'en',
    ],
    [
      'The server no longer knows this task: it has ended, or its node was restarted. Counting what is left…',
      { ...RECORD, taskEnd: { kind: 'gone' } },
      undefined,
      NOW,
      'en',
    ],
    [
      'It failed before it began: the task ended without changing a row.',
      { ...RECORD, ending: FAILED },
      undefined,
      NOW,
      'en',
    ],
    [
      'No response was received, so the deletion may or may not have started.',
      { ...RECORD, ending: LOST },
      undefined,
      NOW,
      'en',
    ],
  ] as const) {
    test(`"${said}"`, (context) => {
      useLanguage(locale, {});
      context.after(() => useLanguage('en', undefined));
      assert.equal(statusText(record as TruncationRecord, progress, now), said);
    });
  }

  for (const [said, record, progress, now] of [
    ['sending…', sending, undefined, NOW],
    ['outcome unknown', sentElsewhere, undefined, NOW],
    ['outcome unknown', sending, undefined, NOW + 4 * MINUTE],
    ['62%, stalled', RECORD, stillAt(62), NOW + 3 * MINUTE],
    ['62%', RECORD, { ...stillAt(62), seen: { ...stillAt(62).seen, since: NOW + 2.5 * MINUTE } }, NOW + 3 * MINUTE],
    ['running', RECORD, undefined, NOW],
    ['running', RECORD, { counts: 'deleted', done: 5, total: undefined }, NOW],
    ['62%', RECORD, { counts: 'deleted', done: 62, total: 100 }, NOW],
    ['>99.9%', RECORD, { counts: 'deleted', done: 9_999, total: 10_000 }, NOW],
    ['20 rows deleted', { ...RECORD, ending: FINISHED }, undefined, NOW],
    ['1 row deleted', { ...RECORD, ending: { ...FINISHED, deleted: 1 } }, undefined, NOW],
    ['finished', { ...RECORD, ending: { ...FINISHED, deleted: undefined } }, undefined, NOW],
    ['failed', { ...RECORD, ending: FAILED }, undefined, NOW],
    ['rows may be hidden', { ...reindexing, ending: FAILED }, undefined, NOW],
    ['outcome unknown', { ...RECORD, ending: LOST }, undefined, NOW],
    ['rows may be hidden', { ...reindexing, ending: { ...LOST, hidesRows: true } }, undefined, NOW],
    ['outcome unknown', { ...reindexing, ending: { ...LOST, hidesRows: false } }, undefined, NOW],
    ['checking…', { ...RECORD, taskEnd: WHOLE }, { counts: 'deleted', done: 20, total: 20 }, NOW],
  ] as const) {
    test(`has the short status "${said}"`, () =>
      assert.equal(shortStatus(record as TruncationRecord, progress, now), said));
  }

  test('include the next step after an end only', () => {
    assert.equal(nextStepText({ ...RECORD, ending: LOST }, NOW), taskTexts.lost().next);
    assert.equal(nextStepText({ ...RECORD, ending: FAILED }, NOW), judgementTexts.neverBegan().next);
    assert.match(nextStepText({ ...RECORD, ending: FINISHED }, NOW) ?? '', /The index may keep its size/);
    assert.match(nextStepText({ ...reindexing, ending: FINISHED }, NOW) ?? '', /old index .* keeps its disk space/);
  });

  test('describe a standstill in the long status', () => {
    assert.equal(
      longStatus(RECORD, stillAt(62), NOW + 3 * MINUTE),
      'Deleting: 62 of 100 rows. No progress for 3 min. The task may have ended; rows are counted every 30 sec.',
    );
    assert.equal(longStatus({ ...RECORD, ending: FINISHED }, stillAt(62), NOW), 'Finished: 20 rows deleted.');
  });

  test('include the next step without a response, in every window', () => {
    assert.equal(nextStepText(sending, NOW), undefined);
    assert.equal(nextStepText(sentElsewhere, NOW), taskTexts.unanswered().next);
    assert.equal(nextStepText(sentElsewhere, NOW + 4 * MINUTE), taskTexts.lost().next);
    assert.equal(nextStepText({ ...RECORD, ending: FAILED }, NOW), judgementTexts.neverBegan().next);
  });

  test('never suggest another truncation while the server may be deleting', () => {
    for (const { sentence, next } of [taskTexts.lost(), taskTexts.lostInTime(), taskTexts.rowsHidden(3)]) {
      assert.doesNotMatch(`${sentence} ${next ?? ''}`, /truncate again|run it again|once more|start over/i);
    }
  });

  test('say who can bring hidden rows back, and what is blocked', () => {
    assert.match(taskTexts.rowsHidden(3).sentence, /find only 3 rows now.*hidden, not deleted/);
    assert.match(
      taskTexts.rowsHidden(undefined).next ?? '',
      /^Send an administrator the requests that bring them back/,
    );
    const hidden = { ...LOST, hidesRows: true, missing: 'notCopied' } as const;
    assert.match(
      endingRemarks({ ...reindexing, ending: hidden }, NOW).join('; '),
      /deletes nothing from this index until searches find the rows/,
    );
    assert.match(taskTexts.blocked('dataset/operation').sentence, /^Nothing was deleted.*dataset\/operation/);
  });

  test('never suggest to send an execution again after a lost response', () => {
    for (const unanswered of [{ ...RECORD, taskId: undefined, ending: LOST }, sentElsewhere]) {
      assert.match(endingRemarks(unanswered, NOW).join('; '), /never sent again/);
    }
    assert.deepEqual(endingRemarks(RECORD, NOW), []);
  });

  test('consist of sentences, each failure with a next step', () => {
    const { blockedBy: _, ...failures } = taskTexts;
    const failings = [
      failures.underWay('dataset/operation'),
      failures.forgotten(),
      failures.continuedByAnother(),
      failures.sentByAnother(),
      failures.notOver('dataset/operation'),
      failures.pageClosed(),
      failures.stopped(),
      failures.notRecorded('Try again.'),
      failures.lost(),
      failures.unanswered(),
      failures.lostInTime(),
      failures.notReindexed(),
      failures.rowsHidden(3),
      failures.rowsHidden(undefined),
      failures.blocked('dataset/operation'),
      ...[true, false].map((isAsked) => failures.connectionChanged(CONNECTION, CONNECTION, isAsked)),
      failures.sentElsewhere('https://old.example.com'),
    ];
    assert.ok(failings.length >= Object.keys(failures).length, 'each is here');
    for (const text of [
      ...[0, 1, 2, 20].map((toDelete) =>
        judgementTexts.countedAgain({ report: DELETE_BY_QUERY }, { toDelete, kept: 181 }),
      ),
      ...failings.flatMap(({ sentence, next }) => [sentence, next ?? '']),
    ]) {
      assert.match(text, /^[A-Z0-9][^{}]+\.$/);
    }
    assert.match(failures.sentElsewhere('https://old.example.com').sentence, /https:\/\/old\.example\.com/);
    assert.match(failures.rowsHidden(undefined).sentence, /couldn't be counted/);
  });

  test('say what changed in the connection since the dry run', () => {
    const changes: readonly [Partial<Connection>, string][] = [
      [{ baseUrl: 'https://other.example.com', role: 'production' }, "The connection's address"],
      [{ actorUrn: 'urn:li:corpuser:other', signIn: undefined }, "The connection's user"],
      [{ signIn: { ...SIGN_IN, storedAt: NOW + 1 } }, 'The sign-in'],
      [{ signIn: undefined }, 'The sign-in'],
      [{ role: 'production' }, "The connection's role"],
      [{ plainHttpOrigin: 'https://datahub.example.com' }, 'The connection'],
    ];
    for (const [change, subject] of changes) {
      const { sentence, next } = taskTexts.connectionChanged(CONNECTION, { ...CONNECTION, ...change }, false);
      assert.equal(sentence, `${subject} has changed since the dry run.`);
      assert.equal(next, 'Run the dry run again.');
      assert.equal(
        taskTexts.connectionChanged(CONNECTION, { ...CONNECTION, ...change }, true).sentence,
        `Nothing was deleted. ${subject} has changed since the dry run.`,
      );
    }
    assert.equal(
      taskTexts.connectionChanged(CONNECTION, undefined, false).sentence,
      'The connection has changed since the dry run.',
    );
  });
});

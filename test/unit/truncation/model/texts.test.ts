import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { useLanguage } from '../../../../src/language.ts';
import {
  cautionText,
  nextText,
  shortStatus,
  statusText,
  strategyTexts,
  taskTexts,
} from '../../../../src/truncation/model/texts.ts';
import type { TruncationRecord } from '../../../../src/truncation/model/record.ts';
import { FAILED, FINISHED, LOST, MINUTE, NOW, RECORD, REINDEX } from './samples.ts';

const sending: TruncationRecord = { ...RECORD, taskId: undefined };
const reindexing: TruncationRecord = { ...RECORD, report: REINDEX };

suite('What is said of a truncation', () => {
  for (const [said, record, progress, now, locale] of [
    ['Sending…', sending, undefined, NOW, 'en'],
    [taskTexts.lost().sentence, sending, undefined, NOW + 4 * MINUTE, 'en'],
    ['Running on the server…', RECORD, undefined, NOW, 'en'],
    ['Running on the server…', RECORD, { counts: 'deleted', done: 5, total: undefined }, NOW, 'en'],
    ['Deleting: 20,000 of 134,517 rows.', RECORD, { counts: 'deleted', done: 20_000, total: 134_517 }, NOW, 'en'],
    ['Deleting: 20.000 of 134.517 rows.', RECORD, { counts: 'deleted', done: 20_000, total: 134_517 }, NOW, 'de'],
    ['Copying remaining rows: 1 of 1,083.', reindexing, { counts: 'copied', done: 1, total: 1_083 }, NOW, 'en'],
    [
      'Finished: 20 rows deleted.',
      { ...RECORD, ending: FINISHED },
      { counts: 'deleted', done: 1, total: 2 },
      NOW,
      'en',
    ],
    ['Finished.', { ...RECORD, ending: { ...FINISHED, deleted: undefined } }, undefined, NOW, 'en'],
    [
      'Finished: 20 rows deleted. 1,500 rows changed in the meantime and were kept.',
      { ...RECORD, ending: { ...FINISHED, versionConflicts: 1_500 } },
      undefined,
      NOW,
      'en',
    ],
    ['The task ended with failures.', { ...RECORD, ending: FAILED }, undefined, NOW, 'en'],
    ['The answer was lost.', { ...RECORD, ending: LOST }, undefined, NOW, 'en'],
  ] as const) {
    test(`"${said}"`, (context) => {
      useLanguage(locale, {});
      context.after(() => useLanguage('en', undefined));
      assert.equal(statusText(record as TruncationRecord, progress, now), said);
    });
  }

  for (const [said, record, progress, now] of [
    ['sending…', sending, undefined, NOW],
    ['outcome unknown', sending, undefined, NOW + 4 * MINUTE],
    ['running', RECORD, undefined, NOW],
    ['running', RECORD, { counts: 'deleted', done: 5, total: undefined }, NOW],
    ['62%', RECORD, { counts: 'deleted', done: 62, total: 100 }, NOW],
    ['99%', RECORD, { counts: 'deleted', done: 9_999, total: 10_000 }, NOW],
    ['20 rows deleted', { ...RECORD, ending: FINISHED }, undefined, NOW],
    ['1 row deleted', { ...RECORD, ending: { ...FINISHED, deleted: 1 } }, undefined, NOW],
    ['finished', { ...RECORD, ending: { ...FINISHED, deleted: undefined } }, undefined, NOW],
    ['failed', { ...RECORD, ending: FAILED }, undefined, NOW],
    ['rows may be hidden', { ...reindexing, ending: FAILED }, undefined, NOW],
    ['outcome unknown', { ...RECORD, ending: LOST }, undefined, NOW],
    ['rows may be hidden', { ...reindexing, ending: { ...LOST, hidesRows: true } }, undefined, NOW],
    ['probably finished', { ...reindexing, ending: { ...LOST, hidesRows: false } }, undefined, NOW],
  ] as const) {
    test(`in a row's few characters: "${said}"`, () =>
      assert.equal(shortStatus(record as TruncationRecord, progress, now), said));
  }

  test('a next step follows each end that has one, and none follows before', () => {
    assert.equal(nextText(RECORD), undefined);
    assert.equal(nextText({ ...RECORD, ending: LOST }), undefined);
    assert.equal(nextText({ ...RECORD, ending: FAILED }), 'Look.');
    assert.match(nextText({ ...RECORD, ending: FINISHED }) ?? '', /The index may keep its size/);
    assert.match(nextText({ ...reindexing, ending: FINISHED }) ?? '', /old index .* keeps its disk space/);
  });

  test('a reindexing that failed sends to an administrator; a deletion that failed to another dry run', () => {
    assert.match(taskTexts.failed('reindex').next ?? '', /administrator/);
    assert.match(taskTexts.failed('deleteByQuery').next ?? '', /dry run/);
  });

  test('a task that is not known any more is told with what is left, where that is known', () => {
    assert.match(taskTexts.notKnown(12).next ?? '', /^12 rows/);
    assert.match(taskTexts.notKnown(undefined).next ?? '', /^The rows couldn't be counted/);
    assert.equal(taskTexts.cancelled('by user').sentence, 'The task was cancelled on the server: by user');
    assert.equal(taskTexts.cancelled('').sentence, 'The task was cancelled on the server.');
  });

  test('nobody is told to truncate again while the server may be deleting', () => {
    const told = [
      taskTexts.notKnown(12),
      taskTexts.notKnown(undefined),
      taskTexts.lost(),
      taskTexts.stopped(12, undefined),
      taskTexts.rowsHidden(3),
    ];
    for (const { sentence, next } of told) {
      assert.doesNotMatch(`${sentence} ${next ?? ''}`, /truncate again|once more|start over/i);
    }
  });

  test('a cut-off that takes more than is expected is told with what goes', () => {
    assert.match(cautionText('future'), /in the future\. Every existing row will be deleted/);
    assert.match(cautionText('last24Hours'), /less than 24 hours ago\. Very recent rows will be deleted too/);
  });

  test('rows that are hidden are told with who can bring them back, and what is kept from happening', () => {
    assert.match(taskTexts.rowsHidden(3).sentence, /they see 3 rows now.*hidden, not deleted/);
    assert.match(
      taskTexts.rowsHidden(undefined).next ?? '',
      /administrator.*alias.*nothing is deleted from this index/,
    );
    assert.match(taskTexts.mayHideRows(3).sentence, /fewer rows than should stay/);
    assert.match(
      taskTexts.mayHideRows(3).next ?? '',
      /^3 rows are visible.*administrator.*alias.*nothing is deleted from this index/,
    );
    assert.match(taskTexts.blocked('dataset/operation').sentence, /^Nothing was deleted.*dataset\/operation/);
  });

  test('a timeout is told where the rows stop falling, since some servers end the deletion by it', () => {
    assert.match(taskTexts.stopped(12, 3_600).next ?? '', /timeout of 3,600 seconds/);
    assert.doesNotMatch(taskTexts.stopped(12, undefined).next ?? '', /timeout/);
  });

  test('an execution whose answer was lost is never said to be sent again', () => {
    assert.match(taskTexts.lost().next ?? '', /never sent again/);
  });

  test('every failure is a sentence, and has a next step in sentences', () => {
    const { left, countIsFalling, countIsUnchanged, ...failures } = taskTexts;
    const failings = [
      failures.notKnownReindex(failures.endedUntold(undefined)),
      failures.endedUntold(3),
      failures.rowsAreBack(),
      failures.underWay('dataset/operation'),
      failures.forgotten(),
      failures.pageClosed(),
      failures.notRecorded('Try again.'),
      failures.mayHideRows(3),
      failures.notKnown(3),
      failures.cancelled('by user'),
      failures.failed('reindex'),
      failures.endedEarly('unknown', 1, 2),
      failures.stopped(3, 60),
      failures.lost(),
      failures.notReindexed(),
      failures.rowsHidden(3),
      failures.rowsHidden(undefined),
      failures.mayHideRows(3),
      failures.blocked('dataset/operation'),
      failures.connectionChanged(),
      failures.sentElsewhere('https://old.example.com'),
    ];
    assert.ok(failings.length >= Object.keys(failures).length, 'each is here');
    for (const text of [
      left(1),
      left(undefined),
      countIsFalling(1),
      countIsUnchanged(),
      ...failings.flatMap(({ sentence, next }) => [sentence, next ?? '']),
    ]) {
      assert.match(text, /^[A-Z0-9][^{}]+(?:\.|by user)$/);
    }
    assert.match(failures.sentElsewhere('https://old.example.com').sentence, /https:\/\/old\.example\.com/);
    assert.match(failures.rowsHidden(undefined).sentence, /couldn't be counted/);
    assert.deepEqual(failures.notKnownReindex(failures.notKnown(undefined)), {
      sentence: failures.notKnown(undefined).sentence,
      next: failures.failed('reindex').next,
    });
  });

  test('each strategy has a name and a meaning; that of the dangerous one says who stops seeing what', () => {
    for (const { name, meaning } of Object.values(strategyTexts)) {
      assert.ok(name().length > 0 && meaning().endsWith('.'));
    }
    assert.match(strategyTexts.reindex.meaning(), /hidden from readers/);
  });
});

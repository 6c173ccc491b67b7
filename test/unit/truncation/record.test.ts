import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  blockingReason,
  hidesRows,
  parseRecord,
  shownStatusOf,
  statusOf,
  type TruncationRecord,
} from '../../../src/truncation/record.ts';
import {
  DELETE_BY_QUERY,
  FAILED,
  FINISHED,
  LOST,
  MINUTE,
  NOW,
  PLAN,
  RECORD,
  REINDEX,
  UNKNOWN_WORDS,
} from './samples.ts';

/** As a memento keeps a record. */
function stored(record: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(record)) as Record<string, unknown>;
}

suite('A truncation that was written down', () => {
  const { taskId: _taskId, sizeBefore: _sizeBefore, ...sending } = RECORD;
  const records: Readonly<Record<string, TruncationRecord>> = {
    'that was just sent': sending,
    'that runs': RECORD,
    'that finished': { ...RECORD, ending: FINISHED, endedAt: NOW + MINUTE, sizeAfter: 1 },
    'whose server told how long it ran': { ...RECORD, ending: FINISHED, endedAt: NOW + MINUTE, runTimeMillis: 1.5 },
    'that names the session that sent it': { ...sending, sessionId: 'a session' },
    'whose sender the server told': { ...RECORD, actorUrn: 'urn:li:corpuser:a', callerUrn: 'urn:li:corpuser:b' },
    'whose size is approximate': { ...RECORD, sizePrecision: 'approximate' },
    'whose index was seen to be smaller later': {
      ...RECORD,
      ending: FINISHED,
      endedAt: NOW + MINUTE,
      sizePrecision: 'exact',
      laterSize: { bytes: 5, at: NOW + 2 * MINUTE },
    },
    'that failed': { ...RECORD, ending: FAILED, endedAt: NOW + MINUTE },
    'whose answer was lost': { ...sending, ending: LOST, endedAt: NOW + MINUTE },
    'with a timeout and a chosen strategy': {
      ...RECORD,
      plan: { ...PLAN, timeoutSeconds: 60, strategy: 'deleteByQuery' },
    },
    'with a strategy that reindexes': { ...RECORD, plan: { ...PLAN, strategy: 'reindex' } },
    'by reindexing': { ...RECORD, report: REINDEX },
    'whose dry run was not understood': { ...RECORD, report: UNKNOWN_WORDS },
  };
  for (const [which, record] of Object.entries(records)) {
    test(`${which} is read back as it was`, () =>
      assert.deepEqual(stored(parseRecord(stored(record)) ?? {}), stored(record)));
  }

  test('has no end before there is one', () => {
    assert.ok(!Object.hasOwn(parseRecord(stored(RECORD)) ?? {}, 'ending'));
  });

  test('may be dropped into by other versions: what is not known is not taken along', () => {
    assert.deepEqual(stored(parseRecord({ ...stored(RECORD), token: 'x' }) ?? {}), stored(RECORD));
  });

  for (const [which, damage] of Object.entries({
    'no id': { id: undefined },
    'an id that is none': { id: '../x' },
    'no connection': { connectionId: undefined },
    'no plan': { plan: undefined },
    'a plan without a cut-off': { plan: { ...PLAN, endTimeMillis: undefined } },
    'no report': { report: null },
    'a report without words': { report: { ...DELETE_BY_QUERY, serverText: undefined } },
    'no time of sending': { sentAt: 'now' },
  })) {
    test(`is not used with ${which}`, () => assert.equal(parseRecord({ ...stored(RECORD), ...damage }), undefined));
  }

  for (const [which, damage] of Object.entries({
    'an unknown strategy': { plan: { ...PLAN, strategy: 'drop' } },
    'an unknown way of deleting': { report: { ...REINDEX, strategy: 'drop' } },
    'an unknown ending': { report: REINDEX, ending: { kind: 'exploded' } },
    'a failure without a sentence': { report: REINDEX, ending: { ...FAILED, failing: {} } },
    'an unknown end of its task': { report: REINDEX, taskEnd: { kind: 'exploded' } },
    'an unknown precision': { report: REINDEX, sizePrecision: 'wrong' },
    'an unknown cause of missing rows': {
      report: REINDEX,
      ending: { kind: 'unknown', failing: { sentence: 'Hidden.' }, hidesRows: true, missing: 'exploded' },
    },
  })) {
    test(`of a later version with ${which} still says that its index is not to be deleted from`, () => {
      const record = parseRecord({ ...stored({ ...RECORD, report: REINDEX }), ...damage });
      assert.ok(record);
      assert.notEqual(blockingReason({ ...record, report: { ...record.report, strategy: 'unknown' } }), undefined);
    });
  }

  for (const damaged of [undefined, null, 'x', 1, [], {}]) {
    test(`is not ${JSON.stringify(damaged)}`, () => assert.equal(parseRecord(damaged), undefined));
  }

  test('stands where its end, its number and its age say', () => {
    assert.equal(statusOf(sending, NOW), 'sending');
    assert.equal(statusOf(sending, NOW + 3 * MINUTE), 'sending');
    assert.equal(statusOf(sending, NOW + 3 * MINUTE + 1), 'lost');
    assert.equal(statusOf(RECORD, NOW + 1_000 * MINUTE), 'running');
    assert.equal(statusOf(sending, NOW - 1), 'lost', 'the clock was set back: how old it is cannot be told');
    for (const ending of [FINISHED, FAILED, LOST]) {
      assert.equal(statusOf({ ...RECORD, ending }, NOW), ending.kind);
      assert.equal(statusOf({ ...sending, ending }, NOW + 1_000 * MINUTE), ending.kind);
    }
  });
});

suite('An execution without an answer', () => {
  const { taskId: _, ...unanswered } = RECORD;

  for (const [by, sessionId, shown] of [
    ['this very window', 'this', 'sending'],
    ['another window, or this one before a reload', 'another', 'unanswered'],
    ['a version that did not keep which', undefined, 'unanswered'],
  ] as const) {
    test(`that was sent by ${by} is ${shown} until its time is over, and lost then`, () => {
      const record = sessionId === undefined ? unanswered : { ...unanswered, sessionId };
      assert.equal(shownStatusOf(record, NOW, 'this'), shown);
      assert.equal(shownStatusOf(record, NOW + 4 * MINUTE, 'this'), 'lost');
      assert.equal(statusOf(record, NOW), 'sending', 'nothing else may be sent meanwhile');
      assert.equal(blockingReason({ ...record, report: REINDEX }), 'underWay');
    });
  }

  test('is shown as what became of it once that is stored, whichever window sent it', () => {
    assert.equal(shownStatusOf({ ...RECORD, sessionId: 'another' }, NOW, 'this'), 'running');
    assert.equal(shownStatusOf({ ...unanswered, sessionId: 'another', ending: FINISHED }, NOW, 'this'), 'finished');
  });
});

suite('Rows that should stay', () => {
  const reindexing = { ...RECORD, report: REINDEX };
  for (const [what, record, may] of [
    ['a reindex that runs', reindexing, false],
    ['a reindex that finished', { ...reindexing, ending: FINISHED }, false],
    ['a reindex that failed', { ...reindexing, ending: FAILED }, true],
    ['a delete by query that failed', { ...RECORD, ending: FAILED }, false],
    ['a reindex whose answer was lost', { ...reindexing, ending: LOST }, false],
    [
      'an execution after which fewer rows were seen',
      { ...RECORD, ending: { ...LOST, hidesRows: true } as typeof LOST },
      true,
    ],
    ['a truncation that runs', RECORD, false],
  ] as const) {
    test(`${may ? 'may be' : 'are not'} hidden by ${what}`, () => assert.equal(hidesRows(record), may));
  }
});

suite('The index of a truncation that was sent before', () => {
  const reindex = { ...RECORD, report: { ...RECORD.report, strategy: 'reindex' as const } };
  const unknown = { kind: 'unknown', failing: { sentence: 'Lost.' } } as const;
  for (const [what, record, block] of [
    ['a reindex that runs', reindex, 'underWay'],
    ['a reindex whose answer was lost', { ...reindex, ending: unknown }, 'underWay'],
    ['what may be a reindex', { ...RECORD, report: { ...RECORD.report, strategy: 'unknown' as const } }, 'underWay'],
    ['a reindex that may have hidden rows', { ...reindex, ending: { ...unknown, hidesRows: true } }, 'rowsHidden'],
    [
      'a reindex after which as many rows are seen as should be',
      { ...reindex, ending: { ...unknown, hidesRows: false } },
      undefined,
    ],
    ['a reindex that finished', { ...reindex, ending: FINISHED }, undefined],
    ['a delete by query that runs', RECORD, undefined],
    ['a delete by query whose answer was lost', { ...RECORD, ending: unknown }, undefined],
  ] as const) {
    test(`${block === undefined ? 'may be deleted from' : `is left alone (${block})`} after ${what}`, () =>
      assert.equal(blockingReason(record), block));
  }
});

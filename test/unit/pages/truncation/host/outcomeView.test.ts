import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { OutcomeView } from '../../../../../src/pages/truncation/protocol.ts';
import type { TruncationFacts } from '../../../../../src/pages/truncation/host/view.ts';
import type { Problem } from '../../../../../src/truncation/problem.ts';
import type { TruncationRecord } from '../../../../../src/truncation/sentTruncation.ts';
import { sentState } from '../../../../../src/truncation/state.ts';
import type { TaskProgress } from '../../../../../src/truncation/taskEnd.ts';
import { runningText } from '../../../../../src/truncation/texts/progressTexts.ts';
import { DAY, FINISHED, LOST, MINUTE, NOW, RECORD, REINDEX, TASK_ID, UNANSWERED } from '../../../truncation/samples.ts';
import { detailOf, pageViewOf } from '../pageViews.ts';

const plain = (text: string | undefined): string | undefined => text?.replaceAll('\u202F', ' ');
const ENDED: TruncationRecord = { ...RECORD, ending: FINISHED, endedAt: NOW + DAY, runTimeMillis: MINUTE };
const HALF: TaskProgress = { counts: 'deleted', done: 10, total: 20 };

function outcomeOf(record: TruncationRecord, facts: Partial<TruncationFacts> = {}): OutcomeView {
  return pageViewOf(sentState(record), facts).outcome ?? assert.fail('no outcome');
}

suite('The headline of an outcome', () => {
  for (const [change, indexSize, headline] of [
    [{ deleted: 927, sizeBefore: 18.04e6 }, 18e6, '927 rows deleted · still 18 MB'],
    [{ deleted: 82_593, sizeBefore: 800e6 }, 139e6, '82,593 rows deleted · 800 MB → 139 MB'],
    [{ deleted: 20, sizeBefore: 197e6 }, 204e6, '20 rows deleted · still 204 MB'],
    [{ deleted: undefined, sizeBefore: 800e6 }, 139e6, 'Finished · 800 MB → 139 MB'],
    [{ deleted: 20, sizeBefore: 9e9 }, undefined, '20 rows deleted'],
  ] as const) {
    test(`is "${headline}"`, () => {
      const { deleted, sizeBefore } = change;
      const record = { ...ENDED, sizeBefore, ending: { ...FINISHED, deleted } };
      assert.equal(outcomeOf(record as TruncationRecord, { indexSize }).headline, headline);
    });
  }

  test('has no sizes of a reindex, whose old index stays, nor a day later', () => {
    const sizes = { indexSize: 139e6 };
    const { headline, details } = outcomeOf({ ...ENDED, report: REINDEX }, sizes);
    assert.equal(headline, '20 rows deleted');
    assert.match(detailOf({ details }, 'Disk space') ?? '', /^The old index .* uses disk space until it's removed\b/);
    assert.match(outcomeOf(ENDED, sizes).headline, / · /);
    assert.equal(outcomeOf(ENDED, { ...sizes, now: ENDED.sentAt + DAY }).headline, '20 rows deleted');
  });

  test('says what is not whole, without sizes', () => {
    const left = { ...ENDED, ending: { ...FINISHED, readers: 'rowsLeft', rowsLeft: 2 } } as const;
    const unchecked = { ...ENDED, ending: { ...FINISHED, readers: 'notChecked' } } as const;
    // A single count proves nothing.
    const unproven = { ...left, ending: { ...left.ending, rowsLeft: 0 } };
    assert.deepEqual(
      [left, unchecked, unproven, ENDED].map((record) => outcomeOf(record).mark),
      ['warning', 'unknown', 'unknown', 'done'],
    );
    assert.equal(outcomeOf(unproven).headline, 'Finished on the server; not checked.');
    assert.match(outcomeOf(left, { indexSize: 1 }).headline, /^Finished, but searches still find 2 rows/);
  });
});

suite('A running truncation', () => {
  test('has counts, share and the request that cancels it', () => {
    const { details, ...view } = outcomeOf(RECORD, { lastPoll: { at: NOW, progress: { ...HALF, done: 5 } } });
    assert.deepEqual(
      { ...view, scope: plain(view.scope), lastCheck: plain(view.lastCheck) },
      {
        mark: 'running',
        isOver: false,
        headline: 'Deleting: 5 of 20 rows.',
        next: undefined,
        scope: 'Rows dated up to Aug 23, 2026, 12:00 PM UTC (90 days ago).',
        isSignedOut: undefined,
        percent: 25,
        pace: "Running for 1 sec. It can't be stopped from here.",
        lastCheck: 'Last checked: 12:00:00 PM.',
        canCheck: true,
      },
    );
    assert.deepEqual(
      details.slice(0, 3).map(({ name, copy }) => [name, copy?.intent]),
      [
        ['For an administrator', { type: 'copyRequests', place: 0, for: 'cancel' }],
        ['Task ID', { type: 'copyTaskId' }],
        ['Started', undefined],
      ],
    );
    assert.deepEqual(
      ['Task ID', 'Size before', 'Rows to delete', 'Started', 'Dry run time'].map((name) =>
        plain(detailOf({ details }, name)),
      ),
      [TASK_ID, '8.1 GB', '20 of 201', 'Nov 21, 2026, 12:00:00 PM UTC', 'Nov 21, 2026, 11:59:00 AM UTC'],
    );
  });

  test('has a pace until its end, while it is watched', () => {
    const now = NOW + 3 * MINUTE;
    const progress = { ...HALF, seen: { at: now, since: now, hasMoved: true, isReported: true } };
    const paceOf = (problem?: Problem, record = RECORD): string | undefined =>
      outcomeOf(record, { lastPoll: { at: now, progress, problem }, now }).pace;
    assert.equal(paceOf(), runningText(progress, RECORD, now));
    assert.equal(paceOf({ sentence: 'Down.' }), undefined);
    assert.equal(paceOf(undefined, ENDED), undefined);
  });

  test('has no share while unknown, and never more than 100 %', () => {
    for (const [progress, percent] of [
      [undefined, undefined],
      [{ ...HALF, total: undefined }, undefined],
      [{ ...HALF, done: 0, total: 0 }, undefined],
      [{ ...HALF, done: 30 }, 100],
    ] as const) {
      assert.equal(outcomeOf(RECORD, { lastPoll: { at: NOW, progress } }).percent, percent);
    }
  });

  test('shows the counts of the last check as long as another may change something', () => {
    const record = { ...UNANSWERED, baseline: { countedUpTo: NOW, kept: 181 } };
    const lastPoll = { at: NOW, count: { at: NOW, toDelete: 12, kept: 181 } };
    const text = outcomeOf(record, { lastPoll }).lastCheck;
    assert.equal(
      plain(text),
      'Last counted: 12:00:00 PM. Rows to delete: 12 (before: 20). Rows to keep: 181 (before: 181).',
    );
    const later = { lastPoll: { ...lastPoll, at: NOW + MINUTE }, now: NOW + MINUTE };
    assert.notEqual(outcomeOf(record, later).lastCheck, text, 'the same count, a minute later');
    assert.equal(outcomeOf(record).lastCheck, undefined);
    assert.equal(outcomeOf(record, { lastPoll, canCheck: false }).lastCheck, undefined);
    const ended = { ...record, ending: LOST, readers: lastPoll.count };
    assert.equal(outcomeOf(ended).lastCheck, text, 'what was stored, after a reload');
  });

  test('without a response is running for three minutes, then unknown', () => {
    assert.equal(outcomeOf(UNANSWERED).mark, 'running');
    const lost = outcomeOf(UNANSWERED, { now: NOW + 4 * MINUTE });
    assert.deepEqual([lost.mark, detailOf(lost, 'Task ID')], ['unknown', undefined]);
    assert.ok(detailOf(lost, 'Sent') !== undefined && detailOf(lost, 'Started') === undefined);
  });
});

suite('An ended truncation', () => {
  test('is finished, with the times, and its space among the details', () => {
    const outcome = outcomeOf(ENDED, { lastPoll: { at: NOW, progress: HALF } });
    assert.deepEqual([outcome.mark, outcome.percent, outcome.next, outcome.pace], ['done', 100, undefined, undefined]);
    assert.match(detailOf(outcome, 'Disk space') ?? '', /The index may keep its size/);
    const onPostgres = outcomeOf({ ...ENDED, taskId: 'c56a4180-65aa-42ec-a945-5fd21dec0538' });
    assert.equal(detailOf(onPostgres, 'Disk space'), undefined, 'it merges nothing');
    assert.equal(plain(detailOf(outcome, 'Ended')), 'Nov 21, 2026, 12:01:00 PM UTC');
    assert.equal(detailOf(outcomeOf({ ...RECORD, ending: FINISHED, endedAt: NOW + DAY }), 'Ended'), undefined);
  });

  test('has the request that frees space, with the name of the index once it is known', () => {
    const requestOf = (record: TruncationRecord, indexName?: string): unknown => {
      const { code, copy } =
        outcomeOf(record, { indexName }).details.find((one) => one.name === 'For an administrator') ?? {};
      return [code, copy?.label];
    };
    const request = '_forcemerge?only_expunge_deletes=true';
    assert.deepEqual(requestOf(ENDED, 'dataset_v1'), [`POST /dataset_v1/${request}`, 'Copy Request']);
    assert.deepEqual(requestOf(ENDED), [`POST /<index>/${request}`, 'Copy Request']);
    assert.deepEqual(requestOf({ ...ENDED, report: REINDEX }), [undefined, undefined]);
    const missing = { ...LOST, reason: 'missing', missing: 'notRefreshed' } as TruncationRecord['ending'] & object;
    assert.deepEqual(requestOf({ ...RECORD, ending: missing }), [undefined, 'Copy Requests for Administrator']);
  });
});

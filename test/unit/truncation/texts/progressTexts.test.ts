import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { runningText, standstillOf } from '../../../../src/truncation/texts/progressTexts.ts';
import type { TruncationRecord } from '../../../../src/truncation/sentTruncation.ts';
import type { ProgressSighting, TaskProgress } from '../../../../src/truncation/taskEnd.ts';
import { FINISHED, MINUTE, RECORD } from '../samples.ts';

/** Tasks of a search cluster and of PostgreSQL, whose status can't be asked for. */
const TASK: TruncationRecord = { ...RECORD, sentAt: 0 };
const IN_POSTGRES: TruncationRecord = { ...TASK, taskId: '3b241101-e2bb-4255-8caf-4136c566a962' };

const RATE = /rows a minute/;

/** @param since First look with this progress, in ms since sending, like `at`. */
function seen(at: number, since = at, change: Partial<TaskProgress & ProgressSighting> = {}): TaskProgress {
  const { done = 6_000, total = 30_000, hasMoved = true, isReported = true } = change;
  return { counts: 'deleted', done, total, seen: { at, since, hasMoved, isReported } };
}

suite('Rate and remaining time', () => {
  for (const [what, progress, record = TASK, now = MINUTE] of [
    ['in the first moments', seen(1_000), TASK, 1_000],
    ['after the clock was set back', seen(0), { ...TASK, sentAt: MINUTE }, 0],
    ['since no date', seen(MINUTE), { ...TASK, sentAt: -1e300 }],
    ['before the first row', seen(MINUTE, MINUTE, { done: 0 })],
    ['without a total', { ...seen(MINUTE), total: undefined }],
    ['after one look', seen(MINUTE, MINUTE, { hasMoved: false })],
    ['if nobody has looked since', seen(MINUTE), TASK, 3 * MINUTE],
    ['after the end of the task', seen(MINUTE), { ...TASK, taskEnd: { kind: 'short' } }],
    ['after the end', seen(MINUTE), { ...TASK, ending: FINISHED }],
  ] as readonly (readonly [string, TaskProgress, TruncationRecord?, number?])[]) {
    test(`are not known ${what}`, () => assert.doesNotMatch(runningText(progress, record, now) ?? '', RATE));
  }

  test('are shown in rows a minute, and in minutes or hours', () => {
    const told = (change: Partial<TaskProgress>): string | undefined =>
      runningText({ ...seen(MINUTE), ...change }, TASK, MINUTE);
    const line = (rate: string): string => `Running for 1 min. ${rate} It can't be stopped from here.`;
    assert.equal(told({}), line('About 6,000 rows a minute, about 4 min left.'));
    assert.equal(told({ done: 29_999 }), line('About 30,000 rows a minute, about 1 min left.'));
    assert.equal(told({ done: 69_984, total: 80_000 }), line('About 70,000 rows a minute, about 1 min left.'));
    assert.equal(told({ done: 7, total: 8 }), line('About 7 rows a minute, about 1 min left.'));
    assert.equal(told({ total: 3_000_000 }), line('About 6,000 rows a minute, about 9 hr left.'));
  });

  test('are shown beside the elapsed time, which needs no progress but a task that is running', () => {
    assert.equal(runningText(undefined, TASK, 300), "Running for 1 sec. It can't be stopped from here.");
    assert.equal(runningText(undefined, TASK, 200 * MINUTE), "Running for 3 hr. It can't be stopped from here.");
    assert.equal(runningText(undefined, TASK, -1), "It can't be stopped from here.", 'the clock was set back');
    assert.equal(runningText(undefined, { ...TASK, taskId: undefined }, MINUTE), undefined);
    assert.equal(runningText(undefined, { ...TASK, taskEnd: { kind: 'whole' } }, MINUTE), undefined);
  });
});

suite('Standstill', () => {
  for (const [which, record, progress, said] of [
    [
      'of a task that the server calls running',
      TASK,
      seen(3 * MINUTE, MINUTE),
      "Running for 3 min. No progress for 2 min. The server says that the task is still running. It can't be stopped from here.",
    ],
    [
      'of a task that is only counted',
      IN_POSTGRES,
      seen(3 * MINUTE, MINUTE, { isReported: false }),
      'No progress for 2 min. The task may have ended; rows are counted every 30 sec.',
    ],
  ] as const) {
    test(`is shown instead of a forecast ${which}`, () =>
      assert.equal(runningText(progress, record, progress.seen?.at ?? 0), said));
  }

  test('is undefined within a minute, after the last row, and after the end of the task', () => {
    const still = (record: TruncationRecord, change: Partial<TaskProgress> = {}, at = 2 * MINUTE): unknown =>
      standstillOf({ ...seen(at, 10_000), ...change }, record);
    assert.notEqual(still(TASK), undefined);
    assert.equal(still(TASK, {}, MINUTE), undefined);
    assert.equal(still(TASK, { done: 30_000 }), undefined);
    assert.equal(still({ ...TASK, taskEnd: { kind: 'whole' } }), undefined);
  });
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  areUncountable,
  countsSinceEnd,
  isNotAskedFor,
  isTaskGone,
  isUnreported,
  withPoll,
  type Poll,
  type Polls,
} from '../../../src/truncation/pollHistory.ts';
import { MINUTE, NOW, RUNNING_TASK as RUNNING } from './samples.ts';

const SECOND = 1_000;
type PolledTask = NonNullable<Polls[number]['task']>;

const UNKNOWN: PolledTask = { kind: 'unknown' };
const FAILED: PolledTask = { kind: 'failed' };
const UNREPORTED: PolledTask = { kind: 'unreported', isForever: false };
/** Polls of these tasks, so many ms apart. */
const asked = (millis: number, ...tasks: readonly PolledTask[]): Polls =>
  tasks.map((task, place) => ({ at: NOW + place * millis, task }));

const counted = (seconds: number, toDelete: number): Poll => {
  const at = NOW + seconds * SECOND;
  return { at, count: { at, toDelete, kept: 181 } };
};

suite('The polls of a truncation', () => {
  test('show a task as gone after three over ten seconds that do not know it, whatever failed in between', () => {
    const at = (polls: Polls): number => polls.at(-1)?.at ?? 0;
    for (const [polls, isGone] of [
      [asked(5 * SECOND, UNKNOWN, UNKNOWN, UNKNOWN), true],
      [asked(5 * SECOND, UNKNOWN, FAILED, UNKNOWN, UNREPORTED, UNKNOWN), true],
      [asked(4 * SECOND, UNKNOWN, UNKNOWN, UNKNOWN), false],
      [asked(30 * SECOND, UNKNOWN, UNKNOWN), false],
      [asked(5 * SECOND, UNKNOWN, UNKNOWN, RUNNING, UNKNOWN, UNKNOWN), false],
    ] as const) {
      assert.equal(isTaskGone(polls, at(polls)), isGone);
    }
  });

  test('end the questions where the server reports on no task for ten seconds, or never does', () => {
    const refused = asked(5 * SECOND, UNREPORTED, UNREPORTED, UNREPORTED);
    assert.deepEqual([isNotAskedFor(refused), isUnreported(refused)], [true, true]);
    assert.equal(isNotAskedFor(asked(5 * SECOND, UNREPORTED, UNREPORTED)), false);
    assert.equal(isNotAskedFor(asked(SECOND, { kind: 'unreported', isForever: true })), true);
  });

  test('count for the end since the task was reported last, and not from before the clock was set back', () => {
    const polls = [counted(1, 9), ...asked(0, RUNNING), counted(5, 8), counted(90, 7), counted(10, 6)];
    for (const [more, left] of [
      [[], [8, 6]],
      [[counted(100, 5)], [8, 6, 5]],
    ] as const) {
      assert.deepEqual(
        countsSinceEnd([...polls, ...more]).map(({ toDelete }) => toDelete),
        left,
      );
    }
  });

  test('prove that the rows can not be counted after three failures over ten minutes', () => {
    const failed = (minutes: number): Poll => ({ at: NOW + minutes * MINUTE, count: 'notCounted' });
    const polls = [failed(0), failed(5), failed(10)];
    assert.ok(areUncountable(polls, NOW + 10 * MINUTE));
    assert.ok(!areUncountable(polls, NOW + 9 * MINUTE));
    assert.ok(!areUncountable([...polls.slice(0, 2), counted(400, 1), failed(10)], NOW + 10 * MINUTE));
    assert.ok(!areUncountable([...polls, ...asked(0, RUNNING)], NOW + 10 * MINUTE));
  });

  test('are the last thousand', () => {
    let polls: Polls = [];
    for (let at = 0; at < 1_100; at++) {
      polls = withPoll(polls, { at });
    }
    assert.deepEqual([polls.length, polls[0]?.at], [1_000, 100]);
  });
});

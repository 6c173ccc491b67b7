import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { countsSinceEnd, isTaskGone, type Poll, type Polls } from '../../../../src/truncation/watching/pollHistory.ts';
import { NOW, RUNNING_TASK as RUNNING } from '../samples.ts';

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
});

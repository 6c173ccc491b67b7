/** The polls of one truncation by this window, and what they add up to. Pure. Never stored. */
import type { DeletionTaskStatus } from '../../service/indices/tasks.ts';
import type { Problem } from '../problem.ts';
import { STILL_MILLIS, trailing, type ReaderCount } from '../judgeCompletion.ts';
import type { ProgressSighting, TaskProgress } from '../taskEnd.ts';

export interface Poll {
  /** Unix time in ms. */
  readonly at: number;
  /** Undefined if it wasn't asked for. */
  readonly task?: PolledTask | undefined;
  /** Undefined if only the task was asked for. */
  readonly count?: ReaderCount | 'notCounted' | undefined;
  /** Why the truncation couldn't be watched, if so. */
  readonly problem?: Problem | undefined;
  /** As far as this poll and those before show. */
  readonly progress?: TaskProgress | undefined;
}

/** `unreported`: the server can't report on tasks, by its answer forever or perhaps. `failed`: any other failure. */
type PolledTask =
  | DeletionTaskStatus
  | { readonly kind: 'unreported'; readonly isForever: boolean }
  | { readonly kind: 'failed' };

/** Oldest first. */
export type Polls = readonly Poll[];

/** Hours at the longest pause. */
const MOST_POLLS = 1_000;
/** A failure counts after this many polls over this time: a node may have been busy for a moment. */
const FEWEST_FAILED_POLLS = 3;
const UNKNOWN_MILLIS = 10_000;

export function withPoll(polls: Polls, poll: Poll): Polls {
  return [...polls, poll].slice(-MOST_POLLS);
}

/** Counts since the task ended, without those from before the clock was set back. */
export function countsSinceEnd(polls: Polls): readonly ReaderCount[] {
  const counts: ReaderCount[] = [];
  for (const { count } of sinceReport(polls).toReversed()) {
    if (typeof count === 'object' && count.at <= (counts.at(-1)?.at ?? Infinity)) {
      counts.push(count);
    }
  }
  return counts.toReversed();
}

/** True if the rows couldn't be counted for so long that they won't be. @param now Unix time in ms. */
export function areUncountable(polls: Polls, now: number): boolean {
  return haveFailed(uncounted(polls), now, STILL_MILLIS);
}

/** True if the rows couldn't be counted last. */
export function isUncounted(polls: Polls): boolean {
  return uncounted(polls).length > 0;
}

/** True if the server has not known the task for a while. @param now Unix time in ms. */
export function isTaskGone(polls: Polls, now: number): boolean {
  const answered = polls.filter(({ task }) => task?.kind === 'known' || task?.kind === 'unknown');
  return haveFailed(
    trailing(answered, ({ task }) => task?.kind === 'unknown'),
    now,
    UNKNOWN_MILLIS,
  );
}

/** True if the server couldn't report on tasks when it was asked last. */
export function isUnreported(polls: Polls): boolean {
  return unreported(polls).length > 0;
}

/** True if the task isn't asked for any more. */
export function isNotAskedFor(polls: Polls): boolean {
  const refused = unreported(polls);
  return (
    polls.some(({ task }) => task?.kind === 'unreported' && task.isForever) ||
    haveFailed(refused, refused.at(-1)?.at ?? 0, UNKNOWN_MILLIS)
  );
}

/** @param at Time of this poll. Unix time in ms. */
export function withSighting(
  progress: TaskProgress | undefined,
  polls: Polls,
  at: number,
  isReported: boolean,
): TaskProgress | undefined {
  const before = polls.at(-1)?.progress;
  const last = before?.seen;
  const isMore = progress !== undefined && before !== undefined && progress.done > before.done;
  const seen: ProgressSighting = {
    at,
    since: last === undefined || isMore ? at : Math.min(at, last.since),
    hasMoved: isMore || last?.hasMoved === true,
    isReported,
  };
  return progress && { ...progress, seen };
}

/** Earlier counts say nothing about the end. */
function sinceReport(polls: Polls): Polls {
  return polls.slice(
    Math.max(
      0,
      polls.findLastIndex(({ task }) => task?.kind === 'known'),
    ),
  );
}

function uncounted(polls: Polls): Polls {
  const counted = sinceReport(polls).filter(({ count }) => count !== undefined);
  return trailing(counted, ({ count }) => count === 'notCounted');
}

function unreported(polls: Polls): Polls {
  const asked = polls.filter(({ task }) => task !== undefined);
  return trailing(asked, ({ task }) => task?.kind === 'unreported');
}

function haveFailed(failed: Polls, now: number, millis: number): boolean {
  return failed.length >= FEWEST_FAILED_POLLS && now - Math.min(...failed.map(({ at }) => at)) >= millis;
}

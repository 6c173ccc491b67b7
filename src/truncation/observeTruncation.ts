/** Polls a sent truncation once: asks for its task, and after its end counts the rows that searches find. */
import { toServiceFailure, type ServiceFailure } from '../service/failure/failure.ts';
import { cannotWatchTasks } from '../service/indices/tasks.ts';
import type { MetadataService } from '../service/service.ts';
import { countReaders } from './countRows.ts';
import { isSameOutcome, type TruncationOutcome, type Problem, problemOf } from './outcome.ts';
import { progressOf, type ProgressSighting, refusesWrites, taskEndOf, type TaskProgress } from './taskEnd.ts';
import { judgeReaders, type ReaderJudgement, type ReaderCount, STILL_MILLIS } from './readerJudgement.ts';
import { askableTask, keptBefore, strategyUsed, type TruncationRecord } from './record.ts';
import { judgementTexts } from './texts/judgementTexts.ts';

/** A failure counts after this many polls over this time: a node may have been busy for a moment. */
const FEWEST_FAILED_LOOKS = 3;
const UNKNOWN_MILLIS = 10_000;
/** A refusal may be temporary, such as a gateway's rule. */
const ASK_AGAIN_MILLIS = 60_000;
/** More than ten minutes at the longest pause. */
const MOST_COUNTS = 200;

/** Consecutive failed polls. */
interface FailedLooks {
  /** Time of the first. Unix time in ms. */
  readonly since: number;
  readonly looks: number;
}

export interface TruncationCheck {
  /** Unix time in ms. */
  readonly at: number;
  /** Undefined if only the task was asked for. */
  readonly count: ReaderCount | 'notCounted' | undefined;
}

/** Observations of one truncation by this window. Never stored. */
export interface TruncationObservation {
  progress: TaskProgress | undefined;
  /** Why the truncation can't be watched at the moment. */
  watchProblem: Problem | undefined;
  /** Polls in which the server didn't know the task. */
  unknown: FailedLooks | undefined;
  /** Polls in which the server couldn't report on tasks. */
  unwatched: FailedLooks | undefined;
  /** Time of the next question. Unix time in ms. */
  unwatchedUntil: number;
  /** Counts since the task ended, oldest first. */
  counts: readonly ReaderCount[];
  /** Polls in which the rows couldn't be counted. */
  uncounted: FailedLooks | undefined;
  lastCheck: TruncationCheck | undefined;
}

export function newObservation(): TruncationObservation {
  return {
    progress: undefined,
    watchProblem: undefined,
    unknown: undefined,
    unwatched: undefined,
    unwatchedUntil: 0,
    counts: [],
    uncounted: undefined,
    lastCheck: undefined,
  };
}

/**
 * @param now Unix time in ms.
 * @param isJudged False if the rows say nothing about this truncation, since a later one of the same index was
 * sent.
 * @returns the updated record, or the same object if there is nothing to store.
 */
export async function observeTruncation(
  service: MetadataService,
  record: TruncationRecord,
  seen: TruncationObservation,
  now: () => number,
  isJudged: boolean,
): Promise<TruncationRecord> {
  const asked = await askForTask(service, record, seen, now);
  seen.lastCheck = { at: now(), count: undefined };
  if (!asked.isOver) {
    return asked.record;
  }
  if (isJudged) {
    return countAndJudge(service, asked.record, seen, now);
  }
  const mayStillTell = seen.unwatched !== undefined && seen.unwatchedUntil < Infinity;
  return mayStillTell ? asked.record : unchecked(asked.record, now(), false);
}

/** `isOver`: the task has ended or can't be asked for. */
interface AskedTask {
  readonly record: TruncationRecord;
  readonly isOver: boolean;
}

async function askForTask(
  service: MetadataService,
  record: TruncationRecord,
  seen: TruncationObservation,
  now: () => number,
): Promise<AskedTask> {
  const taskId = askableTask(record);
  const hasKnownEnd = record.taskEnd !== undefined && record.taskEnd.kind !== 'gone';
  if (taskId === undefined || hasKnownEnd || isUnwatchedNow(seen, now())) {
    return { record, isOver: true };
  }
  try {
    const status = await service.tasks.readTaskStatus(taskId);
    seen.watchProblem = undefined;
    seen.unwatched = undefined;
    if (status.kind === 'unknown') {
      return record.taskEnd === undefined ? afterUnknown(record, seen, now()) : { record, isOver: true };
    }
    seen.unknown = undefined;
    seen.progress = withSighting(progressOf(record.report, status), seen.progress, now(), true);
    const polled = withRefusal(record, refusesWrites(status));
    if (polled.writesRefused === true) {
      seen.watchProblem = judgementTexts.writesRefused();
    }
    // Earlier counts say nothing about the end.
    seen.counts = [];
    seen.uncounted = undefined;
    const taskEnd = taskEndOf(record.report, keptBefore(record), status);
    if (taskEnd === undefined) {
      return { record: reopened(polled), isOver: false };
    }
    seen.watchProblem = undefined;
    return { record: { ...polled, taskEnd, runTimeMillis: status.runTimeMillis }, isOver: true };
  } catch (thrown) {
    const failure = toServiceFailure(thrown);
    const isUnwatched = cannotWatchTasks(failure);
    seen.unwatched = isUnwatched ? failedAgain(seen.unwatched, now()) : undefined;
    seen.watchProblem = isUnwatched ? undefined : passingProblem(failure, judgementTexts.notReadNow);
    if (failure.kind === 'unsupported') {
      seen.unwatchedUntil = Infinity;
    } else if (haveFailed(seen.unwatched, now(), UNKNOWN_MILLIS)) {
      seen.unwatchedUntil = now() + ASK_AGAIN_MILLIS;
    }
    return { record, isOver: isUnwatchedNow(seen, now()) };
  }
}

/** Polls go on by themselves; only signing in is for the user. */
function passingProblem(failure: ServiceFailure, described: (problem: Problem) => Problem): Problem {
  const problem = problemOf(failure);
  return problem.isSignedOut === true ? problem : described(problem);
}

/** Stored, since the server forgets a task that gave up, and the window may be reloaded before. */
function withRefusal(record: TruncationRecord, isRefused: boolean): TruncationRecord {
  return isRefused === (record.writesRefused === true) ? record : { ...record, writesRefused: isRefused };
}

/** Removes a stored end, since the task runs after all. */
function reopened(record: TruncationRecord): TruncationRecord {
  if (record.taskEnd === undefined && record.ending === undefined) {
    return record;
  }
  const { taskEnd: _, ending: __, endedAt: ___, readers: ____, ...open } = record;
  return open;
}

function afterUnknown(record: TruncationRecord, seen: TruncationObservation, now: number): AskedTask {
  seen.unknown = failedAgain(seen.unknown, now);
  const isGone = haveFailed(seen.unknown, now, UNKNOWN_MILLIS);
  return { record: isGone ? { ...record, taskEnd: { kind: 'gone' } } : record, isOver: isGone };
}

/** Doesn't wait if the clock was set back. */
function isUnwatchedNow({ unwatchedUntil }: TruncationObservation, now: number): boolean {
  return now < unwatchedUntil && (unwatchedUntil === Infinity || unwatchedUntil <= now + ASK_AGAIN_MILLIS);
}

function failedAgain(before: FailedLooks | undefined, now: number): FailedLooks {
  return { since: Math.min(before?.since ?? now, now), looks: (before?.looks ?? 0) + 1 };
}

function haveFailed(failed: FailedLooks | undefined, now: number, millis: number): boolean {
  return failed !== undefined && failed.looks >= FEWEST_FAILED_LOOKS && now - failed.since >= millis;
}

async function countAndJudge(
  service: MetadataService,
  record: TruncationRecord,
  seen: TruncationObservation,
  now: () => number,
): Promise<TruncationRecord> {
  const kept = keptBefore(record);
  const found = kept === undefined ? undefined : await countOnce(service, record, seen, now);
  seen.lastCheck = { at: now(), count: found ?? 'notCounted' };
  if (kept === undefined) {
    return unchecked(record, now());
  }
  if (found === undefined) {
    if (!haveFailed(seen.uncounted, now(), STILL_MILLIS)) {
      return record;
    }
    seen.watchProblem = undefined;
    return unchecked(record, now());
  }
  // Drops counts from before the clock was set back.
  seen.counts = [...seen.counts.filter(({ at }) => at <= found.at), found].slice(-MOST_COUNTS);
  if (isOnlyCounted(record, seen)) {
    seen.progress = withSighting(progressByCount(record, found), seen.progress, found.at, false);
  }
  const judgement = judgeReaders({
    strategy: strategyUsed(record),
    kept,
    task: record.taskEnd?.kind ?? 'unreported',
    release: service.capabilities.release,
    writesRefused: record.writesRefused === true,
    hasDeletedNone: hasDeletedNone(record),
    counts: seen.counts,
  });
  const ending = endingOf(record, judgement, found) ?? recounted(record, found) ?? stillUnknown(record, found);
  return ending === undefined || isSameOutcome(ending, record.ending)
    ? record
    : { ...withOutcome(record, ending, now()), readers: found };
}

/** Undefined if the rows can't be counted at the moment. */
async function countOnce(
  service: MetadataService,
  record: TruncationRecord,
  seen: TruncationObservation,
  now: () => number,
): Promise<ReaderCount | undefined> {
  try {
    const found = await countReaders(service, record, now, seen.counts.length % 2 === 1);
    seen.watchProblem = undefined;
    seen.uncounted = found === undefined ? failedAgain(seen.uncounted, now()) : undefined;
    return found;
  } catch (thrown) {
    seen.watchProblem = passingProblem(toServiceFailure(thrown), judgementTexts.notCountedNow);
    seen.uncounted = failedAgain(seen.uncounted, now());
    return undefined;
  }
}

function withOutcome(
  record: TruncationRecord,
  ending: NonNullable<TruncationRecord['ending']>,
  now: number,
): TruncationRecord {
  return { ...record, ending, endedAt: record.endedAt ?? now };
}

/** Updates the rows left with each count: no headline contradicts the last one. */
function recounted({ ending }: TruncationRecord, { toDelete }: ReaderCount): TruncationOutcome | undefined {
  const hasRowsLeft =
    (ending?.kind === 'finished' && ending.readers === 'rowsLeft') ||
    (ending?.kind === 'failed' && ending.reason === 'stopped');
  return hasRowsLeft ? { ...ending, rowsLeft: toDelete } : undefined;
}

/** Updates with each count what the next step after a lost response and the rows to keep depend on. */
function stillUnknown({ ending }: TruncationRecord, found: ReaderCount): TruncationOutcome | undefined {
  return ending?.kind !== 'unknown' || ending.missing === 'copiesDisagree'
    ? undefined
    : { ...ending, ...(ending.missing !== undefined && { reason: 'missing' }), found: foundRows(found) };
}

function foundRows({ toDelete, kept }: ReaderCount): { readonly toDelete: number; readonly kept: number } {
  return { toDelete, kept };
}

function hasDeletedNone({ taskEnd, report }: TruncationRecord): boolean {
  return taskEnd?.kind === 'short' && taskEnd.done === 0 && report.strategy === 'deleteByQuery';
}

/** Keeps an earlier end, which no failed count disproves. */
function unchecked(record: TruncationRecord, now: number, isLatest = true): TruncationRecord {
  return record.ending === undefined ? withOutcome(record, endingUnchecked(record, isLatest), now) : record;
}

/** True if only counts show the progress. */
function isOnlyCounted(record: TruncationRecord, { unwatched }: TruncationObservation): boolean {
  return record.taskEnd === undefined && (unwatched !== undefined || askableTask(record) === undefined);
}

/** @param at Time of this poll. Unix time in ms. */
function withSighting<T extends TaskProgress | undefined>(
  progress: T,
  before: TaskProgress | undefined,
  at: number,
  isReported: boolean,
): T {
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

function progressByCount({ report }: TruncationRecord, { toDelete }: ReaderCount): TaskProgress | undefined {
  // A reindex hides old rows from its first moment on, so 0 rows left says nothing about its progress.
  return report.rows !== undefined && (report.strategy === 'deleteByQuery' || toDelete > 0)
    ? { counts: 'deleted', done: Math.max(0, report.rows.toDelete - toDelete), total: report.rows.toDelete }
    : undefined;
}

/** Undefined while the judgement is open. */
function endingOf(
  record: TruncationRecord,
  judgement: ReaderJudgement,
  found: ReaderCount,
): TruncationOutcome | undefined {
  const failures = record.taskEnd?.failures ?? [];
  switch (judgement.kind) {
    case 'open':
      return undefined;
    case 'clean':
      return finishedOutcome(record, { readers: 'clean' });
    case 'rowsLeft':
      return finishedOutcome(record, { readers: 'rowsLeft', rowsLeft: judgement.rows });
    case 'stopped':
      return { kind: 'failed', reason: 'stopped', rowsLeft: judgement.rows, failures, readers: 'whole' };
    case 'neverBegan':
    case 'writesRefused':
      return { kind: 'failed', reason: judgement.kind, failures, readers: 'whole' };
    case 'missing':
      return {
        kind: 'unknown',
        reason: 'missing',
        found: foundRows(found),
        hidesRows: judgement.cause !== 'notAvailable',
        missing: judgement.cause,
      };
    case 'copiesDisagree':
      return {
        kind: 'unknown',
        reason: 'missing',
        hidesRows: strategyUsed(record) !== 'deleteByQuery',
        missing: 'copiesDisagree',
      };
  }
}

/** End by the task alone, without a count. */
function endingUnchecked(record: TruncationRecord, isLatest: boolean): TruncationOutcome {
  switch (record.taskEnd?.kind) {
    case 'whole':
      return finishedOutcome(record, { readers: 'notChecked' });
    case 'short':
    case 'neverBegan':
      return { kind: 'failed', reason: 'endedEarly', failures: record.taskEnd.failures ?? [] };
    default:
      return { kind: 'unknown', reason: isLatest ? 'notCounted' : 'superseded' };
  }
}

function finishedOutcome(
  { report, taskEnd }: TruncationRecord,
  readers: Pick<Extract<TruncationOutcome, { kind: 'finished' }>, 'readers' | 'rowsLeft'>,
): TruncationOutcome {
  const isCounted = report.strategy === 'deleteByQuery' && taskEnd?.done !== undefined;
  // Unknown if rows are gone but the task deleted none.
  const deleted = isCounted ? taskEnd.done || undefined : report.rows?.toDelete;
  return { kind: 'finished', deleted, versionConflicts: taskEnd?.versionConflicts ?? 0, ...readers };
}

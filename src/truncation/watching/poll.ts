/**
 * Polls a sent truncation once: asks for its task, and after its end counts the rows that searches find. When, and for
 * how long, is decided by watch.ts.
 */
import { toServiceFailure, type ServiceFailure } from '../../service/failure/failure.ts';
import { cannotWatchTasks } from '../../service/indices/tasks.ts';
import type { MetadataService } from '../../service/service.ts';
import { countReaders } from '../countRows.ts';
import { isSameOutcome, type TruncationOutcome, type UnknownOutcome } from '../outcome.ts';
import { problemOf, type Problem } from '../problem.ts';
import {
  areUncountable,
  countsSinceEnd,
  isNotAskedFor,
  isTaskGone,
  isUnreported,
  withPoll,
  withSighting,
  type Poll,
  type Polls,
} from './pollHistory.ts';
import { judgeCompletion, type ReaderCount, type CompletionJudgement } from '../judgeCompletion.ts';
import { askableTask, strategyUsed, type TruncationRecord } from '../sentTruncation.ts';
import { progressOf, refusesWrites, taskEndOf, type TaskProgress } from '../taskEnd.ts';
import { writesRefused } from '../texts/endingTexts.ts';
import { taskTexts } from '../texts/taskTexts.ts';

interface Polled {
  /** Equal if there is nothing to store. */
  readonly record: TruncationRecord;
  readonly poll: Poll;
}

/**
 * @param now Unix time in ms.
 * @param isJudged False if the rows say nothing about this truncation, since a later one of the same index was
 * sent.
 */
export async function pollTruncation(
  service: MetadataService,
  record: TruncationRecord,
  before: Polls,
  now: () => number,
  isJudged: boolean,
): Promise<Polled> {
  const asked = await askForTask(service, record, before);
  const at = now();
  const { task } = asked;
  const progress =
    task?.kind === 'known' ? withSighting(progressOf(record.report, task), before, at, true) : before.at(-1)?.progress;
  const poll: Poll = { ...asked, at, progress };
  const polls = withPoll(before, poll);
  const { record: known, isOver } = afterTask(record, polls, at);
  if (!isOver) {
    return { record: known, poll };
  }
  if (!isJudged) {
    return { record: unchecked(known, at, false), poll };
  }
  const kept = known.baseline?.kept;
  if (kept === undefined) {
    return { record: unchecked(known, at), poll: { ...poll, count: 'notCounted' } };
  }
  const counted = { ...poll, ...(await countOnce(service, known, polls, now)), at: now() };
  return afterCount(service.server.release, known, kept, before, counted);
}

/** Undefined if the task has ended or can't be asked for. */
async function askForTask(
  service: MetadataService,
  record: TruncationRecord,
  polls: Polls,
): Promise<Pick<Poll, 'task' | 'problem'>> {
  const taskId = askableTask(record);
  if (taskId === undefined || record.taskEnd !== undefined || isNotAskedFor(polls)) {
    return {};
  }
  try {
    const task = await service.tasks.readTaskStatus(taskId);
    const isRefused = task.kind === 'known' && !task.completed && refusesWrites(task);
    return { task, problem: isRefused ? writesRefused() : undefined };
  } catch (thrown) {
    const failure = toServiceFailure(thrown);
    return cannotWatchTasks(failure)
      ? { task: { kind: 'unreported', isForever: failure.kind === 'unsupported' } }
      : { task: { kind: 'failed' }, problem: passingProblem(failure, taskTexts.notReadNow) };
  }
}

/** Polls go on by themselves; only signing in is for the user. */
function passingProblem(failure: ServiceFailure, described: (problem: Problem) => Problem): Problem {
  const problem = problemOf(failure);
  return problem.isSignedOut === true ? problem : described(problem);
}

/** Applies the task's status to the record. `isOver`: the task has ended or can't be asked for. */
function afterTask(
  record: TruncationRecord,
  polls: Polls,
  now: number,
): { readonly record: TruncationRecord; readonly isOver: boolean } {
  const task = polls.at(-1)?.task;
  switch (task?.kind) {
    case undefined:
      return { record, isOver: true };
    case 'known': {
      // Stored, since the server forgets a task that gave up, and the window may be reloaded before.
      const polled = { ...record, writesRefused: refusesWrites(task) || undefined };
      const taskEnd = taskEndOf(record.report, record.baseline?.kept, task);
      return taskEnd === undefined
        ? { record: polled, isOver: false }
        : { record: { ...polled, taskEnd, runTimeMillis: task.runTimeMillis }, isOver: true };
    }
    case 'unknown': {
      const isOver = isTaskGone(polls, now);
      return { record: isOver ? { ...record, taskEnd: { kind: 'gone' } } : record, isOver };
    }
    case 'unreported':
    case 'failed':
      return { record, isOver: isNotAskedFor(polls) };
  }
}

async function countOnce(
  service: MetadataService,
  record: TruncationRecord,
  polls: Polls,
  now: () => number,
): Promise<Pick<Poll, 'count' | 'problem'>> {
  try {
    const found = await countReaders(service, record, now, countsSinceEnd(polls).length % 2 === 1);
    return { count: found ?? 'notCounted', problem: undefined };
  } catch (thrown) {
    return { count: 'notCounted', problem: passingProblem(toServiceFailure(thrown), taskTexts.notCountedNow) };
  }
}

/** Applies a count, or its failure, to the record. @param kept Rows to keep. */
function afterCount(
  release: string | undefined,
  record: TruncationRecord,
  kept: number,
  before: Polls,
  poll: Poll,
): Polled {
  const { count: found, at } = poll;
  const polls = withPoll(before, poll);
  if (typeof found !== 'object') {
    return areUncountable(polls, at)
      ? { record: unchecked(record, at), poll: { ...poll, problem: undefined } }
      : { record, poll };
  }
  const judgement = judgeCompletion({
    strategy: strategyUsed(record),
    kept,
    task: record.taskEnd?.kind ?? 'unreported',
    release,
    writesRefused: record.writesRefused === true,
    hasDeletedNone: hasDeletedNone(record),
    counts: countsSinceEnd(polls),
  });
  const ending = endingOf(record, judgement, found) ?? recounted(record, found);
  const known = { ...record, wasUnrefreshed: wasUnrefreshed(record, judgement) };
  const isNew = ending !== undefined && !isSameOutcome(ending, record.ending);
  return {
    record: isNew ? { ...withOutcome(known, ending, at), readers: found } : known,
    poll: isOnlyCounted(record, polls)
      ? { ...poll, progress: withSighting(progressByCount(record, found), before, found.at, false) }
      : poll,
  };
}

function withOutcome(
  record: TruncationRecord,
  ending: NonNullable<TruncationRecord['ending']>,
  now: number,
): TruncationRecord {
  return { ...record, ending, endedAt: record.endedAt ?? now };
}

/** True also once the rows are found again: a count has shown that they were missing. */
function wasUnrefreshed(
  { wasUnrefreshed: before }: TruncationRecord,
  judgement: CompletionJudgement,
): true | undefined {
  const isNow =
    judgement.kind === 'missing' && (judgement.cause === 'notRefreshed' || judgement.cause === 'notRefreshedOrCopied');
  return before ?? (isNow || undefined);
}

/** Updates with each count the rows that an end names: no headline contradicts the last one. */
function recounted(record: TruncationRecord, found: ReaderCount): TruncationOutcome | undefined {
  const { ending } = record;
  const hasRowsLeft =
    (ending?.kind === 'finished' && ending.readers === 'rowsLeft') ||
    (ending?.kind === 'failed' && ending.reason === 'stopped');
  if (hasRowsLeft) {
    return { ...ending, rowsLeft: found.toDelete };
  }
  const isMissing = ending?.kind === 'unknown' && ending.missing !== undefined && ending.missing !== 'copiesDisagree';
  return isMissing ? { ...ending, ...stillMissing(record, found) } : undefined;
}

function stillMissing(record: TruncationRecord, { kept }: ReaderCount): Pick<UnknownOutcome, 'reason' | 'found'> {
  return { reason: 'missing', found: { kept: Math.max(0, Math.min(kept, record.baseline?.kept ?? kept)) } };
}

function hasDeletedNone({ taskEnd, report }: TruncationRecord): boolean {
  const hasFoundRows = taskEnd?.kind === 'short' || (taskEnd?.versionConflicts ?? 0) > 0;
  return hasFoundRows && taskEnd?.done === 0 && report.strategy === 'deleteByQuery';
}

/** Keeps an earlier end, which no failed count disproves. */
function unchecked(record: TruncationRecord, now: number, isLatest = true): TruncationRecord {
  return record.ending === undefined ? withOutcome(record, endingUnchecked(record, isLatest), now) : record;
}

/** True if only counts show the progress. */
function isOnlyCounted(record: TruncationRecord, polls: Polls): boolean {
  return record.taskEnd === undefined && (isUnreported(polls) || askableTask(record) === undefined);
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
  judgement: CompletionJudgement,
  found: ReaderCount,
): TruncationOutcome | undefined {
  switch (judgement.kind) {
    case 'open':
      return undefined;
    case 'clean':
      return finishedOutcome(record, { readers: 'clean' });
    case 'rowsLeft':
      return finishedOutcome(record, { readers: 'rowsLeft', rowsLeft: judgement.rows });
    case 'stopped':
      return { kind: 'failed', reason: 'stopped', rowsLeft: judgement.rows, readers: 'whole' };
    case 'neverBegan':
    case 'writesRefused':
      return { kind: 'failed', reason: judgement.kind, readers: 'whole' };
    case 'missing':
    case 'copiesDisagree':
      return {
        kind: 'unknown',
        reason: 'missing',
        ...(judgement.kind === 'missing' && stillMissing(record, found)),
        hidesRows: strategyUsed(record) !== 'deleteByQuery',
        missing: judgement.kind === 'missing' ? judgement.cause : judgement.kind,
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
      return { kind: 'failed', reason: 'endedEarly' };
    default:
      return { kind: 'unknown', reason: isLatest ? 'notCounted' : 'superseded' };
  }
}

function finishedOutcome(
  { report, taskEnd }: TruncationRecord,
  readers: Pick<Extract<TruncationOutcome, { kind: 'finished' }>, 'readers' | 'rowsLeft'>,
): TruncationOutcome {
  const isCounted = report.strategy === 'deleteByQuery' && taskEnd?.done !== undefined;
  const versionConflicts = taskEnd?.versionConflicts ?? 0;
  // Unknown if rows are gone but the task deleted none, and met no other deletion.
  const deletedByTask = taskEnd?.done || (versionConflicts > 0 ? 0 : undefined);
  const deleted = isCounted ? deletedByTask : report.rows?.toDelete;
  return { kind: 'finished', deleted, versionConflicts, ...readers };
}

/** Record of a sent truncation, its state, and its meaning for the index. */
import { MILLIS_PER_DAY } from '../time.ts';
import { isTaskId, type TruncationPlan } from '../service/indices/truncationRequest.ts';
import type { DryRunReport, ServerStrategy } from './dryRun.ts';
import type { LearnedFacts } from './jobFacts.ts';
import type { FinishedOutcome, TruncationMark, UnknownOutcome } from './outcome.ts';

/** A truncation that was sent, as its job's journal has it. */
export interface TruncationRecord extends LearnedFacts {
  /** Of its job, and its place there. */
  readonly id: string;
  readonly connectionId: string;
  /** Server it was sent to. */
  readonly baseUrl: string;
  /** User of the connection, and owner of the token. Undefined if unknown. */
  readonly actorUrn?: string | undefined;
  readonly callerUrn?: string | undefined;
  readonly plan: TruncationPlan;
  readonly report: DryRunReport;
  /** Times of dry run and sending. Unix time in ms. */
  readonly reviewedAt: number;
  readonly sentAt: number;
  /** Undefined before the response, and if it is lost. */
  readonly taskId?: string | undefined;
  /**
   * Rows to keep, counted right before sending: those dated after the cutoff and up to `countedUpTo` (Unix time in ms),
   * since later rows could hide a loss. Undefined if unknown.
   */
  readonly baseline?: { readonly countedUpTo: number; readonly kept: number } | undefined;
  /** Bytes of the index, if the server reports them. */
  readonly sizeBefore?: number | undefined;
}

/**
 * True if rows to keep may be hidden: a reindex moved the alias to the new index and did not fill it. A delete
 * by query there would delete rows that were written since, and bring nothing back.
 */
export function hidesRows({ ending, report }: TruncationRecord): boolean {
  return ending?.kind === 'unknown'
    ? ending.hidesRows === true
    : ending?.kind === 'failed' && report.strategy !== 'deleteByQuery' && ending.readers !== 'whole';
}

/** Cause of missing rows that decides on the repair requests. Undefined if none are needed. */
export function repairOf({
  ending,
  wasUnrefreshed,
}: Pick<TruncationRecord, 'ending' | 'wasUnrefreshed'>): UnknownOutcome['missing'] {
  const missing = ending?.kind === 'unknown' ? ending.missing : undefined;
  return wasUnrefreshed === true && (missing === undefined || missing === 'copiesDisagree') ? 'notRefreshed' : missing;
}

/** A truncation that hid rows was no delete by query. */
export function strategyUsed(record: TruncationRecord): ServerStrategy {
  const { strategy } = record.report;
  return strategy === 'deleteByQuery' && hidesRows(record) ? 'reindex' : strategy;
}

/** True if it finished, but no five counts have confirmed that, or found rows left. */
export function isUnchecked(record: Pick<TruncationRecord, 'ending'>): boolean {
  return record.ending?.kind === 'finished' && wholeEnding(record) === undefined && !leftRows(record);
}

/** True if it finished, but searches still find rows dated up to its cutoff. */
export function leftRows({ ending }: Pick<TruncationRecord, 'ending'>): boolean {
  return ending?.kind === 'finished' && ending.readers === 'rowsLeft' && ending.rowsLeft !== 0;
}

/** True if counting may still change the end. */
export function canBeJudgedAgain(record: TruncationRecord): boolean {
  return wholeEnding(record) === undefined;
}

/**
 * Reason why an earlier truncation blocks its index; undefined if it doesn't. A running reindex has already
 * pointed searches at a new index: deleting there, or reindexing again, loses rows for good. Only a delete by
 * query blocks nothing. Any other may be a reindex: it may still run if its response was lost, and may have
 * hidden rows if they couldn't be counted.
 */
export function blockingReason(record: TruncationRecord): 'rowsHidden' | 'notChecked' | 'underWay' | undefined {
  const { ending, report } = record;
  if (hidesRows(record)) {
    return 'rowsHidden';
  }
  if (report.strategy === 'deleteByQuery') {
    return undefined;
  }
  if (ending?.kind === 'finished' && ending.readers === 'notChecked') {
    return 'notChecked';
  }
  return ending === undefined || (ending.kind === 'unknown' && ending.hidesRows === undefined) ? 'underWay' : undefined;
}

/** ID of a task that the server can report on. PostgreSQL's tasks can't be asked for (PROTOCOL.md §10). */
export function askableTask({ taskId }: Pick<TruncationRecord, 'taskId'>): string | undefined {
  return taskId !== undefined && isTaskId(taskId) ? taskId : undefined;
}

/** ID of the task of a delete by query: a canceled reindex would leave rows to keep hidden. */
export function cancelableTask(record: TruncationRecord): string | undefined {
  return strategyUsed(record) === 'deleteByQuery' ? askableTask(record) : undefined;
}

/** PostgreSQL has other task IDs (PROTOCOL.md §10). */
export function isOnSearchCluster({ taskId }: Pick<TruncationRecord, 'taskId'>): boolean {
  return taskId === undefined || isTaskId(taskId);
}

/** End of the task by the server's run time, since it may have been seen much later. Unix time in ms. */
export function taskEndTime({ sentAt, ending, runTimeMillis }: TruncationRecord): number | undefined {
  return ending === undefined || runTimeMillis === undefined ? undefined : sentAt + runTimeMillis;
}

/**
 * Rows that were deleted: 0 if nothing was sent or the server refused it. Undefined while it runs, and if no one
 * counted what was deleted.
 */
export function deletedRows(record: TruncationRecord | undefined): number | undefined {
  if (record === undefined) {
    return 0;
  }
  const { ending, taskEnd, report } = record;
  if (ending?.kind === 'finished') {
    return ending.deleted;
  }
  // A reindex counts the rows that it copied.
  return ending === undefined || report.strategy === 'reindex' ? undefined : taskEnd?.done;
}

/** The end of a truncation after which searches find exactly what they should. */
export function wholeEnding({ ending }: Pick<TruncationRecord, 'ending'>): FinishedOutcome | undefined {
  return ending?.kind === 'finished' && ending.readers === 'clean' ? ending : undefined;
}

/** Age at which an execution without a response is lost: longer than any request may take. In ms. */
export const LOST_AFTER_MILLIS = 180_000;

export type TruncationStatus = 'sending' | 'lost' | 'running' | 'finished' | 'failed' | 'unknown';

/**
 * Status by the record alone, whichever window sent it: nothing else may be sent while a response may still
 * come.
 * @param now Unix time in ms.
 */
export function statusOf(record: TruncationRecord, now: number): TruncationStatus {
  if (record.ending !== undefined) {
    return record.ending.kind;
  }
  if (record.taskId !== undefined) {
    return 'running';
  }
  // A negative age: the clock was set back since.
  const age = now - record.sentAt;
  return age > LOST_AFTER_MILLIS || age < 0 ? 'lost' : 'sending';
}

/**
 * Mark of a truncation: `done` only once five counts have proven it, and no rows are left.
 * @param isWatched False while it can't be watched, of which an end that was judged before is independent.
 * @param now Unix time in ms.
 */
export function markOf(record: TruncationRecord, isWatched: boolean, now: number): TruncationMark {
  if (leftRows(record) || (record.ending === undefined && !isWatched)) {
    return 'warning';
  }
  switch (statusOf(record, now)) {
    case 'sending':
    case 'running':
      return 'running';
    case 'finished':
      return isUnchecked(record) ? 'unknown' : 'done';
    case 'failed':
      return 'failed';
    case 'lost':
    case 'unknown':
      return 'unknown';
  }
}

/** True from the request to the end, as far as is known. @param now Unix time in ms. */
function isUnderWay(record: TruncationRecord, now: number): boolean {
  return ['sending', 'running'].includes(statusOf(record, now));
}

/** True while the server deletes, as far as is known: not while the rows are counted after its task. */
export function isTaskUnderWay(record: TruncationRecord, now: number): boolean {
  return record.taskEnd === undefined && isUnderWay(record, now);
}

/** For so long, a deletion whose outcome is unknown may still run. In ms. */
const LONGEST_RUN_MILLIS = MILLIS_PER_DAY;

/** True while the server deletes or may delete: until its task says that it has ended. */
export function mayStillRun(record: TruncationRecord, now: number): boolean {
  const { ending, taskEnd, sentAt } = record;
  const isLost =
    statusOf(record, now) === 'lost' || (ending?.kind === 'unknown' && ['lost', 'lostInTime'].includes(ending.reason));
  const isOpen = isUnderWay(record, now) || (isLost && now - sentAt < LONGEST_RUN_MILLIS);
  return isOpen && (taskEnd === undefined || taskEnd.kind === 'gone');
}

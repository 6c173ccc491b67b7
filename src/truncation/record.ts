/** Record of a sent truncation, and its meaning for the index. */
import * as v from 'valibot';
import { isTaskId, type TruncationPlan } from '../service/indices/truncation.ts';
import { outcomeSchema, type TruncationOutcome } from './outcome.ts';
import { taskEndSchema } from './taskEnd.ts';
import type { DryRunReport, ServerStrategy } from './dryRun.ts';

/** Distinguishes this extension host from others, and from itself before a reload. */
export const SESSION_ID: string = crypto.randomUUID();

export const planSchema = () =>
  v.object({
    entityType: v.string(),
    aspect: v.string(),
    endTimeMillis: v.number(),
    batchSize: v.number(),
    timeoutSeconds: v.optional(v.number()),
    strategy: v.fallback(v.picklist(['server', 'deleteByQuery', 'reindex']), 'server'),
  });
/**
 * Values that only a later version knows are dropped, but never the record, since it may block its index. A
 * record without an end may still be running.
 */
const recordSchema = () =>
  v.object({
    id: v.pipe(v.string(), v.uuid()),
    connectionId: v.string(),
    /** Server it was sent to. Undefined in records of 0.1.0. */
    baseUrl: v.optional(v.string()),
    /** Actor of the connection. Undefined in old records. */
    actorUrn: v.optional(v.string()),
    /** Owner of the token. Undefined if unknown, and in old records. */
    callerUrn: v.optional(v.string()),
    /** `SESSION_ID` of the sender. Undefined in old records. */
    sessionId: v.optional(v.string()),
    plan: planSchema(),
    report: v.object({
      serverText: v.string(),
      rows: v.optional(v.object({ toDelete: v.number(), total: v.number() })),
      strategy: v.fallback(v.picklist(['reindex', 'deleteByQuery', 'unknown']), 'unknown'),
      isReport: v.boolean(),
    }),
    /** Times of dry run, sending and end. Unix time in ms. */
    reviewedAt: v.number(),
    sentAt: v.number(),
    endedAt: v.optional(v.number()),
    /** In ms, if the server reports it. Undefined in old records. */
    runTimeMillis: v.optional(v.number()),
    /** Undefined before the response, and if it is lost. */
    taskId: v.optional(v.string()),
    /** Undefined while the end of the task is unknown. */
    taskEnd: v.fallback(v.optional(taskEndSchema()), undefined),
    /** True if the cluster refused every write when the task was last asked for. */
    writesRefused: v.optional(v.boolean()),
    ending: v.fallback(v.optional(outcomeSchema()), undefined),
    /** Rows to keep before sending. Undefined if unknown. */
    baseline: v.optional(v.object({ countedUpTo: v.number(), kept: v.number() })),
    /** Count of what searches found when the end was judged. */
    readers: v.optional(v.object({ at: v.number(), toDelete: v.number(), kept: v.number() })),
    /** Bytes of the index, if the server reports them. */
    sizeBefore: v.optional(v.number()),
    /** Undefined in old records. */
    sizePrecision: v.fallback(v.optional(v.picklist(['exact', 'approximate'])), undefined),
  });

export type TruncationRecord = Omit<v.InferOutput<ReturnType<typeof recordSchema>>, 'ending' | 'plan' | 'report'> & {
  readonly ending?: TruncationOutcome | undefined;
  readonly plan: TruncationPlan;
  readonly report: DryRunReport;
};

/**
 * True if rows to keep may be hidden: a reindex moved the alias to the new index and did not fill it. A delete
 * by query there would delete rows that were written since, and bring nothing back.
 */
export function hidesRows({ ending, report }: TruncationRecord): boolean {
  return ending?.kind === 'unknown'
    ? ending.hidesRows === true
    : ending?.kind === 'failed' && report.strategy !== 'deleteByQuery' && ending.readers !== 'whole';
}

/** A truncation that hid rows was no delete by query. */
export function strategyUsed(record: TruncationRecord): ServerStrategy {
  const { strategy } = record.report;
  return strategy === 'deleteByQuery' && hidesRows(record) ? 'reindex' : strategy;
}

/**
 * True if it finished, but no count has confirmed that. 0.1.0 never counted after a task; of its truncations, only a
 * reindex may have hidden rows (PROTOCOL.md §7.5). That one blocks nothing: a dry run of its index finds out.
 */
export function isUnchecked({ ending, report }: Pick<TruncationRecord, 'ending' | 'report'>): boolean {
  return (
    ending?.kind === 'finished' &&
    (ending.readers === undefined ? report.strategy === 'reindex' : ending.readers === 'notChecked')
  );
}

/** True if counting may still change the end. */
export function canBeJudgedAgain(record: TruncationRecord): boolean {
  const { ending } = record;
  return ending?.kind !== 'finished' || ending.readers === 'rowsLeft' || isUnchecked(record);
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

/** PostgreSQL has other task IDs (PROTOCOL.md §10). */
export function isOnSearchCluster({ taskId }: Pick<TruncationRecord, 'taskId'>): boolean {
  return taskId === undefined || isTaskId(taskId);
}

/** Rows to keep before sending. Undefined if unknown. */
export function keptBefore({
  baseline,
  report: { rows },
}: Pick<TruncationRecord, 'baseline' | 'report'>): number | undefined {
  return baseline?.kept ?? (rows === undefined ? undefined : rows.total - rows.toDelete);
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
    return ending.deleted ?? (ending.readers === 'clean' ? report.rows?.toDelete : undefined);
  }
  return ending === undefined ? undefined : taskEnd?.done;
}

/** Age at which an execution without a response is lost: longer than any request may take. In ms. */
export const LOST_AFTER_MILLIS = 180_000;

/** Built with the first record that is read. */
let schema: ReturnType<typeof recordSchema> | undefined;

/** Returns undefined if what was stored is damaged. */
export function parseRecord(stored: unknown): TruncationRecord | undefined {
  schema ??= recordSchema();
  const parsed = v.safeParse(schema, stored);
  if (!parsed.success) {
    return undefined;
  }
  const { plan, report, ending, ...rest } = parsed.output;
  return {
    ...rest,
    plan: { ...plan, timeoutSeconds: plan.timeoutSeconds },
    report: { ...report, rows: report.rows },
    ...(ending === undefined ? {} : { ending: ending as TruncationOutcome }),
  };
}

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

/** True while the server deletes, as far as is known: not while the rows are counted after its task. */
export function isTaskUnderWay(record: TruncationRecord, now: number): boolean {
  return record.taskEnd === undefined && ['sending', 'running'].includes(statusOf(record, now));
}

/**
 * Status as it is shown. Only the window that sent an execution knows whether it still waits for the response:
 * to any other, and to itself after a reload, it looks like a window that was killed.
 */
export function shownStatusOf(
  record: TruncationRecord,
  now: number,
  sessionId = SESSION_ID,
): TruncationStatus | 'unanswered' {
  const status = statusOf(record, now);
  return status === 'sending' && record.sessionId !== sessionId ? 'unanswered' : status;
}

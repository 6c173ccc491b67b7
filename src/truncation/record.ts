/** One truncation that was sent, as it is written down; pure, so that the texts about it are too. */
import * as v from 'valibot';
import { isTaskId } from '../service/indices/taskId.ts';
import { taskEndSchema } from './taskEnd.ts';
import type { DryRunReport, ServerStrategy } from './dryRun.ts';
import type { TruncationPlan } from '../service/indices/truncation.ts';
import { outcomeSchema, type Outcome } from './outcome.ts';

/** Distinguishes this extension host from other windows, and from itself before a reload. Stored only in records of what it sent. */
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
 * Words that only a later version knows are left out, never the record: it may keep its index from being deleted from. Without its
 * end it may still be under way.
 */
const recordSchema = () =>
  v.object({
    id: v.pipe(v.string(), v.uuid()),
    connectionId: v.string(),
    /** Of the server it was sent to, which the connection may no longer be. Undefined: written by 0.1.0. */
    baseUrl: v.optional(v.string()),
    /** Whom the connection names. Undefined: written before this was kept. */
    actorUrn: v.optional(v.string()),
    /** Who sent it, as the server knows the token's owner. Undefined: it didn't say, or written before this was kept. */
    callerUrn: v.optional(v.string()),
    /** The extension host that sent it (`SESSION_ID`). Undefined: written before this was kept. */
    sessionId: v.optional(v.string()),
    plan: planSchema(),
    report: v.object({
      serverText: v.string(),
      rows: v.optional(v.object({ toDelete: v.number(), total: v.number() })),
      strategy: v.fallback(v.picklist(['reindex', 'deleteByQuery', 'unknown']), 'unknown'),
      isReport: v.boolean(),
    }),
    /** Unix time in ms: when the dry run was taken, when the execution was sent, when it was seen to have ended. */
    reviewedAt: v.number(),
    sentAt: v.number(),
    endedAt: v.optional(v.number()),
    /** How long the task ran, in ms, where the server tells. Undefined: written before this was kept. */
    runTimeMillis: v.optional(v.number()),
    /** Undefined until the server answered, and for ever when the answer was lost. */
    taskId: v.optional(v.string()),
    /** How the task ended, once that is known. Undefined too where the server can't be asked. */
    taskEnd: v.fallback(v.optional(taskEndSchema()), undefined),
    ending: v.fallback(v.optional(outcomeSchema()), undefined),
    /** What should stay, counted right before it was sent. Undefined: not countable, or written before this was kept. */
    baseline: v.optional(v.object({ countedUpTo: v.number(), kept: v.number() })),
    /** What readers saw when the end was judged. */
    readers: v.optional(v.object({ at: v.number(), toDelete: v.number(), kept: v.number() })),
    /** Of the index, in bytes, where the server tells. */
    sizeBefore: v.optional(v.number()),
    /** Undefined: written before this was kept. */
    sizePrecision: v.fallback(v.optional(v.picklist(['exact', 'approximate'])), undefined),
    /** Kept for older versions, which read it as the task ended. Not shown: until segments merge, it says nothing. */
    sizeAfter: v.optional(v.number()),
    /** The lowest size that was read after the end, if it is lower than before. `at` is Unix time in ms. */
    laterSize: v.optional(v.object({ bytes: v.number(), at: v.number() })),
  });

export type TruncationRecord = Omit<v.InferOutput<ReturnType<typeof recordSchema>>, 'ending' | 'plan' | 'report'> & {
  readonly ending?: Outcome | undefined;
  readonly plan: TruncationPlan;
  readonly report: DryRunReport;
};

/**
 * Whether rows that should stay may be hidden from readers: a reindex moved the alias to the new index and did not fill it. Deleting
 * from that index by query would take the rows that were written since, and bring nothing back.
 */
export function hidesRows({ ending, report }: TruncationRecord): boolean {
  return ending?.kind === 'unknown'
    ? ending.hidesRows === true
    : ending?.kind === 'failed' && report.strategy !== 'deleteByQuery' && ending.readers !== 'whole';
}

/** How it was done, as far as is known: one that hid rows was no delete by query, whatever the dry run had said. */
export function strategyUsed(record: TruncationRecord): ServerStrategy {
  const { strategy } = record.report;
  return strategy === 'deleteByQuery' && hidesRows(record) ? 'reindex' : strategy;
}

/**
 * Whether counting may still change what is said about the end. A reindex that was called finished before readers were counted may
 * have hidden every row (PROTOCOL.md §7.5).
 */
export function canBeJudgedAgain({ ending, report }: TruncationRecord): boolean {
  if (ending?.kind !== 'finished') {
    return true;
  }
  return ending.readers === undefined ? report.strategy === 'reindex' : ending.readers !== 'clean';
}

/**
 * Why nothing may be deleted from the index of a truncation that was sent before; undefined where something may. A reindex that is
 * under way has moved readers to a new index already: what deletes from that one, or moves them again, leaves rows behind for good.
 * Only a delete by query blocks nothing. Any other may be a reindex: one whose answer was lost may be under way, and one whose rows
 * couldn't be counted may have hidden them.
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

/** The ID of a task whose status can be asked for; PostgreSQL's can't (PROTOCOL.md §10). */
export function askableTask({ taskId }: TruncationRecord): string | undefined {
  return taskId !== undefined && isTaskId(taskId) ? taskId : undefined;
}

/** The ID of a task is one of the cluster, except on PostgreSQL (PROTOCOL.md §10). */
export function isOnSearchCluster({ taskId }: Pick<TruncationRecord, 'taskId'>): boolean {
  return taskId === undefined || isTaskId(taskId);
}

/** Rows that should stay; undefined when they couldn't be counted before it was sent. */
export function keptBefore({
  baseline,
  report: { rows },
}: Pick<TruncationRecord, 'baseline' | 'report'>): number | undefined {
  return baseline?.kept ?? (rows === undefined ? undefined : rows.total - rows.toDelete);
}

/** When the task ended, Unix time in ms; undefined where the server didn't tell: that it had ended may have been seen much later. */
export function endOf({ sentAt, ending, runTimeMillis }: TruncationRecord): number | undefined {
  return ending === undefined || runTimeMillis === undefined ? undefined : sentAt + runTimeMillis;
}

/** An execution that no window can be waiting for any more: its answer is lost. In ms, longer than a request may take. */
export const LOST_AFTER_MILLIS = 180_000;

/** Built at first use: building it takes longer than loading this file. */
let schema: ReturnType<typeof recordSchema> | undefined;

/** What was stored as a record, or undefined when it is damaged. */
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
    ...(ending === undefined ? {} : { ending: ending as Outcome }),
  };
}

/** Where a truncation stands. */
export type TruncationStatus = 'sending' | 'lost' | 'running' | 'finished' | 'failed' | 'unknown';

/**
 * Where a truncation stands, as far as the record alone can tell, whichever window sent it: as long as an answer may come, nothing
 * else may be sent.
 */
export function statusOf(record: TruncationRecord, now: number): TruncationStatus {
  if (record.ending !== undefined) {
    return record.ending.kind;
  }
  if (record.taskId !== undefined) {
    return 'running';
  }
  // Sent in the future: the clock was set back since, so that its age cannot be told.
  const age = now - record.sentAt;
  return age > LOST_AFTER_MILLIS || age < 0 ? 'lost' : 'sending';
}

/**
 * The same as a user is shown it. Only the window that sent an execution knows whether it still waits for the answer: another one, or
 * the same after a reload, can't tell that from a window that was killed.
 */
export function shownStatusOf(
  record: TruncationRecord,
  now: number,
  sessionId = SESSION_ID,
): TruncationStatus | 'unanswered' {
  const status = statusOf(record, now);
  return status === 'sending' && record.sessionId !== sessionId ? 'unanswered' : status;
}

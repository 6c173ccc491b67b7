/**
 * State of a job by its journal: a pure reducer over its lines. Nothing that may have acted is forgotten, whichever
 * window wrote it: a line that can't be read may be the *sent* of any item that no other line shows to be over.
 */
import type { TruncationPlan } from '../service/indices/truncationRequest.ts';
import { parseDryRun } from './dryRun.ts';
import { parseFact, parsePlanned, type JobFact, learnedFrom, type LearnedFacts, type PlannedFact } from './jobFacts.ts';
import { blockingReason, type TruncationRecord } from './sentTruncation.ts';

/** Identifies a job, and its file. */
export interface JobRef {
  readonly connectionId: string;
  /** UUID. */
  readonly id: string;
}

interface StoredItem {
  readonly plan: TruncationPlan;
  readonly status: 'planned' | 'sent' | 'notSent' | 'refused';
  readonly isDismissed: boolean;
  /** The last count before it was sent. */
  readonly counted: Extract<JobFact, { kind: 'dryRun' }> | undefined;
  readonly sent: Extract<JobFact, { kind: 'sent' }> | undefined;
  readonly taskId: string | undefined;
  readonly learned: LearnedFacts | undefined;
}

export interface Job extends JobRef {
  readonly baseUrl: string;
  /** Unix time in ms. */
  readonly confirmedAt: number;
  /** In the order of sending. */
  readonly items: readonly StoredItem[];
  readonly hasUnreadableLine: boolean;
}

/** @param first The first line. @param lines The others; undefined for one that is no JSON. */
export function jobFrom(ref: JobRef, first: unknown, lines: readonly unknown[]): Job | undefined {
  const planned = parsePlanned(first);
  return planned && lines.reduce<Job>((job, line) => reduceJob(job, parseFact(line)), plannedJob(ref, planned));
}

function plannedJob({ connectionId, id }: JobRef, { at, baseUrl, items }: PlannedFact): Job {
  return {
    connectionId,
    id,
    baseUrl,
    confirmedAt: at,
    items: items.map(({ plan }) => ({
      plan,
      status: 'planned',
      isDismissed: false,
      counted: undefined,
      sent: undefined,
      taskId: undefined,
      learned: undefined,
    })),
    hasUnreadableLine: false,
  };
}

/** @param fact Undefined for a line that can't be read. */
function reduceJob(job: Job, fact: JobFact | undefined): Job {
  if (fact === undefined) {
    return { ...job, hasUnreadableLine: true };
  }
  return withItem(job, fact.item, (item) => reduceItem(item, fact));
}

function withItem(job: Job, place: number, change: (item: StoredItem) => StoredItem): Job {
  return place < job.items.length
    ? { ...job, items: job.items.map((item, at) => (at === place ? change(item) : item)) }
    : { ...job, hasUnreadableLine: true };
}

function reduceItem(item: StoredItem, fact: JobFact): StoredItem {
  switch (fact.kind) {
    case 'dryRun':
      return { ...item, counted: fact };
    case 'sent':
      // Its window finds out that another one has dismissed it before the body leaves.
      return item.isDismissed ? item : { ...item, status: 'sent', sent: fact };
    case 'dismissed':
      return { ...item, isDismissed: true };
    case 'notSent':
    case 'refused':
      return { ...item, status: fact.kind };
    case 'task':
      return { ...item, taskId: fact.taskId };
    case 'unknown':
    case 'counted':
    case 'ended':
      return { ...item, learned: learnedFrom(fact) };
  }
}

/** ID of an item's truncation. */
export function recordId(jobId: string, item: number): string {
  return `${jobId}.${item}`;
}

/** The job and the place of a truncation's item. */
export function itemOf(record: string): { readonly id: string; readonly item: number } {
  const [id = '', item = ''] = record.split('.');
  return { id, item: Number(item) };
}

/** All truncations that were sent, or may have been, and that the user has not dismissed. */
export function shownTruncations(job: Job): readonly TruncationRecord[] {
  return job.items.flatMap((item, place) => (item.isDismissed ? [] : (truncationOf(job, item, place) ?? [])));
}

function truncationOf(job: Job, item: StoredItem, place: number): TruncationRecord | undefined {
  const { plan, status, counted, sent, taskId, learned } = item;
  const isInDoubt = status === 'planned' && job.hasUnreadableLine;
  if (status !== 'sent' && !isInDoubt) {
    return undefined;
  }
  const sentAt = sent?.at ?? counted?.at ?? job.confirmedAt;
  return {
    id: recordId(job.id, place),
    connectionId: job.connectionId,
    baseUrl: job.baseUrl,
    actorUrn: sent?.actorUrn,
    callerUrn: sent?.callerUrn,
    plan,
    report: counted?.report ?? parseDryRun(''),
    baseline: counted?.baseline,
    reviewedAt: counted?.at ?? sentAt,
    sentAt,
    sizeBefore: sent?.sizeBefore,
    taskId,
    ...(isInDoubt && ({ ending: { kind: 'unknown', reason: 'lost' }, endedAt: sentAt } as const)),
    ...learned,
  };
}

/** Why an item may not be sent, whose *sent* was written. */
export function whyNotSend(job: Job, place: number): 'dismissed' | 'unreadable' | undefined {
  const item = job.items[place];
  if (item?.status !== 'sent' || item.isDismissed) {
    return 'dismissed';
  }
  // It may be what another window wrote to stop this one.
  return job.hasUnreadableLine ? 'unreadable' : undefined;
}

/** True if it blocks nothing. What its window has not sent counts as over: that window may be gone. */
export function isOver(job: Job): boolean {
  return shownTruncations(job).every((one) => one.ending !== undefined && blockingReason(one) === undefined);
}

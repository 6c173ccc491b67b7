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
  /** Undefined until it is sent, and if the gate or the server refused it. */
  readonly truncation: TruncationRecord | undefined;
  /** Of one whose *sent* is perhaps a line that can't be read. */
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
      truncation: undefined,
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
  return withItem(job, fact.item, (item) => reduceItem(job, item, fact));
}

function withItem(job: Job, place: number, change: (item: StoredItem) => StoredItem): Job {
  return place < job.items.length
    ? { ...job, items: job.items.map((item, at) => (at === place ? change(item) : item)) }
    : { ...job, hasUnreadableLine: true };
}

function reduceItem(job: Job, item: StoredItem, fact: JobFact): StoredItem {
  const { truncation } = item;
  switch (fact.kind) {
    case 'dryRun':
      return { ...item, counted: fact };
    case 'sent':
      // Its window finds out that another one has dismissed it before the body leaves.
      return item.isDismissed ? item : { ...item, status: 'sent', truncation: sentTruncation(job, item, fact) };
    case 'dismissed':
      return { ...item, isDismissed: true };
    case 'notSent':
    case 'refused':
      return { ...item, status: fact.kind, truncation: undefined };
    case 'task':
      return { ...item, truncation: truncation && { ...truncation, taskId: fact.taskId } };
    case 'unknown':
    case 'counted':
    case 'ended': {
      const learned = learnedFrom(fact);
      return { ...item, learned, truncation: truncation && { ...truncation, ...learned } };
    }
  }
}

function sentTruncation(
  job: Job,
  { plan, counted }: StoredItem,
  fact: Extract<JobFact, { kind: 'sent' }>,
): TruncationRecord {
  const { actorUrn, callerUrn, sizeBefore } = fact;
  return {
    id: recordId(job.id, fact.item),
    connectionId: job.connectionId,
    baseUrl: job.baseUrl,
    actorUrn,
    callerUrn,
    plan,
    report: counted?.report ?? parseDryRun(''),
    baseline: counted?.baseline,
    reviewedAt: counted?.at ?? fact.at,
    sentAt: fact.at,
    sizeBefore,
  };
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
  if (item.status !== 'planned' || !job.hasUnreadableLine) {
    return item.truncation;
  }
  const at = item.counted?.at ?? job.confirmedAt;
  const sent = sentTruncation(job, item, { kind: 'sent', item: place, at });
  return { ...sent, ending: { kind: 'unknown', reason: 'lost' }, endedAt: at, ...item.learned };
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

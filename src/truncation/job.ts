/**
 * State of a job by its journal: a pure reducer over its lines. Nothing that may have acted is forgotten, whichever
 * window wrote it: a line that can't be read may be the *sent* of any item that no other line shows to be over.
 */
import { MILLIS_PER_MINUTE } from '../time.ts';
import type { TruncationPlan } from '../service/indices/truncation.ts';
import {
  parseFact,
  parsePlanned,
  type ItemFact,
  type JobFact,
  type JobOrigin,
  learnedFrom,
  type LearnedFacts,
  type PlannedFact,
} from './jobFacts.ts';
import { blockingReason, type TruncationRecord } from './record.ts';

/** Identifies a job, and its file. */
export interface JobRef {
  readonly connectionId: string;
  /** UUID. */
  readonly id: string;
}

export interface JobItem {
  readonly plan: TruncationPlan;
  /** Unix time in ms. */
  readonly confirmedAt: number;
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
  readonly origin: JobOrigin;
  /** Unix time in ms. */
  readonly confirmedAt: number;
  /** In the order of sending. */
  readonly items: readonly JobItem[];
  /** The user dismissed what was never sent. */
  readonly isDismissed: boolean;
  /** Jobs that continue it, or tried to, the first one first. */
  readonly continuedBy: readonly { readonly jobId: string; readonly at: number }[];
  readonly hasUnreadableLine: boolean;
}

/** The other window has this long to write the job that it continues another one with. */
const CONTINUING_MILLIS = MILLIS_PER_MINUTE;

/** @param first The first line. @param lines The others; undefined for one that is no JSON. */
export function jobFrom(ref: JobRef, first: unknown, lines: readonly unknown[]): Job | undefined {
  const planned = parsePlanned(first);
  return planned && lines.reduce<Job>((job, line) => reduceJob(job, parseFact(line)), plannedJob(ref, planned));
}

function plannedJob({ connectionId, id }: JobRef, { at, baseUrl, origin, items }: PlannedFact): Job {
  return {
    connectionId,
    id,
    baseUrl,
    origin,
    confirmedAt: at,
    items: items.map(({ plan, confirmedAt = at }) => ({
      plan,
      confirmedAt,
      status: 'planned',
      isDismissed: false,
      counted: undefined,
      truncation: undefined,
      learned: undefined,
    })),
    isDismissed: false,
    continuedBy: [],
    hasUnreadableLine: false,
  };
}

/** @param fact Undefined for a line that can't be read. */
function reduceJob(job: Job, fact: JobFact | undefined): Job {
  if (fact === undefined) {
    return { ...job, hasUnreadableLine: true };
  }
  switch (fact.kind) {
    case 'continuedBy':
      return { ...job, continuedBy: [...job.continuedBy, { jobId: fact.jobId, at: fact.at }] };
    case 'dismissed':
      return fact.item === undefined
        ? { ...job, isDismissed: true }
        : withItem(job, fact.item, (item) =>
            fact.isDone === true && item.status === 'sent' ? item : { ...item, isDismissed: true },
          );
    default:
      return withItem(job, fact.item, (item) => reduceItem(job, item, fact));
  }
}

function withItem(job: Job, place: number, change: (item: JobItem) => JobItem): Job {
  return place < job.items.length
    ? { ...job, items: job.items.map((item, at) => (at === place ? change(item) : item)) }
    : { ...job, hasUnreadableLine: true };
}

function reduceItem(job: Job, item: JobItem, fact: ItemFact): JobItem {
  const { truncation } = item;
  switch (fact.kind) {
    case 'dryRun':
      return { ...item, counted: fact };
    case 'sent':
      // Its window finds that out before the body leaves.
      return isStopped(job, item) ? item : { ...item, status: 'sent', truncation: sentTruncation(job, item, fact) };
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

/** True if another window continues it, or the user dismissed it: the first line wins. */
function isStopped({ continuedBy, isDismissed }: Job, item: JobItem): boolean {
  return continuedBy.length > 0 || isDismissed || item.isDismissed;
}

const UNREAD_REPORT = { serverText: '', rows: undefined, strategy: 'unknown', isReport: false } as const;

function sentTruncation(
  job: Job,
  { plan, counted }: JobItem,
  fact: Extract<JobFact, { kind: 'sent' }>,
): TruncationRecord {
  const { sessionId, actorUrn, callerUrn, sizeBefore } = fact;
  return {
    id: recordId(job.id, fact.item),
    connectionId: job.connectionId,
    baseUrl: job.baseUrl,
    actorUrn,
    callerUrn,
    sessionId,
    plan,
    report: counted?.report ?? UNREAD_REPORT,
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

/** All truncations that were sent, or may have been, even those that the user dismissed. */
export function truncationsOf(job: Job): readonly TruncationRecord[] {
  return job.items.flatMap((item, place) => truncationOf(job, item, place) ?? []);
}

/** Those that the user has not dismissed. */
export function shownTruncations(job: Job): readonly TruncationRecord[] {
  return job.items.flatMap((item, place) => (item.isDismissed ? [] : (truncationOf(job, item, place) ?? [])));
}

function truncationOf(job: Job, item: JobItem, place: number): TruncationRecord | undefined {
  if (item.status !== 'planned' || !job.hasUnreadableLine) {
    return item.truncation;
  }
  const at = item.counted?.at ?? job.confirmedAt;
  const sent = sentTruncation(job, item, { kind: 'sent', item: place, at, sessionId: '' });
  return { ...sent, ending: { kind: 'unknown', reason: 'lost' }, endedAt: at, ...item.learned };
}

/** Places of the items that were never sent, or that the server refused: nothing happened, and nothing will. */
export function itemsLeft({ items, hasUnreadableLine }: Job): readonly number[] {
  return items.flatMap(({ status, isDismissed }, place) =>
    !isDismissed && status !== 'sent' && !(status === 'planned' && hasUnreadableLine) ? [place] : [],
  );
}

export function itemsAt({ items }: Job, places: readonly number[]): readonly JobItem[] {
  return places.flatMap((place) => items[place] ?? []);
}

/** Tells which truncations of an index were sent, whether the user dismissed them or not. */
export type SentTo = (index: TruncationPlan) => readonly TruncationRecord[];

/** Places of the items that were never sent, and whose rows something else has deleted since the user confirmed them. */
export function itemsDone(job: Job, sentTo: SentTo): readonly number[] {
  return itemsLeft(job).filter((place) => {
    const item = job.items[place];
    return item !== undefined && sentTo(item.plan).some((one) => hasDone(one, item));
  });
}

function hasDone({ ending, sentAt, plan }: TruncationRecord, item: JobItem): boolean {
  return ending?.kind === 'finished' && sentAt >= item.confirmedAt && plan.endTimeMillis >= item.plan.endTimeMillis;
}

/** Places of the items to continue with: of a job that began on the overview. */
export function itemsToContinue(job: Job, sentTo: SentTo): readonly number[] {
  if (job.origin !== 'overview' || job.isDismissed) {
    return [];
  }
  const done = new Set(itemsDone(job, sentTo));
  return itemsLeft(job).filter((place) => !done.has(place));
}

/**
 * The job that continues this one: the first whose file is there, or may still be written.
 * @param isThere Tells whether there is such a job. @param now Unix time in ms.
 */
export function successorOf(job: Job, isThere: (jobId: string) => boolean, now: number): string | undefined {
  return job.continuedBy.find(({ jobId, at }) => isThere(jobId) || mayStillBeWritten(at, now))?.jobId;
}

/** A time in the future is from before the clock was set back. @param at Unix time in ms, as `now`. */
export function mayStillBeWritten(at: number, now: number): boolean {
  return at <= now && now - at <= CONTINUING_MILLIS;
}

/** Why an item may not be sent, whose *sent* was written. */
export function whyNotSend(job: Job, place: number): 'dismissed' | 'continued' | 'unreadable' | undefined {
  const item = job.items[place];
  if (item?.status !== 'sent') {
    return job.continuedBy.length > 0 ? 'continued' : 'dismissed';
  }
  if (item.isDismissed || job.isDismissed) {
    return 'dismissed';
  }
  // It may be what another window wrote to stop this one.
  return job.hasUnreadableLine ? 'unreadable' : undefined;
}

/** True if it blocks nothing, and nothing more can happen to it. */
export function isOver(job: Job): boolean {
  return (
    (job.origin === 'wizard' || job.isDismissed || itemsLeft(job).length === 0) &&
    shownTruncations(job).every((one) => one.ending !== undefined && blockingReason(one) === undefined)
  );
}

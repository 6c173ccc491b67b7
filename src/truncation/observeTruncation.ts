/** Looks once at a truncation that was sent: asks for its task, and once that has ended counts what readers see. */
import { asFailure } from '../service/failure/failure.ts';
import { cannotWatch } from '../service/indices/tasks.ts';
import type { Service } from '../service/service.ts';
import { countReaders } from './countReaders.ts';
import type { ReaderCount } from './model/readerCount.ts';
import { STILL_MILLIS, judge } from './model/readerJudgement.ts';
import { askableTask, keptBefore } from './model/record.ts';
import type { TruncationRecord } from './model/record.ts';
import type { Failing, Outcome, TaskProgress } from './model/state.ts';
import { progressOf, refusesWrites, taskEndOf } from './model/taskEnd.ts';
import { endingOf, endingUnchecked } from './model/ending.ts';
import { taskTexts } from './model/texts.ts';
import { judgementTexts } from './model/judgementTexts.ts';

/** A task that the server doesn't know has to be unknown so often, and for so long: a node may have been busy for a moment. */
const UNKNOWN_LOOKS = 3;
const UNKNOWN_MILLIS = 10_000;
/** Enough to see ten minutes of counts at the longest pause, and more. */
const MOST_COUNTS = 200;

/** What was seen of a truncation in this window. It can be asked again, so it isn't stored. */
export interface TruncationObservation {
  progress: TaskProgress | undefined;
  /** Why it can't be watched at the moment. */
  trouble: Failing | undefined;
  /** Whether the server can't tell about tasks, so that only counting shows how far it is. */
  byCounts: boolean;
  writesRefused: boolean;
  /** Since when, and how often, the server hasn't known the task. */
  unknown: { readonly since: number; readonly looks: number } | undefined;
  /** What readers saw since the task ended, oldest first. */
  counts: readonly ReaderCount[];
  /** Since when the rows couldn't be counted. Unix time in ms. */
  uncountedSince: number | undefined;
}

export function newObservation(): TruncationObservation {
  return {
    progress: undefined,
    trouble: undefined,
    byCounts: false,
    writesRefused: false,
    unknown: undefined,
    counts: [],
    uncountedSince: undefined,
  };
}

/**
 * @param now Unix time in ms.
 * @returns the record with what was learned; the same object when that is nothing worth storing.
 */
export async function observeTruncation(
  service: Service,
  record: TruncationRecord,
  seen: TruncationObservation,
  now: () => number,
): Promise<TruncationRecord> {
  const asked = await askForTask(service, record, seen, now);
  return asked.isOver ? count(service, asked.record, seen, now) : asked.record;
}

/** What the server says about a task. Readers are counted once it `isOver`, or can't be asked for. */
interface AskedTask {
  readonly record: TruncationRecord;
  readonly isOver: boolean;
}

async function askForTask(
  service: Service,
  record: TruncationRecord,
  seen: TruncationObservation,
  now: () => number,
): Promise<AskedTask> {
  const taskId = askableTask(record);
  if (taskId === undefined || seen.byCounts || (record.taskEnd !== undefined && record.taskEnd.kind !== 'gone')) {
    return { record, isOver: true };
  }
  try {
    const status = await service.tasks.status(taskId);
    seen.trouble = undefined;
    if (status.kind === 'unknown') {
      return record.taskEnd === undefined ? afterUnknown(record, seen, now()) : { record, isOver: true };
    }
    seen.unknown = undefined;
    seen.progress = progressOf(record.report, status);
    seen.writesRefused = refusesWrites(status);
    if (seen.writesRefused) {
      seen.trouble = judgementTexts.writesRefused();
    }
    const taskEnd = taskEndOf(record.report, keptBefore(record), status);
    if (taskEnd === undefined) {
      return { record: reopened(record), isOver: false };
    }
    seen.trouble = undefined;
    return { record: { ...record, taskEnd, runTimeMillis: status.runTimeMillis }, isOver: true };
  } catch (thrown) {
    const failure = asFailure(thrown);
    seen.byCounts = cannotWatch(failure);
    seen.trouble = seen.byCounts ? undefined : { sentence: failure.message, next: failure.next };
    return { record, isOver: seen.byCounts };
  }
}

/** One that was given up and runs after all. */
function reopened(record: TruncationRecord): TruncationRecord {
  if (record.taskEnd === undefined && record.ending === undefined) {
    return record;
  }
  const { taskEnd: _, ending: __, endedAt: ___, readers: ____, ...open } = record;
  return open;
}

function afterUnknown(record: TruncationRecord, seen: TruncationObservation, now: number): AskedTask {
  const { since, looks } = seen.unknown ?? { since: now, looks: 0 };
  seen.unknown = { since, looks: looks + 1 };
  const isGone = looks + 1 >= UNKNOWN_LOOKS && now - since >= UNKNOWN_MILLIS;
  return { record: isGone ? { ...record, taskEnd: { kind: 'gone' } } : record, isOver: isGone };
}

async function count(
  service: Service,
  record: TruncationRecord,
  seen: TruncationObservation,
  now: () => number,
): Promise<TruncationRecord> {
  const kept = keptBefore(record);
  if (kept === undefined) {
    return unchecked(record, now());
  }
  const found = await countOnce(service, record, seen, now);
  if (found === undefined) {
    if (now() - (seen.uncountedSince ?? now()) < STILL_MILLIS) {
      return record;
    }
    seen.trouble = undefined;
    return unchecked(record, now());
  }
  seen.counts = [...seen.counts, found].slice(-MOST_COUNTS);
  if (isOnlyCounted(record, seen)) {
    seen.progress = progressByCount(record, found);
  }
  const judgement = judge({
    strategy: record.report.strategy,
    kept,
    task: record.taskEnd?.kind ?? 'untold',
    writesRefused: seen.writesRefused,
    counts: seen.counts,
  });
  const ending = endingOf(record, judgement) ?? stillUnknown(record, found);
  return ending === undefined || isSameEnding(ending, record.ending)
    ? record
    : { ...ended(record, ending, now()), readers: found };
}

/** Undefined where the rows can't be counted at the moment. */
async function countOnce(
  service: Service,
  record: TruncationRecord,
  seen: TruncationObservation,
  now: () => number,
): Promise<ReaderCount | undefined> {
  try {
    const found = await countReaders(service, record, now, seen.counts.length % 2 === 1);
    seen.trouble = undefined;
    seen.uncountedSince = found === undefined ? (seen.uncountedSince ?? now()) : undefined;
    return found;
  } catch (thrown) {
    const failure = asFailure(thrown);
    seen.trouble = { sentence: failure.message, next: failure.next };
    seen.uncountedSince ??= now();
    return undefined;
  }
}

function ended(
  record: TruncationRecord,
  ending: NonNullable<TruncationRecord['ending']>,
  now: number,
): TruncationRecord {
  return { ...record, ending, endedAt: record.endedAt ?? now };
}

/** Of one whose answer was lost, a count that changes nothing else is still news. */
function stillUnknown({ ending, report }: TruncationRecord, { toDelete }: ReaderCount): Outcome | undefined {
  if (ending?.kind !== 'unknown' || ending.missing !== undefined || report.rows === undefined) {
    return undefined;
  }
  const next = taskTexts.countedAgain(report.rows.toDelete, toDelete);
  return { ...ending, failing: { sentence: ending.failing.sentence, next } };
}

/** What was said before stays: rows that were seen to be missing are not there because they can't be counted. */
function unchecked(record: TruncationRecord, now: number): TruncationRecord {
  return record.ending === undefined ? ended(record, endingUnchecked(record), now) : record;
}

function isSameEnding(ending: Outcome, stored: Outcome | undefined): boolean {
  return JSON.stringify(ending) === JSON.stringify(stored);
}

/** Whether nothing but counts shows how far it is. */
function isOnlyCounted(record: TruncationRecord, { byCounts }: TruncationObservation): boolean {
  return record.taskEnd === undefined && (byCounts || askableTask(record) === undefined);
}

function progressByCount({ report }: TruncationRecord, { toDelete }: ReaderCount): TaskProgress | undefined {
  // A reindex shows an index without old rows from its first moment on, so only rows that are left tell how far it is.
  return report.rows !== undefined && (report.strategy === 'deleteByQuery' || toDelete > 0)
    ? { counts: 'deleted', done: Math.max(0, report.rows.toDelete - toDelete), total: report.rows.toDelete }
    : undefined;
}

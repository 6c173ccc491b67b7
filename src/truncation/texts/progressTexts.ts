/** Pace of a running truncation: rate, remaining time, standstill, and the last poll. */
import * as l10n from '@vscode/l10n';
import { language } from '../../language.ts';
import { joinSentences } from '../../ui/textLines.ts';
import { MILLIS_PER_HOUR, MILLIS_PER_MINUTE, MILLIS_PER_SECOND } from '../../time.ts';
import { formatsOf, isValidTime } from '../../ui/formats.ts';
import type { TruncationRecord } from '../sentTruncation.ts';
import type { TaskProgress } from '../taskEnd.ts';
import type { Poll } from '../watching/pollHistory.ts';

/** Longer than a batch takes on a busy cluster. */
const STILL_AFTER_MILLIS = MILLIS_PER_MINUTE;
/** Longest pause between two polls (`watch.ts`). */
const LONGEST_PAUSE_SECONDS = 30;

interface TaskStandstill {
  /** Duration in ms. */
  readonly millis: number;
  /** True if the server reported a running task. */
  readonly isReported: boolean;
}

/** Undefined with progress, or after the last row. */
export function standstillOf(progress: TaskProgress | undefined, record: TruncationRecord): TaskStandstill | undefined {
  const { seen, done = 0, total = Infinity } = progress ?? {};
  if (seen === undefined || done >= total || hasTaskEnded(record)) {
    return undefined;
  }
  const millis = seen.at - seen.since;
  return millis >= STILL_AFTER_MILLIS ? { millis, isReported: seen.isReported } : undefined;
}

/** True if the task is known to have ended. */
function hasTaskEnded({ taskEnd, ending }: TruncationRecord): boolean {
  return taskEnd !== undefined || ending !== undefined;
}

/** Undefined while progress is made. */
export function standstillText(progress: TaskProgress | undefined, record: TruncationRecord): string | undefined {
  const standstill = standstillOf(progress, record);
  if (standstill === undefined) {
    return undefined;
  }
  const stalledFor = durationText(standstill.millis);
  return standstill.isReported
    ? l10n.t('No progress for {0}. The server says that the task is still running.', stalledFor)
    : l10n.t(
        'No progress for {0}. The task may have ended; rows are counted every {1}.',
        stalledFor,
        formatsOf(language()).duration(LONGEST_PAUSE_SECONDS, 'second'),
      );
}

/** Uses the largest unit that isn't too coarse. */
function durationText(millis: number): string {
  const { duration } = formatsOf(language());
  if (millis < MILLIS_PER_MINUTE) {
    return duration(Math.round(millis / 1_000), 'second');
  }
  const minutes = Math.round(millis / MILLIS_PER_MINUTE);
  return minutes < 120 ? duration(minutes, 'minute') : duration(Math.ceil(minutes / 60), 'hour');
}

/** The rate of the first moments is misleading. */
const SHORTEST_RATE_MILLIS = 5_000;
/** More would say that the rate is steady. */
const RATE_DIGITS = 2;
/** A poll before the page was hidden is outdated. */
const OLDEST_LOOK_MILLIS = MILLIS_PER_MINUTE;

/**
 * Elapsed and remaining time, or the lack of progress, and that it can't be stopped from here. Undefined once the
 * task has ended.
 * @param now Unix time in ms.
 */
export function runningText(
  progress: TaskProgress | undefined,
  record: TruncationRecord,
  now: number,
): string | undefined {
  if (record.taskId === undefined || hasTaskEnded(record)) {
    return undefined;
  }
  const standstill = standstillText(progress, record);
  if (standstill !== undefined && progress?.seen?.isReported === false) {
    // It may have ended.
    return standstill;
  }
  return joinSentences(
    elapsedText(now - record.sentAt),
    standstill ?? rateText(progress, record, now),
    l10n.t("It can't be stopped from here."),
  );
}

/** Undefined if the clock was set back. @param millis Duration in ms. */
function elapsedText(millis: number): string | undefined {
  if (millis < 0 || !isValidTime(millis)) {
    return undefined;
  }
  // Remaining time is rounded up; elapsed time never is.
  const elapsed = millis < 2 * MILLIS_PER_HOUR ? millis : millis - (millis % MILLIS_PER_HOUR);
  return l10n.t('Running for {0}.', durationText(Math.max(MILLIS_PER_SECOND, elapsed)));
}

/**
 * Average rate so far, and the remaining time at that rate. Undefined without enough polls, or without
 * progress.
 * @param now Unix time in ms.
 */
function rateText(progress: TaskProgress | undefined, record: TruncationRecord, now: number): string | undefined {
  const { seen, done = 0, total } = progress ?? {};
  if (seen === undefined || total === undefined || done <= 0) {
    return undefined;
  }
  const isMoving = seen.hasMoved && now - seen.at < OLDEST_LOOK_MILLIS;
  const elapsed = seen.at - record.sentAt;
  // A stored time that is no date would leave an endless remaining time.
  if (!isMoving || elapsed < SHORTEST_RATE_MILLIS || !isValidTime(elapsed)) {
    return undefined;
  }
  const rowsPerMinute = (done / elapsed) * MILLIS_PER_MINUTE;
  const remainingMillis = (Math.max(0, total - done) * elapsed) / done;
  const minutesLeft = Math.max(1, Math.ceil(remainingMillis / MILLIS_PER_MINUTE));
  return l10n.t(
    'About {0} rows a minute, about {1} left.',
    formatsOf(language()).number(Math.round(Number(rowsPerMinute.toPrecision(RATE_DIGITS)))),
    durationText(minutesLeft * MILLIS_PER_MINUTE),
  );
}

/**
 * Describes the last poll. Each poll changes the text, if only by its time.
 * @param now Unix time in ms.
 * @param timeZone The user's (IANA name).
 */
export function lastTruncationCheckText(
  record: TruncationRecord,
  { at, count }: Pick<Poll, 'at' | 'count'>,
  now: number,
  timeZone: string,
): string {
  const formats = formatsOf(language(), timeZone);
  const time = formats.exactMoment(at, now);
  const before = { toDelete: record.report.rows?.toDelete, kept: record.baseline?.kept };
  if (count === undefined) {
    return l10n.t('Last checked: {0}.', time);
  }
  if (count === 'notCounted' || before.toDelete === undefined || before.kept === undefined) {
    return l10n.t("Last checked: {0}. The rows couldn't be counted.", time);
  }
  return l10n.t(
    'Last counted: {0}. Rows to delete: {1} (before: {2}). Rows to keep: {3} (before: {4}).',
    time,
    formats.number(count.toDelete),
    formats.number(before.toDelete),
    formats.number(Math.max(0, count.kept)),
    formats.number(before.kept),
  );
}

/** Detects and describes a truncation without progress. */
import * as l10n from '@vscode/l10n';
import { language } from '../language.ts';
import { MILLIS_PER_MINUTE } from '../time.ts';
import { formatsOf } from '../ui/formats.ts';
import { askableTask, type TruncationRecord } from './record.ts';
import type { ProgressSighting, TaskProgress } from './taskEnd.ts';

/** Longer than a batch takes on a busy cluster. */
const STILL_AFTER_MILLIS = MILLIS_PER_MINUTE;
/** After its timeout, a task is expected to stop. */
const STILL_AFTER_TIMEOUT_MILLIS = 10_000;
/** Longest pause between two looks (`watch.ts`). */
const LONGEST_PAUSE_SECONDS = 30;

interface TaskStandstill {
  /** Duration in ms. */
  readonly millis: number;
  /** True if the server reported a running task. */
  readonly isReported: boolean;
  /** Timeout that may have ended the task, in seconds. Undefined if there is none or it hasn't passed. */
  readonly passedTimeout: number | undefined;
}

/** Undefined with progress, or after the last row. */
export function standstillOf(progress: TaskProgress | undefined, record: TruncationRecord): TaskStandstill | undefined {
  const { seen, done = 0, total = Infinity } = progress ?? {};
  if (seen === undefined || done >= total || hasTaskEnded(record)) {
    return undefined;
  }
  const passedTimeout = passedTimeoutOf(seen, record);
  const millis = seen.at - seen.since;
  const isStill = millis >= (passedTimeout === undefined ? STILL_AFTER_MILLIS : STILL_AFTER_TIMEOUT_MILLIS);
  return isStill ? { millis, isReported: seen.isReported, passedTimeout } : undefined;
}

/** True if the task is known to have ended. */
export function hasTaskEnded({ taskEnd, ending }: TruncationRecord): boolean {
  return taskEnd !== undefined || ending !== undefined;
}

/** Only PostgreSQL ends a deletion by its timeout (PROTOCOL.md §10). */
function passedTimeoutOf({ at }: ProgressSighting, record: TruncationRecord): number | undefined {
  const { timeoutSeconds } = record.plan;
  return timeoutSeconds !== undefined &&
    askableTask(record) === undefined &&
    at - record.sentAt > timeoutSeconds * 1_000
    ? timeoutSeconds
    : undefined;
}

/** Undefined while progress is made. */
export function standstillText(progress: TaskProgress | undefined, record: TruncationRecord): string | undefined {
  const standstill = standstillOf(progress, record);
  if (standstill === undefined) {
    return undefined;
  }
  const { millis, isReported, passedTimeout } = standstill;
  const stalledFor = durationText(millis);
  if (isReported) {
    return l10n.t('No progress for {0}. The server says that the task is still running.', stalledFor);
  }
  const { duration } = formatsOf(language());
  const pause = duration(LONGEST_PAUSE_SECONDS, 'second');
  return passedTimeout === undefined
    ? l10n.t('No progress for {0}. The task may have ended; rows are counted every {1}.', stalledFor, pause)
    : l10n.t(
        'No progress for {0}, and its timeout of {1} has passed. The task has probably ended; rows are counted every {2}.',
        stalledFor,
        duration(passedTimeout, 'second'),
        pause,
      );
}

/** Uses the largest unit that isn't too coarse. */
export function durationText(millis: number): string {
  const { duration } = formatsOf(language());
  if (millis < MILLIS_PER_MINUTE) {
    return duration(Math.round(millis / 1_000), 'second');
  }
  const minutes = Math.round(millis / MILLIS_PER_MINUTE);
  return minutes < 120 ? duration(minutes, 'minute') : duration(Math.ceil(minutes / 60), 'hour');
}

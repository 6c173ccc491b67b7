/** Pace and last look of a running truncation, for its page. */
import * as l10n from '@vscode/l10n';
import { language } from '../../language.ts';
import { MILLIS_PER_MINUTE } from '../../time.ts';
import { formatsOf } from '../../ui/formats.ts';
import type { TruncationLook } from '../observeTruncation.ts';
import { keptBefore, type TruncationRecord } from '../record.ts';
import { durationText, hasTaskEnded, standstillOf, standstillText } from '../standstill.ts';
import type { TaskProgress } from '../taskEnd.ts';

/** The rate of the first moments is misleading. */
const SHORTEST_RATE_MILLIS = 5_000;
/** A look before the page was hidden is outdated. */
const OLDEST_LOOK_MILLIS = MILLIS_PER_MINUTE;

/** Rate and remaining time, or the lack of progress. */
export function paceText(
  progress: TaskProgress | undefined,
  record: TruncationRecord,
  now: number,
): string | undefined {
  return standstillText(progress, record) ?? rateText(progress, record, now);
}

/**
 * Average rate so far, and the remaining time at that rate. Undefined without enough looks, or without
 * progress.
 * @param now Unix time in ms.
 */
export function deletionRateOf(
  progress: TaskProgress | undefined,
  record: TruncationRecord,
  now: number,
): { readonly rowsPerMinute: number; readonly remainingMillis: number } | undefined {
  const { seen, done = 0, total } = progress ?? {};
  if (seen === undefined || total === undefined || done <= 0 || hasTaskEnded(record)) {
    return undefined;
  }
  const isMoving = seen.hasMoved && now - seen.at < OLDEST_LOOK_MILLIS && standstillOf(progress, record) === undefined;
  const elapsed = seen.at - record.sentAt;
  if (!isMoving || elapsed < SHORTEST_RATE_MILLIS) {
    return undefined;
  }
  return {
    rowsPerMinute: (done / elapsed) * MILLIS_PER_MINUTE,
    remainingMillis: (Math.max(0, total - done) * elapsed) / done,
  };
}

function rateText(progress: TaskProgress | undefined, record: TruncationRecord, now: number): string | undefined {
  const rate = deletionRateOf(progress, record, now);
  if (rate === undefined) {
    return undefined;
  }
  const minutes = Math.max(1, Math.ceil(rate.remainingMillis / MILLIS_PER_MINUTE));
  return l10n.t(
    'About {0} rows a minute, about {1} left.',
    formatsOf(language()).number(Math.round(rate.rowsPerMinute)),
    durationText(minutes * MILLIS_PER_MINUTE),
  );
}

/**
 * Describes the last look. Each look changes the text, if only by its time.
 * @param now Unix time in ms.
 * @param timeZone The user's (IANA name).
 */
export function truncationLookText(
  record: TruncationRecord,
  { at, count }: TruncationLook,
  now: number,
  timeZone: string,
): string {
  const formats = formatsOf(language(), timeZone);
  const time = formats.exactMoment(at, now);
  const before = { toDelete: record.report.rows?.toDelete, kept: keptBefore(record) };
  if (count === undefined) {
    return l10n.t('Checked at {0}.', time);
  }
  if (count === 'notCounted' || before.toDelete === undefined || before.kept === undefined) {
    return l10n.t("Checked at {0}. The rows couldn't be counted.", time);
  }
  return l10n.t(
    'Counted at {0}. Rows to delete: {1} (before: {2}). Rows to keep: {3} (before: {4}).',
    time,
    formats.number(count.toDelete),
    formats.number(before.toDelete),
    formats.number(Math.max(0, count.kept)),
    formats.number(before.kept),
  );
}

/** How fast a truncation is. Pure but for the translated words. */
import * as l10n from '@vscode/l10n';
import { language } from '../language.ts';
import { MILLIS_PER_MINUTE } from '../time.ts';
import { formatsOf } from '../ui/formats.ts';
import type { TruncationRecord } from './record.ts';
import { durationText, isOver, standstillOf, standstillText } from './standstill.ts';
import type { TaskProgress } from './state.ts';

/** The first moments say nothing of the rest. */
const SHORTEST_RATE_MILLIS = 5_000;
/** A look from before the page was hidden says nothing about now. */
const OLDEST_LOOK_MILLIS = MILLIS_PER_MINUTE;

/** How fast it is and how long it will take, or that it stands still; undefined while neither is known. */
export function paceText(
  progress: TaskProgress | undefined,
  record: TruncationRecord,
  now: number,
): string | undefined {
  return standstillText(progress, record) ?? rateText(progress, record, now);
}

/**
 * How fast rows have gone so far, and how long the rest takes at that rate. Undefined while that can't be told, or nothing moves.
 * @param now Unix time in ms.
 */
export function rateOf(
  progress: TaskProgress | undefined,
  record: TruncationRecord,
  now: number,
): { readonly rowsPerMinute: number; readonly remainingMillis: number } | undefined {
  const { seen, done = 0, total } = progress ?? {};
  if (seen === undefined || total === undefined || done <= 0 || isOver(record)) {
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
  const rate = rateOf(progress, record, now);
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

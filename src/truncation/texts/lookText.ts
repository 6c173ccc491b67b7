/** Sentence on the last look at a truncation: each look says something new, if only its time. */
import * as l10n from '@vscode/l10n';
import { language } from '../../language.ts';
import { formatsOf } from '../../ui/formats.ts';
import type { ReaderCount } from '../readerCount.ts';
import { keptBefore } from '../record.ts';
import type { TruncationRecord } from '../record.ts';

export interface TruncationLook {
  /** Unix time in ms. */
  readonly at: number;
  /** Undefined: only the task was asked for. */
  readonly count: ReaderCount | 'notCounted' | undefined;
}

/**
 * @param now Unix time in ms.
 * @param timeZone The user's (IANA name).
 */
export function lookText(
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

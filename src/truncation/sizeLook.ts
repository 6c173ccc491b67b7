/** Sizes of an index that are read after a truncation. Until the search engine has merged its files, they say little. Pure. */
import { exactBytes } from '../service/indices/indexSize.ts';
import type { ReportedSize } from '../service/indices/indexSize.ts';
import { MILLIS_PER_DAY } from '../time.ts';
import { endOf } from './record.ts';
import type { TruncationRecord } from './record.ts';

/** Older versions took a kilobyte for a megabyte (PROTOCOL.md §9.2). */
const OLD_FACTOR = 1_000;

/**
 * True once the size of an index says how large it is: it is lower than before its last truncation, or a day has passed.
 * @param now Unix time in ms.
 */
export function isSettled(record: TruncationRecord, size: ReportedSize, now: number): boolean {
  const age = now - (endOf(record) ?? record.endedAt ?? record.sentAt);
  // The clock may have been set back since.
  return age >= MILLIS_PER_DAY || age < 0 || (record.ending !== undefined && isLower(record, size));
}

/**
 * The record with a size that was read after the end, if it is lower than any before.
 * @param at When it was read: Unix time in ms.
 */
export function withLook(record: TruncationRecord, size: ReportedSize, at: number): TruncationRecord | undefined {
  const bytes = exactBytes(size);
  const { ending, endedAt, report, laterSize } = record;
  // A reindex lets go of the old index, which keeps its space: the size of the new one says nothing about that.
  const isTelling =
    ending?.kind === 'finished' && report.strategy !== 'reindex' && endedAt !== undefined && at > endedAt;
  return isTelling && bytes !== undefined && isLower(record, size) && bytes < (laterSize?.bytes ?? Infinity)
    ? { ...record, laterSize: { bytes, at } }
    : undefined;
}

/** The record with the size that its server meant, if an older version wrote it down 1,000 times too large. */
export function withOldSizeMended(record: TruncationRecord, { precision }: ReportedSize): TruncationRecord | undefined {
  return precision === 'approximate' && record.sizeBefore !== undefined && record.sizePrecision === undefined
    ? { ...record, sizeBefore: record.sizeBefore / OLD_FACTOR, sizePrecision: 'approximate' }
    : undefined;
}

/** Sizes that may be wrong can't be compared. Records of older versions don't say whether theirs is. */
function isLower({ sizeBefore, sizePrecision }: TruncationRecord, size: ReportedSize): boolean {
  const bytes = exactBytes(size);
  return sizePrecision === 'exact' && sizeBefore !== undefined && bytes !== undefined && bytes < sizeBefore;
}

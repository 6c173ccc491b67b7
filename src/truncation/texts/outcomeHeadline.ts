/** "82,593 rows deleted · 800 MB → 139 MB": what a truncation did, in one line. */
import * as l10n from '@vscode/l10n';
import { language, plural } from '../../language.ts';
import { MILLIS_PER_DAY } from '../../time.ts';
import { formatsOf } from '../../ui/formats.ts';
import type { TruncationRecord } from '../record.ts';

/** Sizes before and after, in bytes. */
export interface SizeChange {
  readonly before: number;
  readonly after: number;
}

/**
 * Known for a day, since the index grows again. A reindex leaves the old index where it is.
 * @param size The current one in bytes, as listed. @param now Unix time in ms.
 */
export function sizeChangeOf(record: TruncationRecord, size: number | undefined, now: number): SizeChange | undefined {
  const { sizeBefore: before, report, sentAt } = record;
  const isKnown = now - sentAt < MILLIS_PER_DAY && report.strategy !== 'reindex';
  return isKnown && before !== undefined && size !== undefined ? { before, after: size } : undefined;
}

/** @param deleted Rows. Undefined if unknown. @param change Undefined if unknown. */
export function outcomeHeadline(deleted: number | undefined, change: SizeChange | undefined): string {
  return [deleted === undefined ? l10n.t('Finished') : rowsDeletedText(deleted), change && sizeChangeText(change)]
    .filter((part) => part !== undefined)
    .join(' · ');
}

export function rowsDeletedText(deleted: number): string {
  const { number } = formatsOf(language());
  return plural(deleted, l10n.t('{0} row deleted', number(deleted)), l10n.t('{0} rows deleted', number(deleted)));
}

/** The size drops once the search engine merges its files, and grows until then. */
function sizeChangeText({ before, after }: SizeChange): string {
  const { size } = formatsOf(language());
  return after < before && size(before) !== size(after)
    ? `${size(before)} → ${size(after)}`
    : l10n.t('still {0}', size(after));
}

/** The rows by age in words, beside the suggested ages and the chart. A figure between two samples is "about". */
import * as l10n from '@vscode/l10n';
import { plural } from '../../../language.ts';
import { countRowsUpTo } from '../../../rowsByAge/ageHistogram.ts';
import { cutoffDaysBefore } from '../../../truncation/cutoff.ts';
import { aboutText, type LocalizedFormats } from '../../../ui/formats.ts';
import type { RowsByAgeView, TruncationPageView } from '../protocol.ts';
import { hasHistogram } from './cutoff.ts';

/** @returns undefined before the counts show where the rows are. */
export function rowsByAgeFigures({ rowsByAge }: Pick<TruncationPageView, 'rowsByAge'>): RowsByAgeView | undefined {
  return rowsByAge !== undefined && hasHistogram(rowsByAge) ? rowsByAge : undefined;
}

/** The rows that a cutoff (Unix time in ms) deletes. */
export function deletedByCutoff(
  endTimeMillis: number,
  curve: RowsByAgeView,
  formats: LocalizedFormats,
): { readonly rows: number; readonly isExact: boolean; readonly share: string } {
  const { rows, isExact } = countRowsUpTo(curve, endTimeMillis);
  return { rows, isExact, share: aboutText(formats.share((rows / curve.total) * 100), isExact) };
}

/** The share of rows older than `days` at `now` (Unix time in ms). @returns undefined if no dry run was as late. */
export function shareOlderThan(
  days: number,
  now: number,
  figures: RowsByAgeView,
  formats: LocalizedFormats,
): string | undefined {
  const endTimeMillis = cutoffDaysBefore(days, now);
  const newest = figures.samples.at(-1);
  return newest === undefined || newest.endTimeMillis < endTimeMillis
    ? undefined
    : deletedByCutoff(endTimeMillis, figures, formats).share;
}

/** "Aug 23, 2026: deletes about 134,517 rows, 57%" */
export function deletedText(endTimeMillis: number, figures: RowsByAgeView, formats: LocalizedFormats): string {
  const { rows, isExact, share } = deletedByCutoff(endTimeMillis, figures, formats);
  const count = aboutText(formats.number(rows), isExact);
  const date = formats.date(endTimeMillis);
  return plural(
    rows,
    l10n.t('{0}: {1} row would be deleted, {2}', date, count, share),
    l10n.t('{0}: {1} rows would be deleted, {2}', date, count, share),
  );
}

/** The rows by age in words. A figure between two samples is "about". */
import * as l10n from '@vscode/l10n';
import { plural } from '../../../language.ts';
import { countRowsUpTo } from '../../../rowsByAge/ageHistogram.ts';
import { aboutText, type LocalizedFormats } from '../../../ui/formats.ts';
import type { RowsByAgeView, TruncationPageView } from '../protocol.ts';
import { hasHistogram } from './cutoff.ts';

/** @returns undefined before the counts show where the rows are. */
export function rowsByAgeFigures({ rowsByAge }: Pick<TruncationPageView, 'rowsByAge'>): RowsByAgeView | undefined {
  return rowsByAge !== undefined && hasHistogram(rowsByAge) ? rowsByAge : undefined;
}

/** "Aug 23, 2026: deletes about 134,517 rows, 57%" */
export function deletedText(endTimeMillis: number, figures: RowsByAgeView, formats: LocalizedFormats): string {
  const { rows, isExact } = countRowsUpTo(figures, endTimeMillis);
  const count = aboutText(formats.number(rows), isExact);
  const share = aboutText(formats.share((rows / figures.total) * 100), isExact);
  const date = formats.date(endTimeMillis);
  return plural(
    rows,
    l10n.t('{0}: {1} row would be deleted, {2}', date, count, share),
    l10n.t('{0}: {1} rows would be deleted, {2}', date, count, share),
  );
}

/** The rows by age in words, beside the suggested ages and as a table. A figure between two samples is "about". */
import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import { plural } from '../../../language.ts';
import { countRowsUpTo } from '../../../rowsByAge/ageHistogram.ts';
import { cutoffDaysBefore } from '../../../truncation/cutoff.ts';
import { aboutText, type LocalizedFormats } from '../../../ui/formats.ts';
import type { RowsByAgeView, TruncationPageView } from '../protocol.ts';
import { hasHistogram } from './cutoff.ts';
import { optionalParagraph } from '../../kit/page/elements.ts';

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

/** Counted cutoffs, the newest first. */
export function rowsByAgeTable(curve: RowsByAgeView, formats: LocalizedFormats): TemplateResult {
  return html`<table>
      <thead>
        <tr>
          <th scope="col">${l10n.t('Cutoff')}</th>
          <th scope="col">${l10n.t('Rows to delete')}</th>
          <th scope="col">${l10n.t('Share')}</th>
        </tr>
      </thead>
      <tbody>
        ${curve.samples.toReversed().map(
          ({ endTimeMillis, rows }) => html`<tr>
            <th scope="row">${formats.time(endTimeMillis)}</th>
            <td>${formats.number(rows)}</td>
            <td>${formats.share((rows / curve.total) * 100)}</td>
          </tr>`,
        )}
      </tbody>
    </table>`;
}

/** Counts the rows outside of the chart. */
export function rowsOutsideText(
  older: number,
  start: number,
  curve: RowsByAgeView,
  formats: LocalizedFormats,
): TemplateResult {
  const { ahead } = curve;
  const [olderRows, aheadRows, date] = [formats.number(older), formats.number(ahead), formats.date(start)];
  const olderText = plural(
    older,
    l10n.t('{0} row is dated before {1}.', olderRows, date),
    l10n.t('{0} rows are dated before {1}.', olderRows, date),
  );
  const aheadText = plural(
    ahead,
    l10n.t('{0} row is dated in the future.', aheadRows),
    l10n.t('{0} rows are dated in the future.', aheadRows),
  );
  return html`${optionalParagraph(older === 0 ? undefined : olderText, 'help')}
  ${optionalParagraph(ahead === 0 ? undefined : aheadText, 'help')}`;
}

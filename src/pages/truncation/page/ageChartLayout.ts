/** The chart of rows by age in numbers: its period, its bars, and places on it. Pure. */
import { MILLIS_PER_DAY } from '../../../time.ts';
import {
  countRowsUpTo,
  type AgeHistogram,
  type AgeSample,
  type RowsByAgeState,
} from '../../../rowsByAge/ageHistogram.ts';
import { aboutText, type LocalizedFormats } from '../../../ui/formats.ts';
import { rowsOfAllText } from '../../kit/page/rowFigures.ts';

/** "about 134,500 of 236,000 rows (about 57%)", or with their size, if that of the index is known. */
export function deletedRowsText(
  figures: RowsByAgeState,
  endTimeMillis: number,
  indexBytes: number | undefined,
  formats: LocalizedFormats,
): string {
  const rows = countRowsUpTo(figures, endTimeMillis);
  const share = rows / figures.total;
  // Rows differ in size.
  const detail = indexBytes === undefined ? formats.share(share * 100) : formats.size(indexBytes * share);
  const estimate = rows === 0 ? (figure: string): string => figure : aboutText;
  return rowsOfAllText(estimate(formats.number(rows)), figures.total, estimate(detail), formats);
}

type SampledHistogram = Pick<AgeHistogram, 'samples' | 'total'>;

/** The period that the chart shows: Unix times in ms. */
export interface AgeChartTimeSpan {
  readonly start: number;
  readonly end: number;
  /** Rows older than `start`. */
  readonly older: number;
}

/** All bars have the same width, so height means rows. Rows within an interval are spread evenly. */
export interface AgeChartBar {
  readonly from: number;
  readonly to: number;
  readonly rows: number;
}

/** More would be thinner than a line on narrow pages. */
const MOST_BARS = 60;
/** Left out of the chart, since a few wrong dates would stretch it by decades. */
const SHARE_LEFT_OUT = 0.005;

/** @returns undefined while there is too little to draw. */
export function ageChartSpanOf({ samples, total }: SampledHistogram): AgeChartTimeSpan | undefined {
  const newest = samples.at(-1);
  if (newest === undefined || newest.rows === 0) {
    return undefined;
  }
  const end = newest.endTimeMillis;
  const start = samples.findLast(({ endTimeMillis, rows }) => rows <= total * SHARE_LEFT_OUT && endTimeMillis < end);
  if (start !== undefined) {
    return { start: start.endTimeMillis, end, older: start.rows };
  }
  // The date of the oldest row isn't known yet.
  const oldest = samples[0]?.endTimeMillis ?? end;
  return { start: oldest - Math.max(MILLIS_PER_DAY, (end - oldest) / 10), end, older: 0 };
}

/** Divides the rows into bars of at least a day. */
export function ageChartBarsOf(
  { samples, total }: SampledHistogram,
  { start, end, older }: AgeChartTimeSpan,
): readonly AgeChartBar[] {
  const first: AgeSample = { endTimeMillis: start, rows: older };
  const within = { samples: [first, ...samples.filter(({ endTimeMillis }) => endTimeMillis > start)], total };
  const count = Math.max(1, Math.min(MOST_BARS, Math.floor((end - start) / MILLIS_PER_DAY)));
  const rowsUpToEdge = (edge: number): number => countRowsUpTo(within, start + ((end - start) * edge) / count);
  return Array.from({ length: count }, (_, index) => ({
    from: index / count,
    to: (index + 1) / count,
    rows: rowsUpToEdge(index + 1) - rowsUpToEdge(index),
  }));
}

/** Place of a Unix time in ms, clamped to the span. */
export function placeOfTime(millis: number, { start, end }: AgeChartTimeSpan): number {
  return Math.min(1, Math.max(0, (millis - start) / (end - start)));
}

/** The Unix time in ms at a place. */
export function timeAtPlace(place: number, { start, end }: AgeChartTimeSpan): number {
  return Math.round(start + place * (end - start));
}

/** Parts of a bar before and after a place, if any. */
export function splitBarAtPlace(
  bar: AgeChartBar,
  place: number,
): { readonly deleted?: AgeChartBar; readonly kept?: AgeChartBar } {
  if (place <= bar.from) {
    return { kept: bar };
  }
  return place >= bar.to ? { deleted: bar } : { deleted: { ...bar, to: place }, kept: { ...bar, from: place } };
}

/**
 * The values at both ends of the chart: days before `now`, as negative numbers, so that older is left. No whole
 * numbers, so that the slider and the handle that is drawn are at the same place.
 * @param now Unix time in ms.
 */
export function sliderRange(
  { start, end }: Pick<AgeChartTimeSpan, 'start' | 'end'>,
  now: number,
): { readonly min: number; readonly max: number } {
  return { min: (start - now) / MILLIS_PER_DAY, max: (end - now) / MILLIS_PER_DAY };
}

/** The age in whole days at a value of the slider, which steps in days from its start. Never within the last day. */
export function sliderDays(value: number): number {
  return Math.max(1, Math.round(-value));
}

/** The geometry of the chart of rows by age. Places run from 0 (oldest) to 1 (newest). Pure. */
import { MILLIS_PER_DAY } from '../../time.ts';
import { countRowsUpTo, type AgeSample, type AgeHistogram } from '../../rowsByAge/ageHistogram.ts';

type SampledCurve = Pick<AgeHistogram, 'samples' | 'total'>;

/** The period that the chart shows: Unix times in ms. */
export interface AgeChartSpan {
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

/** On a narrow page, more bars would be thinner than a line. */
const MOST_BARS = 60;
/** Left out of the chart and counted beside it, since a few wrong dates would stretch it by decades. */
const SHARE_LEFT_OUT = 0.005;

/** @returns undefined while there is too little to draw. */
export function chartSpanOf({ samples, total }: SampledCurve): AgeChartSpan | undefined {
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

/** Divides all rows of the span into bars of at least a day. */
export function ageBarsOf(
  { samples, total }: SampledCurve,
  { start, end, older }: AgeChartSpan,
): readonly AgeChartBar[] {
  const first: AgeSample = { endTimeMillis: start, rows: older };
  const within = { samples: [first, ...samples.filter(({ endTimeMillis }) => endTimeMillis > start)], total };
  const count = Math.max(1, Math.min(MOST_BARS, Math.floor((end - start) / MILLIS_PER_DAY)));
  const upTo = (edge: number): number => countRowsUpTo(within, start + ((end - start) * edge) / count).rows;
  return Array.from({ length: count }, (_, index) => ({
    from: index / count,
    to: (index + 1) / count,
    rows: upTo(index + 1) - upTo(index),
  }));
}

/** The place of a time (Unix time in ms), clamped to the span. */
export function placeOfTime(millis: number, { start, end }: AgeChartSpan): number {
  return Math.min(1, Math.max(0, (millis - start) / (end - start)));
}

/** The Unix time in ms at a place. */
export function timeAtPlace(place: number, { start, end }: AgeChartSpan): number {
  return Math.round(start + place * (end - start));
}

/** The parts of a bar before and after a place, if there are any. */
export function splitBarAt(
  bar: AgeChartBar,
  place: number,
): { readonly deleted?: AgeChartBar; readonly kept?: AgeChartBar } {
  if (place <= bar.from) {
    return { kept: bar };
  }
  return place >= bar.to ? { deleted: bar } : { deleted: { ...bar, to: place }, kept: { ...bar, from: place } };
}

/** Moves a cutoff (Unix time in ms) by local days, so that 2 PM stays 2 PM when clocks change. */
export function moveByDays(millis: number, days: number): number {
  const at = new Date(millis);
  at.setDate(at.getDate() + days);
  return at.getTime();
}

/** Moves a cutoff by months. In a shorter month, it ends on the last day. */
export function moveByMonths(millis: number, months: number): number {
  const at = new Date(millis);
  const day = at.getDate();
  at.setMonth(at.getMonth() + months);
  if (at.getDate() !== day) {
    at.setDate(0);
  }
  return at.getTime();
}

/** Rounds a pointed-at time to the nearest start of a day, but never beyond the end of the chart. */
export function nearestDayStart(millis: number, { end }: { readonly end: number }): number {
  const start = new Date(millis);
  start.setHours(0, 0, 0, 0);
  const next = moveByDays(start.getTime(), 1);
  return millis - start.getTime() < next - millis ? start.getTime() : Math.min(next, end);
}

/**
 * Moves a cutoff by a slider key. One outside of the span never moves further out. @returns undefined for other
 * keys.
 */
export function moveByKey(
  key: string,
  millis: number,
  { start, end }: { readonly start: number; readonly end: number },
): number | undefined {
  const moves: Readonly<Record<string, () => number>> = {
    ArrowLeft: () => moveByDays(millis, -1),
    ArrowDown: () => moveByDays(millis, -1),
    ArrowRight: () => moveByDays(millis, 1),
    ArrowUp: () => moveByDays(millis, 1),
    PageDown: () => moveByMonths(millis, -1),
    PageUp: () => moveByMonths(millis, 1),
    Home: () => start,
    End: () => end,
  };
  const moved = moves[key]?.();
  return moved === undefined ? undefined : Math.min(Math.max(end, millis), Math.max(Math.min(start, millis), moved));
}

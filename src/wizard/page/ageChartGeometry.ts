/** The geometry of the chart of rows by age. Pure; places are parts of its width, from 0 at its oldest time to 1 at its newest. */
import { MILLIS_PER_DAY } from '../../time.ts';
import { rowsUpTo, type AgeSample, type AgeHistogram } from '../../rowsByAge/ageHistogram.ts';

type SampledCurve = Pick<AgeHistogram, 'samples' | 'total'>;

/** The times that the chart shows: Unix time in ms. */
export interface ChartSpan {
  readonly start: number;
  readonly end: number;
  /** Rows that are older than `start`. */
  readonly older: number;
}

/** As wide as the others, so that its height says how many rows there are; what isn't known within an interval is spread evenly. */
export interface ChartBar {
  readonly from: number;
  readonly to: number;
  readonly rows: number;
}

/** More would be thinner than a line on a narrow page. */
const MOST_BARS = 60;
/** A handful of rows with a wrong date would stretch the chart by decades: they're left out, and told of beside it. */
const SHARE_LEFT_OUT = 0.005;

/** Undefined while too little is known to draw anything. */
export function spanOf({ samples, total }: SampledCurve): ChartSpan | undefined {
  const newest = samples.at(-1);
  if (newest === undefined || newest.rows === 0) {
    return undefined;
  }
  const end = newest.endTimeMillis;
  const start = samples.findLast(({ endTimeMillis, rows }) => rows <= total * SHARE_LEFT_OUT && endTimeMillis < end);
  if (start !== undefined) {
    return { start: start.endTimeMillis, end, older: start.rows };
  }
  // When the oldest rows begin isn't known yet.
  const oldest = samples[0]?.endTimeMillis ?? end;
  return { start: oldest - Math.max(MILLIS_PER_DAY, (end - oldest) / 10), end, older: 0 };
}

/** Bars of a day at least, which hold all rows of the span together. */
export function barsOf({ samples, total }: SampledCurve, { start, end, older }: ChartSpan): readonly ChartBar[] {
  const first: AgeSample = { endTimeMillis: start, rows: older };
  const within = { samples: [first, ...samples.filter(({ endTimeMillis }) => endTimeMillis > start)], total };
  const count = Math.max(1, Math.min(MOST_BARS, Math.floor((end - start) / MILLIS_PER_DAY)));
  const upTo = (edge: number): number => rowsUpTo(within, start + ((end - start) * edge) / count).rows;
  return Array.from({ length: count }, (_, index) => ({
    from: index / count,
    to: (index + 1) / count,
    rows: upTo(index + 1) - upTo(index),
  }));
}

/** Where a time (Unix time in ms) stands; a time outside of the span stands at its end. */
export function placeOf(millis: number, { start, end }: ChartSpan): number {
  return Math.min(1, Math.max(0, (millis - start) / (end - start)));
}

/** The time (Unix time in ms) at a place. */
export function timeAt(place: number, { start, end }: ChartSpan): number {
  return Math.round(start + place * (end - start));
}

/** The parts of a bar that lie before and after a place; undefined where there is nothing of it. */
export function splitAt(bar: ChartBar, place: number): { readonly deleted?: ChartBar; readonly kept?: ChartBar } {
  if (place <= bar.from) {
    return { kept: bar };
  }
  return place >= bar.to ? { deleted: bar } : { deleted: { ...bar, to: place }, kept: { ...bar, from: place } };
}

/** The cut-off so many days later, at the same time of day. */
export function daysLater(millis: number, days: number): number {
  const at = new Date(millis);
  at.setDate(at.getDate() + days);
  return at.getTime();
}

/** The cut-off so many months later: of a month that is shorter, its last day. */
export function monthsLater(millis: number, months: number): number {
  const at = new Date(millis);
  const day = at.getDate();
  at.setMonth(at.getMonth() + months);
  if (at.getDate() !== day) {
    at.setDate(0);
  }
  return at.getTime();
}

/** The start of the day that is nearest: who points at a chart means a day. At its end that is the end, and not tomorrow. */
export function nearestDay(millis: number, { end }: { readonly end: number }): number {
  const start = new Date(millis);
  start.setHours(0, 0, 0, 0);
  const next = daysLater(start.getTime(), 1);
  return millis - start.getTime() < next - millis ? start.getTime() : Math.min(next, end);
}

/** What a key of a slider does to a cut-off; undefined: nothing. One outside of the span stays, where a key would lead further out. */
export function movedByKey(
  key: string,
  millis: number,
  { start, end }: { readonly start: number; readonly end: number },
): number | undefined {
  const moves: Readonly<Record<string, () => number>> = {
    ArrowLeft: () => daysLater(millis, -1),
    ArrowDown: () => daysLater(millis, -1),
    ArrowRight: () => daysLater(millis, 1),
    ArrowUp: () => daysLater(millis, 1),
    PageDown: () => monthsLater(millis, -1),
    PageUp: () => monthsLater(millis, 1),
    Home: () => start,
    End: () => end,
  };
  const moved = moves[key]?.();
  return moved === undefined ? undefined : Math.min(Math.max(end, millis), Math.max(Math.min(start, millis), moved));
}

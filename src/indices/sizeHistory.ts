/** Index sizes over time, one figure per day and index, within limits. Pure. */
import { MILLIS_PER_DAY } from '../time.ts';

/** By `indexNameKey`; figures in ascending order of days. */
export type SizeHistory = ReadonlyMap<string, readonly SizeFigure[]>;

/** Size of an index, as just reported. */
interface MeasuredSize {
  readonly key: string;
  readonly bytes: number;
}

/** Two months of daily looks, or more than a year of weekly ones. */
export const MOST_FIGURES = 60;
/** Only the largest: growth of the others doesn't matter. */
export const MOST_TRACKED = 200;
const LONGEST_DAYS = 400;

/** @param millis Unix time in ms. */
export function dayOfMillis(millis: number): number {
  return Math.floor(millis / MILLIS_PER_DAY);
}

/** Adds the sizes of a day, replacing earlier ones of that day. Two sizes of one index are added up. */
export function withSizes(history: SizeHistory, day: number, measured: readonly MeasuredSize[]): SizeHistory {
  const today = new Map<string, number>();
  for (const { key, bytes } of measured) {
    today.set(key, (today.get(key) ?? 0) + bytes);
  }
  const keys = new Set([...history.keys(), ...today.keys()]);
  const kept = [...keys].flatMap((key) => {
    const bytes = today.get(key);
    const before = (history.get(key) ?? []).filter((figure) => Math.abs(day - figure.day) < LONGEST_DAYS);
    // The clock may have been set back.
    const figures =
      bytes === undefined
        ? before
        : [...before.filter((figure) => figure.day < day), { day, bytes: Math.round(bytes) }].slice(-MOST_FIGURES);
    return figures.length === 0 ? [] : [[key, figures] as const];
  });
  return new Map(kept.toSorted(([, a], [, b]) => lastBytes(b) - lastBytes(a)).slice(0, MOST_TRACKED));
}

/** Pairs of day and bytes, to save space. */
export function storedHistory(history: SizeHistory): unknown {
  return Object.fromEntries([...history].map(([key, figures]) => [key, figures.map(({ day, bytes }) => [day, bytes])]));
}

/** Parses a stored history, leaving out damaged parts. */
export function historyFromStored(stored: unknown): SizeHistory {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) {
    return new Map();
  }
  const indices = Object.entries(stored as Record<string, unknown>).slice(0, MOST_TRACKED);
  return new Map(
    indices.flatMap(([key, pairs]) => {
      const figures = Array.isArray(pairs) ? figuresFrom(pairs) : [];
      return figures.length === 0 ? [] : [[key, figures] as const];
    }),
  );
}

function figuresFrom(pairs: readonly unknown[]): SizeFigure[] {
  const figures = new Map<number, SizeFigure>();
  for (const pair of pairs) {
    const [day, bytes] = Array.isArray(pair) ? (pair as readonly unknown[]) : [];
    if (isWholeNumber(day) && isWholeNumber(bytes)) {
      figures.set(day, { day, bytes });
    }
  }
  return [...figures.values()].toSorted((a, b) => a.day - b.day).slice(-MOST_FIGURES);
}

function isWholeNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function lastBytes(figures: readonly SizeFigure[]): number {
  return figures.at(-1)?.bytes ?? 0;
}

/** Size of an index on a day. */
export interface SizeFigure {
  /** Days since January 1, 1970, UTC. */
  readonly day: number;
  readonly bytes: number;
}

export interface IndexGrowth {
  /** Negative if the index shrank, by less than `FALL`. */
  readonly bytes: number;
  /** At least 1. */
  readonly days: number;
}

/** Merging segments shrinks an index a little. A larger fall is a truncation. */
const FALL = 0.05;

/**
 * Compares the first and last figure since the last fall: deleted rows are no growth.
 * @param figures In ascending order.
 * @returns undefined if fewer than two figures are left.
 */
export function growthFrom(figures: readonly SizeFigure[]): IndexGrowth | undefined {
  const first = figures.findLast(({ bytes }, at) => bytes < (figures[at - 1]?.bytes ?? Infinity) * (1 - FALL));
  const last = figures.at(-1);
  return first === undefined || last === undefined || last.day <= first.day
    ? undefined
    : { bytes: last.bytes - first.bytes, days: last.day - first.day };
}

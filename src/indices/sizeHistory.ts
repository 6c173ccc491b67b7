/** The sizes of a server's indices over time: one figure a day and index, and only so many of either. Pure. */
import { MILLIS_PER_DAY } from '../time.ts';

/** Its indices by `indexNameKey`, each with its figures, the earliest first. */
export type SizeHistory = ReadonlyMap<string, readonly SizeFigure[]>;

/** What there is to know of an index on a day. */
interface Measured {
  readonly key: string;
  readonly bytes: number;
}

/** With a look a day, two months; with one a week, more than a year. */
export const MOST_FIGURES = 60;
/** The largest ones: the growth of the others doesn't matter. */
export const MOST_TRACKED = 200;
const LONGEST_DAYS = 400;

/** @param millis Unix time in ms. */
export function dayOf(millis: number): number {
  return Math.floor(millis / MILLIS_PER_DAY);
}

/** The history after a look at the sizes: a later look of the same day counts. What was seen twice is one index, in two parts. */
export function withSizes(history: SizeHistory, day: number, measured: readonly Measured[]): SizeHistory {
  const today = new Map<string, number>();
  for (const { key, bytes } of measured) {
    today.set(key, (today.get(key) ?? 0) + bytes);
  }
  const keys = new Set([...history.keys(), ...today.keys()]);
  const kept = [...keys].flatMap((key) => {
    const bytes = today.get(key);
    const before = (history.get(key) ?? []).filter((figure) => Math.abs(day - figure.day) < LONGEST_DAYS);
    // The clock may have been set back since.
    const figures =
      bytes === undefined
        ? before
        : [...before.filter((figure) => figure.day < day), { day, bytes: Math.round(bytes) }].slice(-MOST_FIGURES);
    return figures.length === 0 ? [] : [[key, figures] as const];
  });
  return new Map(kept.toSorted(([, a], [, b]) => lastBytes(b) - lastBytes(a)).slice(0, MOST_TRACKED));
}

/** As it is stored: pairs of day and bytes, which take little room. */
export function toStored(history: SizeHistory): unknown {
  return Object.fromEntries([...history].map(([key, figures]) => [key, figures.map(({ day, bytes }) => [day, bytes])]));
}

/** What was stored as a history. What is damaged is left out. */
export function fromStored(stored: unknown): SizeHistory {
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
    if (isCount(day) && isCount(bytes)) {
      figures.set(day, { day, bytes });
    }
  }
  return [...figures.values()].toSorted((a, b) => a.day - b.day).slice(-MOST_FIGURES);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function lastBytes(figures: readonly SizeFigure[]): number {
  return figures.at(-1)?.bytes ?? 0;
}

/** The size of an index on a day. */
export interface SizeFigure {
  /** Days since January 1, 1970, UTC. */
  readonly day: number;
  readonly bytes: number;
}

export interface Growth {
  /** Negative where the index shrank, by less than a truncation takes. */
  readonly bytes: number;
  /** At least 1. */
  readonly days: number;
}

/** Merging segments takes a little off a size too; a fall by more than this share is a truncation. */
const FALL = 0.05;

/**
 * The difference between the first and the last figure since the last fall: what was deleted is no growth.
 *
 * @param figures The earliest first.
 * @returns undefined where there are no two figures since
 */
export function growthFrom(figures: readonly SizeFigure[]): Growth | undefined {
  const first = figures.findLast(({ bytes }, at) => bytes < (figures[at - 1]?.bytes ?? Infinity) * (1 - FALL));
  const last = figures.at(-1);
  return first === undefined || last === undefined || last.day <= first.day
    ? undefined
    : { bytes: last.bytes - first.bytes, days: last.day - first.day };
}

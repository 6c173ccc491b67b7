/** By how much an index grew, from sizes that were seen on different days. Pure. */

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

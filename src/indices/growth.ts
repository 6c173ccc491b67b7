/** How fast an index grows, from sizes that were seen on different days. Pure. */

/** The size of an index on a day. */
export interface SizeFigure {
  /** Days since January 1, 1970, UTC. */
  readonly day: number;
  readonly bytes: number;
}

export interface Growth {
  /** Negative where the index shrinks. */
  readonly bytesPerMonth: number;
  /** Over how many days it was measured. */
  readonly days: number;
}

/** When an index that goes on growing reaches a size. */
export interface Reached {
  readonly bytes: number;
  readonly days: number;
}

export const DAYS_PER_MONTH = 30;
/** What is older tells how it grew then, not how it grows. */
const RECENT_DAYS = 90;
/** Within less, merges of segments move a size more than what is written does. */
const FEWEST_DAYS = 7;
const FEWEST_FIGURES = 3;
/** Merging segments takes a little off a size too; a fall by more than this share is a truncation. */
const FALL = 0.05;
/** A forecast goes no further than twice as long as what it is made of, and no further than this. */
const LONGEST_FORECAST_DAYS = 2 * 365;

/**
 * Rows that arrive are told apart from rows that were deleted: a straight line is laid through the figures between one fall and the
 * next, and all of these lines have one slope (least squares). A sum of the rises alone would count each merge of segments as growth,
 * and a line through all figures would call an index shrinking that is truncated each month.
 *
 * @param figures The earliest first.
 * @returns undefined where there are too few.
 */
export function growthFrom(figures: readonly SizeFigure[]): Growth | undefined {
  const newest = figures.at(-1)?.day ?? 0;
  const runs = runsOf(figures.filter(({ day }) => day > newest - RECENT_DAYS));
  const days = sum(runs.map((run) => (run.at(-1)?.day ?? 0) - (run[0]?.day ?? 0)));
  const used = sum(runs.filter(({ length }) => length > 1).map(({ length }) => length));
  if (days < FEWEST_DAYS || used < FEWEST_FIGURES) {
    return undefined;
  }
  let [products, squares] = [0, 0];
  for (const run of runs) {
    const middleDay = mean(run.map(({ day }) => day));
    const middleBytes = mean(run.map(({ bytes }) => bytes));
    for (const { day, bytes } of run) {
      products += (day - middleDay) * (bytes - middleBytes);
      squares += (day - middleDay) ** 2;
    }
  }
  return { bytesPerMonth: (products / squares) * DAYS_PER_MONTH, days };
}

/** The next round size (1, 2 or 5 and zeros) that it reaches, where that is near enough to be told. */
export function nextReached(bytes: number, { bytesPerMonth, days: measured }: Growth): Reached | undefined {
  if (bytes <= 0 || bytesPerMonth <= 0) {
    return undefined;
  }
  const unit = 10 ** Math.floor(Math.log10(bytes));
  const next = [1, 2, 5, 10].map((factor) => factor * unit).find((round) => round > bytes) ?? 20 * unit;
  const days = Math.round(((next - bytes) / bytesPerMonth) * DAYS_PER_MONTH);
  return days < 1 || days > Math.min(2 * measured, LONGEST_FORECAST_DAYS) ? undefined : { bytes: next, days };
}

/** The figures between one fall and the next. */
function runsOf(figures: readonly SizeFigure[]): readonly (readonly SizeFigure[])[] {
  const runs: SizeFigure[][] = [];
  let before = 0;
  for (const figure of figures) {
    const run = runs.at(-1);
    if (run === undefined || figure.bytes < before * (1 - FALL)) {
      runs.push([figure]);
    } else {
      run.push(figure);
    }
    before = figure.bytes;
  }
  return runs;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

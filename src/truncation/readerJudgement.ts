/**
 * The one judge of how a truncation ended: it compares what readers see with what they should see. A task that completed says that
 * the server is done, not that searches show the result; and a count that stands still, or is right once, proves nothing either,
 * since each copy of an index refreshes by itself (PROTOCOL.md §7.8). Pure.
 */
import type { ServerStrategy } from './dryRun.ts';
import type { MissingCause } from './outcome.ts';
import type { TaskEndKind } from './taskEnd.ts';

/** So many counts in a row have to be right, over at least this time, before a truncation counts as finished. */
export const CLEAN_COUNTS = 5;
export const CLEAN_MILLIS = 10_000;
/** Rows that are missing for so long are not about to come back. */
export const MISSING_MILLIS = 2 * 60_000;
/** Copies that are about to refresh disagree too, but not for so long. */
const DISAGREEING_MILLIS = 2 * MISSING_MILLIS;
/** A count of rows to delete that hasn't fallen for so long will not fall. */
export const STILL_MILLIS = 10 * 60_000;

/** One look at the index. */
export interface ReaderCount {
  /** Unix time in ms. */
  readonly at: number;
  /** Rows dated at or before the cutoff. */
  readonly toDelete: number;
  /** Rows that should stay, counted as in the baseline. */
  readonly kept: number;
}

export type Judgement =
  /** Nothing can be said yet: count again. */
  | { readonly kind: 'open' }
  /** No row that should go is seen, and every row that should stay is. */
  | { readonly kind: 'clean' }
  /** The task deleted all it found; these rows were written meanwhile or are still searchable. */
  | { readonly kind: 'rowsLeft'; readonly rows: number }
  /** The task did not delete all, or can't be asked any more. */
  | { readonly kind: 'stopped'; readonly rows: number }
  /** The task ended without having looked at a row. */
  | { readonly kind: 'neverBegan' }
  /** The cluster refused every write. */
  | { readonly kind: 'writesRefused' }
  | { readonly kind: 'missing'; readonly cause: MissingCause; readonly visible: number; readonly expected: number }
  /** Primary and replica give different counts. */
  | { readonly kind: 'copiesDisagree' };

export interface JudgedTruncation {
  readonly strategy: ServerStrategy;
  /** Rows that should stay. */
  readonly kept: number;
  /** How the task ended; `untold` where the server can't be asked; undefined while it runs. */
  readonly task: TaskEndKind | 'untold' | undefined;
  /** True once the cluster has refused writes while nothing was deleted. */
  readonly writesRefused: boolean;
  /** Since the task ended, in the order in which they were taken. */
  readonly counts: readonly ReaderCount[];
}

const OPEN: Judgement = { kind: 'open' };

export function judge({ strategy, kept, task, writesRefused, counts }: JudgedTruncation): Judgement {
  const last = counts.at(-1);
  if (task === undefined || last === undefined) {
    return OPEN;
  }
  const isWhole = (count: ReaderCount): boolean => count.kept >= kept;
  if (isProven(trailing(counts, (count) => count.toDelete === 0 && isWhole(count)))) {
    return { kind: 'clean' };
  }
  const missing = trailing(counts, (count) => !isWhole(count));
  if (missing.length >= CLEAN_COUNTS && areMissing(missing, task)) {
    return { kind: 'missing', cause: causeOf(strategy, task), visible: last.kept, expected: kept };
  }
  if (disagree(counts, isWhole, DISAGREEING_MILLIS) || disagree(counts, isWhole, STILL_MILLIS)) {
    return { kind: 'copiesDisagree' };
  }
  const whole = trailing(counts, isWhole);
  // Only a delete by query is known to hide no rows; any other may have hidden some before these counts.
  const isHealed = (strategy === 'deleteByQuery' && whole.length === counts.length) || isProven(whole);
  if (last.toDelete === 0 || !isHealed) {
    return OPEN;
  }
  if (writesRefused) {
    return { kind: 'writesRefused' };
  }
  if (task === 'neverBegan') {
    return { kind: 'neverBegan' };
  }
  if (last.at - lastFall(whole) < STILL_MILLIS) {
    return OPEN;
  }
  return { kind: task === 'whole' ? 'rowsLeft' : 'stopped', rows: last.toDelete };
}

function causeOf(strategy: ServerStrategy, task: TaskEndKind | 'untold'): MissingCause {
  if (strategy === 'deleteByQuery') {
    return 'notAvailable';
  }
  if (strategy === 'unknown' || task === 'gone' || task === 'untold') {
    return 'notRefreshedOrCopied';
  }
  return task === 'whole' ? 'notRefreshed' : 'notCopied';
}

function isProven(counts: readonly ReaderCount[]): boolean {
  return counts.length >= CLEAN_COUNTS && spanOf(counts) >= CLEAN_MILLIS;
}

/**
 * A copy that may be under way brings rows back: then they are missing only from the last rise on, but not longer than ten minutes,
 * since rows with earlier dates may be written all the time.
 */
function areMissing(counts: readonly ReaderCount[], task: TaskEndKind | 'untold'): boolean {
  const mayBeCopying = task === 'gone' || task === 'untold';
  return spanOf(mayBeCopying ? withoutRising(counts) : counts) >= MISSING_MILLIS || spanOf(counts) >= STILL_MILLIS;
}

/** The longest run of counts at the end that all fit. */
function trailing(counts: readonly ReaderCount[], fits: (count: ReaderCount) => boolean): readonly ReaderCount[] {
  return counts.slice(counts.findLastIndex((count) => !fits(count)) + 1);
}

function withoutRising(counts: readonly ReaderCount[]): readonly ReaderCount[] {
  return counts.slice(
    Math.max(
      0,
      counts.findLastIndex(({ kept }, place) => kept > (counts[place - 1]?.kept ?? kept)),
    ),
  );
}

function spanOf(counts: readonly ReaderCount[]): number {
  return (counts.at(-1)?.at ?? 0) - (counts[0]?.at ?? 0);
}

/** When the rows to delete became fewer than ever before. Unix time in ms. */
function lastFall(counts: readonly ReaderCount[]): number {
  let fewest = Number.POSITIVE_INFINITY;
  let at = 0;
  for (const count of counts) {
    if (count.toDelete < fewest) {
      fewest = count.toDelete;
      ({ at } = count);
    }
  }
  return at;
}

/** True where the counts of that time go back and forth, since each copy of an index answers in turn. */
function disagree(
  counts: readonly ReaderCount[],
  isWhole: (count: ReaderCount) => boolean,
  overMillis: number,
): boolean {
  const until = counts.at(-1)?.at ?? 0;
  const recent = counts.filter(({ at }) => at >= until - overMillis);
  // Counts from before that time too, or it isn't known that it has lasted so long.
  if (recent.length === counts.length) {
    return false;
  }
  // Rows to delete that only become more are written meanwhile.
  const firstFall = recent.findIndex(({ toDelete }, place) => toDelete < (recent[place - 1]?.toDelete ?? 0));
  const returns = recent.filter((count, place) => {
    const before = recent[place - 1];
    const hasFallen = firstFall >= 0 && firstFall < place;
    return (
      before !== undefined && (isWhole(before) !== isWhole(count) || (hasFallen && count.toDelete > before.toDelete))
    );
  });
  const early = returns.some(({ at }) => at < until - overMillis / 2);
  return returns.length >= 3 && early;
}

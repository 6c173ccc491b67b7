/**
 * Judges the end of a truncation by comparing what searches find with what they should find. A completed task
 * does not mean that searches show the result. One right count proves nothing, since each copy of an index
 * refreshes by itself (PROTOCOL.md §7.8). Pure.
 */
import { isTrueOfRelease } from '../service/server/facts.ts';
import type { ServerStrategy } from './dryRun.ts';
import type { MissingCause } from './outcome.ts';
import type { TaskEndKind } from './taskEnd.ts';

/** Right counts in a row, and their time, that prove the end. */
const CLEAN_COUNTS = 5;
const CLEAN_MILLIS = 10_000;
/** Rows missing for this long stay missing. */
const MISSING_MILLIS = 2 * 60_000;
/** Refreshing copies disagree for less time. */
const DISAGREEING_MILLIS = 2 * MISSING_MILLIS;
/** Rows to delete that haven't decreased for this long stay. */
export const STILL_MILLIS = 10 * 60_000;
/** Longer than any refresh interval of DataHub: rows that are still found were not deleted by others. */
const REFRESHED_MILLIS = 60_000;
/** A copy brings more rows back in `STILL_MILLIS` than others write with earlier dates. */
const FEWEST_COPIED = 1_000;

/** Rows that searches find at one time. */
export interface ReaderCount {
  /** Unix time in ms. */
  readonly at: number;
  /** Rows dated at or before the cutoff. */
  readonly toDelete: number;
  /** Rows to keep, counted like the baseline. */
  readonly kept: number;
}

export type CompletionJudgement =
  /** Unknown yet: count again. */
  | { readonly kind: 'open' }
  /** Searches find exactly the rows to keep. */
  | { readonly kind: 'clean' }
  /** The task deleted all it found. Others were written, or are still searchable. */
  | { readonly kind: 'rowsLeft'; readonly rows: number }
  /** The task deleted some rows, or can't be asked for. */
  | { readonly kind: 'stopped'; readonly rows: number }
  /** The task ended without reading a row. */
  | { readonly kind: 'neverBegan' }
  /** The cluster refused every write. */
  | { readonly kind: 'writesRefused' }
  | { readonly kind: 'missing'; readonly cause: MissingCause }
  /** Primary and replica return different counts. */
  | { readonly kind: 'copiesDisagree' };

interface JudgedTruncation {
  readonly strategy: ServerStrategy;
  /** Rows to keep. */
  readonly kept: number;
  /** `unreported`: the server can't be asked. Undefined while running. */
  readonly task: TaskEndKind | 'unreported' | undefined;
  /** Of the server, such as `v1.6.0.16`. Undefined if unknown. */
  readonly release?: string | undefined;
  /** The cluster has refused writes, and nothing was deleted. */
  readonly writesRefused: boolean;
  /** The task has ended without deleting a row it found, as with a write block: it deletes none later. */
  readonly hasDeletedNone?: boolean;
  /** Counts since the task ended, oldest first. */
  readonly counts: readonly ReaderCount[];
}

const OPEN: CompletionJudgement = { kind: 'open' };

export function judgeCompletion(truncation: JudgedTruncation): CompletionJudgement {
  const { strategy, kept, task, release, writesRefused, hasDeletedNone = false, counts } = truncation;
  const last = counts.at(-1);
  if (task === undefined || last === undefined) {
    return OPEN;
  }
  const isWhole = (count: ReaderCount): boolean => count.kept >= kept;
  if (isProven(trailing(counts, (count) => count.toDelete === 0 && isWhole(count)))) {
    return { kind: 'clean' };
  }
  const missing = trailing(counts, (count) => !isWhole(count));
  const cause = causeOf(strategy, task, release);
  const areHidden =
    cause === 'notRefreshed' &&
    isTrueOfRelease('leavesIndexUnrefreshed', release) === true &&
    isProven(trailingEqual(missing));
  if (areHidden || (missing.length >= CLEAN_COUNTS && areMissing(missing, kept, task))) {
    return { kind: 'missing', cause };
  }
  if (haveDisagreed(counts, isWhole, DISAGREEING_MILLIS) || haveDisagreed(counts, isWhole, STILL_MILLIS)) {
    return { kind: 'copiesDisagree' };
  }
  const whole = trailing(counts, isWhole);
  // Any other strategy may have hidden rows before these counts.
  const isHealed = (strategy === 'deleteByQuery' && whole.length === counts.length) || isProven(whole);
  if (last.toDelete === 0 || !isHealed) {
    return OPEN;
  }
  if (writesRefused) {
    return { kind: 'writesRefused' };
  }
  // Rows that another deletion was deleting are found until the next refresh.
  if (task === 'neverBegan' && !hasDeletedNone) {
    return { kind: 'neverBegan' };
  }
  const isStill =
    last.at - timeOfLastFall(whole) >= STILL_MILLIS || (hasDeletedNone && isProven(whole, REFRESHED_MILLIS));
  if (!isStill) {
    return OPEN;
  }
  if (task === 'neverBegan') {
    return { kind: 'neverBegan' };
  }
  return { kind: task === 'whole' ? 'rowsLeft' : 'stopped', rows: last.toDelete };
}

function causeOf(
  strategy: ServerStrategy,
  task: TaskEndKind | 'unreported',
  release: string | undefined,
): MissingCause {
  if (strategy === 'deleteByQuery') {
    return 'notAvailable';
  }
  if (task !== 'whole') {
    return causeOfUncopied(release);
  }
  if (isTrueOfRelease('leavesIndexUnrefreshed', release) === false) {
    return 'notAvailable';
  }
  return strategy === 'reindex' ? 'notRefreshed' : 'notRefreshedOrCopied';
}

/** Cause after a reindex that copied some rows or none, or after what may have been one. @param release Of the server. Undefined if unknown. */
export function causeOfUncopied(release: string | undefined): MissingCause {
  return isTrueOfRelease('leavesIndexUnrefreshed', release) === false ? 'notCopied' : 'notRefreshedOrCopied';
}

function isProven(counts: readonly ReaderCount[], millis = CLEAN_MILLIS): boolean {
  return counts.length >= CLEAN_COUNTS && timeSpanOf(counts) >= millis;
}

/**
 * A copy that may still run brings rows back, so rows count as missing only since the last rise; after ten minutes
 * also if they come back too slowly for a copy, since rows with earlier dates may be written all the time.
 */
function areMissing(counts: readonly ReaderCount[], kept: number, task: TaskEndKind | 'unreported'): boolean {
  if (task !== 'gone' && task !== 'unreported') {
    return timeSpanOf(counts) >= MISSING_MILLIS;
  }
  return (
    timeSpanOf(withoutRising(counts)) >= MISSING_MILLIS ||
    (timeSpanOf(counts) >= STILL_MILLIS && !comeBack(counts, kept))
  );
}

/** True if rows came back as fast as by a copy that takes a week, in ten minutes or since the last count before. */
function comeBack(counts: readonly ReaderCount[], kept: number): boolean {
  const last = counts.at(-1);
  const first = last && counts.findLast(({ at }) => at <= last.at - STILL_MILLIS);
  return (
    last !== undefined &&
    first !== undefined &&
    last.kept - first.kept >= Math.max(FEWEST_COPIED, (kept - first.kept) / 1_000)
  );
}

/** Returns the last ones that all fit. */
export function trailing<T>(list: readonly T[], fits: (one: T) => boolean): readonly T[] {
  return list.slice(list.findLastIndex((one) => !fits(one)) + 1);
}

function trailingEqual(counts: readonly ReaderCount[]): readonly ReaderCount[] {
  const last = counts.at(-1);
  return trailing(counts, ({ toDelete, kept }) => toDelete === last?.toDelete && kept === last.kept);
}

function withoutRising(counts: readonly ReaderCount[]): readonly ReaderCount[] {
  return counts.slice(
    Math.max(
      0,
      counts.findLastIndex(({ kept }, place) => kept > (counts[place - 1]?.kept ?? kept)),
    ),
  );
}

function timeSpanOf(counts: readonly ReaderCount[]): number {
  return (counts.at(-1)?.at ?? 0) - (counts[0]?.at ?? 0);
}

/** Time of the lowest count. Unix time in ms. */
function timeOfLastFall(counts: readonly ReaderCount[]): number {
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

/** True if the counts of that time go back and forth, since copies of an index respond in turn. */
function haveDisagreed(
  counts: readonly ReaderCount[],
  isWhole: (count: ReaderCount) => boolean,
  overMillis: number,
): boolean {
  const until = counts.at(-1)?.at ?? 0;
  const recent = counts.filter(({ at }) => at >= until - overMillis);
  // Without an older count, the duration is unknown.
  if (recent.length === counts.length) {
    return false;
  }
  // Rows to delete that only increase are being written.
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

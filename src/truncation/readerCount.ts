/**
 * Rows as readers see them, which is what decides how a truncation ended (PROTOCOL.md §7.8): a task's own counts prove nothing
 * about searches. Pure.
 */

/** The rows that should stay, as readers saw them right before the execution. */
export interface ReaderBaseline {
  /** Rows dated later play no part, so rows that are written afterwards can't stand in for lost ones. Unix time in ms. */
  readonly countedUpTo: number;
  /** Rows dated after the cutoff, up to `countedUpTo`. */
  readonly kept: number;
}

/** One look at the index. */
export interface ReaderCount {
  /** Unix time in ms. */
  readonly at: number;
  /** Rows dated at or before the cutoff. */
  readonly toDelete: number;
  /** Rows that should stay, counted as in the baseline. */
  readonly kept: number;
}

/** A dry run: what the server's text says (PROTOCOL.md §7.2), and for how long its review may be executed. */
import type { TruncationPlan } from '../service/indices/truncationRequest.ts';

/** `unknown`: the text is not understood. */
export type ServerStrategy = 'reindex' | 'deleteByQuery' | 'unknown';

export interface RowCounts {
  /** Rows dated at or before the cutoff. */
  readonly toDelete: number;
  readonly total: number;
}

export interface DryRunReport {
  /** The server's own words. */
  readonly serverText: string;
  /** Undefined if the text is unreadable or contradictory. */
  readonly rows: RowCounts | undefined;
  readonly strategy: ServerStrategy;
  /** Date of the response, if it had one. Unix time in ms. */
  readonly answeredAt?: number;
}

/** The percentage is formatted in the server's locale, and `NaN` for an empty index. */
const ROWS = /^Delete (\d+) out of (\d+) rows \([^)]*%\)\. /;

export function parseDryRun(serverText: string): DryRunReport {
  const counts = parseRowCounts(serverText);
  const rows = counts !== undefined && counts.toDelete <= counts.total ? counts : undefined;
  return { serverText, rows, strategy: strategyInText(serverText) };
}

/**
 * Returns both counts of a dry run's text, if there are any. Each comes from its own search, so `toDelete` can
 * exceed `total`: copies of an index that are refreshed at different times respond in turn (PROTOCOL.md §7.8).
 */
export function parseRowCounts(serverText: string): RowCounts | undefined {
  const [toDelete = NaN, total = NaN] = ROWS.exec(serverText)?.slice(1).map(Number) ?? [];
  return Number.isSafeInteger(toDelete) && Number.isSafeInteger(total) ? { toDelete, total } : undefined;
}

/** Share of the rows to delete, 0 to 100. Computed, since the server's own figure may be "NaN". */
export function percentToDelete(rows: RowCounts): number {
  return rows.total === 0 ? 0 : Math.min(100, (rows.toDelete / rows.total) * 100);
}

function strategyInText(text: string): ServerStrategy {
  if (/delete by query/i.test(text)) {
    return 'deleteByQuery';
  }
  return /\breindex/i.test(text) ? 'reindex' : 'unknown';
}

/** A time by both clocks of the machine. */
export interface ClockTimes {
  /** Unix time in ms. */
  readonly at: number;
  /** The same time by a monotonic clock, in ms. */
  readonly monotonicAt: number;
}

/** The present, and the age up to which a dry run may be executed, in ms. */
export interface AgeLimit extends ClockTimes {
  readonly maxAge: number;
}

/** A dry run of a plan, on one server as one user. Executing requires the same plan and the same access. */
export interface DryRunReview extends ClockTimes {
  readonly plan: TruncationPlan;
  /** From `accessOf`: address with its path, actor, product, credential, consent. */
  readonly access: string;
  readonly report: DryRunReport;
  /** Why a confirmed review has to be confirmed again. */
  readonly notice?: 'grew' | 'shrank' | 'changed' | 'nothingLeft' | 'tooOld';
}

/** A dry run that the user has seen. The limits of a scheduled job follow from it. */
export type ReviewedIndex = Pick<DryRunReview, 'plan' | 'report' | 'at'>;

/** True unless no row would be deleted. An unreadable report may be executed after one more question. */
export function canExecute(review: DryRunReview): boolean {
  return review.report.rows?.toDelete !== 0;
}

/**
 * True if a dry run is too old to execute from, by either clock: the system clock may have been set back, and
 * the monotonic one may stop while the machine sleeps. A dry run dated in the future is from before the clock
 * was set back.
 */
export function isTooOld(review: ClockTimes, { at, monotonicAt, maxAge }: AgeLimit): boolean {
  const age = at - review.at;
  return age > maxAge || age < 0 || monotonicAt - review.monotonicAt > maxAge;
}

/** A dry run as the user reviewed it: what it belongs to, and for how long it may be executed. */
import type { TruncationPlan } from '../service/indices/truncationRequest.ts';
import type { DryRunReport } from './dryRunReport.ts';

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

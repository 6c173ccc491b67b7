import type { Profile } from './profiles.ts';
import type { TimeIndex, TimeIndices } from './timeIndices.ts';

export interface TruncationRequest {
  readonly endTimeMillis: number;
  readonly batchSize: number;
  /** The search cluster gives no pages of this size, which it only says when the task asks for the first: it fails at once. */
  readonly batchRefused: boolean;
  /** 0: no limit. */
  readonly timeoutMillis: number;
  readonly forceDeleteByQuery: boolean | null;
  readonly forceReindex: boolean | null;
}

export type Strategy = 'reindex' | 'deleteByQuery';

export interface TruncationPlan {
  /** Null: names that no row has, where that is no mistake. */
  readonly index: TimeIndex | null;
  readonly rows: number;
  readonly total: number;
  readonly strategy: Strategy;
  /** Rows up to and with this moment go. */
  readonly lastMillis: number;
}

export const flagsClash = 'please only set forceReindex OR forceDeleteByQuery flags';

/** Both flags given and equal contradict each other, true or false alike. */
export function flagsContradict({ forceDeleteByQuery, forceReindex }: TruncationRequest): boolean {
  return forceDeleteByQuery !== null && forceDeleteByQuery === forceReindex;
}

/** Counts what would go and decides how: more than half of the rows is a reindex, unless a flag says otherwise. */
export function planTruncation(
  profile: Profile,
  indices: TimeIndices,
  index: TimeIndex | null,
  request: TruncationRequest,
): TruncationPlan {
  const lastMillis = profile.inclusiveCutOff ? request.endTimeMillis : request.endTimeMillis - 1;
  const total = index ? indices.summary(index).count : 0;
  const rows = index ? indices.countUpTo(index, lastMillis) : 0;
  const wantsReindex = request.forceReindex === true || rows > Math.floor(total / 2);
  const reindexes = profile.strategy === 'byShare' && request.forceDeleteByQuery !== true && wantsReindex;
  return { index, rows, total, strategy: reindexes ? 'reindex' : 'deleteByQuery', lastMillis };
}

/** The sentences of a dry run. The share is printed as the server's locale has it, and of no rows at all it is not a number. */
export function describePlan(profile: Profile, plan: TruncationPlan, decimalSeparator: string): string {
  const share = plan.total === 0 ? 'NaN' : ((plan.rows / plan.total) * 100).toFixed(2).replace('.', decimalSeparator);
  // The description knows one way only, whatever is done behind it.
  const reindexing = plan.strategy === 'reindex' || profile.strategy === 'byQueryCalledReindex';
  return [
    `Delete ${plan.rows} out of ${plan.total} rows (${share}%).`,
    reindexing ? 'Reindexing the aspect without the deleted records.' : 'Issuing a delete by query request.',
    'This was a dry run. Run with dryRun = false to execute.',
  ].join(' ');
}

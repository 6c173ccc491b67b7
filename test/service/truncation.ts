import type { Profile } from './profiles.ts';
import type { Tasks } from './tasks.ts';
import type { RowPlace, TimeIndex, TimeIndices } from './timeIndices.ts';

export interface TruncationRequest {
  readonly endTimeMillis: number;
  readonly batchSize: number;
  /** 0: no limit. */
  readonly timeoutMillis: number;
  readonly forceDeleteByQuery: boolean | null;
  readonly forceReindex: boolean | null;
}

export type Strategy = 'reindex' | 'deleteByQuery';

export interface TruncationPlan {
  readonly index: TimeIndex;
  readonly rows: number;
  readonly total: number;
  readonly strategy: Strategy;
  /** Rows up to and with this moment go. */
  readonly lastMillis: number;
}

export const flagsClash = 'please only set forceReindex OR forceDeleteByQuery flags';

/** A reindex needs an alias that it can point at the new index. */
export class NotAnAliasError extends Error {}

/** Both flags given and equal contradict each other, true or false alike. */
export function flagsContradict({ forceDeleteByQuery, forceReindex }: TruncationRequest): boolean {
  return forceDeleteByQuery !== null && forceDeleteByQuery === forceReindex;
}

/** Counts what would go and decides how: more than half of the rows is a reindex, unless a flag says otherwise. */
export function planTruncation(profile: Profile, indices: TimeIndices, index: TimeIndex, request: TruncationRequest): TruncationPlan {
  const lastMillis = profile.inclusiveCutOff ? request.endTimeMillis : request.endTimeMillis - 1;
  const total = indices.summary(index).count;
  const rows = indices.countUpTo(index, lastMillis);
  const wantsReindex = request.forceReindex === true || rows > Math.floor(total / 2);
  const strategy = profile.reindexes && request.forceDeleteByQuery !== true && wantsReindex ? 'reindex' : 'deleteByQuery';
  return { index, rows, total, strategy, lastMillis };
}

/** The sentences of a dry run. The share is printed as the server's locale has it, and of no rows at all it is not a number. */
export function describePlan(profile: Profile, plan: TruncationPlan, decimalSeparator: string): string {
  const share = plan.total === 0 ? 'NaN' : ((plan.rows / plan.total) * 100).toFixed(2).replace('.', decimalSeparator);
  // The description knows one way only, whatever is done behind it.
  const reindexing = plan.strategy === 'reindex' || !profile.reindexes;
  return [
    `Delete ${plan.rows} out of ${plan.total} rows (${share}%).`,
    reindexing ? 'Reindexing the aspect without the deleted records.' : 'Issuing a delete by query request.',
    'This was a dry run. Run with dryRun = false to execute.',
  ].join(' ');
}

/**
 * Starts a truncation and returns the id of its task.
 * @param afterReindexMillis how long the old index goes on taking space after a reindex.
 * @throws NotAnAliasError when the index would have to be reindexed and cannot be.
 */
export function startTruncation(
  indices: TimeIndices,
  tasks: Tasks,
  plan: TruncationPlan,
  request: TruncationRequest,
  clock: () => number,
  afterReindexMillis: number,
): string {
  return plan.strategy === 'reindex'
    ? startReindex(indices, tasks, plan, request, clock, afterReindexMillis)
    : startDelete(indices, tasks, plan, request);
}

function startDelete(indices: TimeIndices, tasks: Tasks, plan: TruncationPlan, request: TruncationRequest): string {
  return tasks.start({
    description: `delete by query ${plan.index.physicalName}`,
    total: plan.rows,
    timeoutMillis: request.timeoutMillis,
    batch: (counts, spared) => {
      const deleted = indices.deleteBatch(plan.index, plan.lastMillis, request.batchSize, spared);
      counts.deleted += deleted;
      counts.version_conflicts = Math.min(spared, plan.rows);
      return deleted < request.batchSize || counts.deleted + spared >= plan.rows ? 'done' : 'more';
    },
    onDone: () => {},
  });
}

/**
 * Points the alias at a new, empty index first and copies the rows to keep behind it, so that until the task ends they are
 * missing for readers, and for good when it fails. This is what makes this way the dangerous one.
 */
function startReindex(
  indices: TimeIndices,
  tasks: Tasks,
  plan: TruncationPlan,
  request: TruncationRequest,
  clock: () => number,
  afterReindexMillis: number,
): string {
  const old = plan.index;
  if (old.alias === null) {
    throw new NotAnAliasError(`Input to reindexInPlaceAsync should be an alias. ${old.physicalName} is not`);
  }
  const fresh = indices.replaceBehindAlias(old, `${old.alias}_${clock()}`);
  let reached: RowPlace = { timestampMillis: plan.lastMillis, row: Number.MAX_SAFE_INTEGER };
  return tasks.start({
    description: `reindex from [${old.physicalName}] to [${fresh.physicalName}]`,
    total: plan.total - plan.rows,
    timeoutMillis: request.timeoutMillis,
    batch: (counts) => {
      const batch = indices.copyBatch(old, fresh, reached, request.batchSize);
      reached = batch.reached;
      counts.created += batch.copied;
      return batch.copied < request.batchSize ? 'done' : 'more';
    },
    onDone: () => indices.leaveUntil(old, clock() + afterReindexMillis),
  });
}

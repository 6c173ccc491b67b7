import type { TaskPacing, Tasks } from './tasks.ts';
import type { RowPlace, TimeIndices } from './timeIndices.ts';
import type { TruncationPlan, TruncationRequest } from './truncation.ts';

/** What a truncation is executed with. */
export interface TruncationTools {
  readonly indices: TimeIndices;
  readonly tasks: Tasks;
  readonly pacing: TaskPacing;
  readonly clock: () => number;
  /** How long the old index goes on taking space after a reindex, in ms. */
  readonly oldIndexMillis: number;
}

/** A reindex that fails instead of giving a task. It does not say how far it had come. */
export class AsyncReindexError extends Error {}

/**
 * Starts a truncation and returns the id of its task.
 * @throws AsyncReindexError when the index would have to be reindexed and cannot be.
 */
export function startTruncation(tools: TruncationTools, plan: TruncationPlan, request: TruncationRequest): string {
  return plan.strategy === 'reindex' ? startReindex(tools, plan, request) : startDelete(tools, plan, request);
}

function startDelete({ indices, tasks }: TruncationTools, plan: TruncationPlan, request: TruncationRequest): string {
  const { index, rows, lastMillis } = plan;
  return tasks.start({
    description: `delete by query ${index?.physicalName ?? 'nothing'}`,
    total: request.batchRefused ? 0 : rows,
    timeoutMillis: request.timeoutMillis,
    batch: (counts, spared) => {
      if (request.batchRefused) {
        return 'failed';
      }
      if (index === null) {
        return 'done';
      }
      const deleted = indices.deleteBatch(index, lastMillis, request.batchSize, spared);
      counts.deleted += deleted;
      counts.version_conflicts = Math.min(spared, rows);
      return deleted < request.batchSize || counts.deleted + spared >= rows ? 'done' : 'more';
    },
    onDone: () => {},
  });
}

/**
 * Points the alias at a new, empty index first and copies the rows to keep behind it, so that until the task ends they are
 * missing for readers, and for good when it fails. This is what makes this way the dangerous one: it may fail before there is a
 * task, with the same words, before the alias was moved and after.
 */
function startReindex(tools: TruncationTools, plan: TruncationPlan, request: TruncationRequest): string {
  const { indices, tasks, pacing, clock, oldIndexMillis } = tools;
  const old = plan.index;
  if (old === null || old.alias === null) {
    throw new AsyncReindexError(`Input to reindexInPlaceAsync should be an alias. ${String(old?.physicalName)} is not`);
  }
  if (pacing.reindexFailure === 'beforeAlias') {
    throw new AsyncReindexError('The new index could not be created');
  }
  const fresh = indices.replaceBehindAlias(old, `${old.alias}_${clock()}`);
  if (pacing.reindexFailure === 'afterAlias') {
    throw new AsyncReindexError('Number of shards not specified');
  }
  let reached: RowPlace = { timestampMillis: plan.lastMillis, row: Number.MAX_SAFE_INTEGER };
  return tasks.start({
    description: `reindex from [${old.physicalName}] to [${fresh.physicalName}]`,
    total: request.batchRefused ? 0 : plan.total - plan.rows,
    timeoutMillis: request.timeoutMillis,
    batch: (counts) => {
      if (request.batchRefused) {
        return 'failed';
      }
      const batch = indices.copyBatch(old, fresh, reached, request.batchSize);
      reached = batch.reached;
      counts.created += batch.copied;
      return batch.copied < request.batchSize ? 'done' : 'more';
    },
    onDone: () => indices.leaveUntil(old, clock() + oldIndexMillis),
  });
}

/** What a truncation asks of a server (PROTOCOL.md §7). */

/** Who chooses how rows are deleted: the server by its own rule, or the person (PROTOCOL.md §7.3). */
export type DeletionStrategy = 'server' | 'deleteByQuery' | 'reindex';

/** A truncation, checked. Whether it is a dry run is no part of it: each call says so. */
export interface TruncationPlan {
  readonly entityType: string;
  readonly aspect: string;
  /** Unix time in ms, UTC; rows at or before it are deleted. */
  readonly endTimeMillis: number;
  readonly batchSize: number;
  /** Undefined: no timeout. */
  readonly timeoutSeconds: number | undefined;
  readonly strategy: DeletionStrategy;
}

/** The body of a request (PROTOCOL.md §7.1). */
export function truncationBody(plan: TruncationPlan, dryRun: boolean): Record<string, unknown> {
  return {
    entityType: plan.entityType,
    aspect: plan.aspect,
    endTimeMillis: plan.endTimeMillis,
    dryRun,
    batchSize: plan.batchSize,
    timeoutSeconds: plan.timeoutSeconds,
    // Only the flag that is meant: a pair of equal flags is refused (PROTOCOL.md §7.2).
    ...(plan.strategy === 'deleteByQuery' ? { forceDeleteByQuery: true } : {}),
    ...(plan.strategy === 'reindex' ? { forceReindex: true } : {}),
  };
}

/** `<node>:<number>`, the number not zero (PROTOCOL.md §7.7): the status of such a task can be asked for. */
export function isTaskId(text: string): boolean {
  return /^[A-Za-z0-9_-]+:[0-9]+$/.test(text) && !/:0+$/.test(text) && text.length <= 200;
}

/**
 * Any single token without spaces: on PostgreSQL a started deletion has a UUID for an id (PROTOCOL.md §10). A refusal is a sentence.
 */
export function isStartedTask(text: string): boolean {
  return /^[\x21-\x7E]{1,200}$/.test(text);
}

/** The request of a truncation and the task IDs in its response (PROTOCOL.md §7). */

/** `server` leaves the choice to the server; the others are the user's (PROTOCOL.md §7.3). */
export type DeletionStrategy = 'server' | 'deleteByQuery' | 'reindex';

/** Of a dry run and of an execution. Submitting a reindex first creates an index, which takes time. */
export const TRUNCATION_TIMEOUT_MILLIS = 120_000;

/** A checked truncation. Each call decides by itself whether it is a dry run. */
export interface TruncationPlan {
  readonly entityType: string;
  readonly aspect: string;
  /** Unix time in ms, UTC. Rows at or before it are deleted. */
  readonly endTimeMillis: number;
  readonly batchSize: number;
  /** Undefined: no timeout. */
  readonly timeoutSeconds: number | undefined;
  readonly strategy: DeletionStrategy;
}

/** Body of a request (PROTOCOL.md §7.1). */
export function truncationBody<DryRun extends boolean>(
  plan: TruncationPlan,
  dryRun: DryRun,
): Record<string, unknown> & { readonly dryRun: DryRun } {
  return {
    entityType: plan.entityType,
    aspect: plan.aspect,
    endTimeMillis: plan.endTimeMillis,
    dryRun,
    batchSize: plan.batchSize,
    timeoutSeconds: plan.timeoutSeconds,
    // Sends one flag only: a pair of equal flags is refused (PROTOCOL.md §7.2).
    forceDeleteByQuery: plan.strategy === 'deleteByQuery' || undefined,
    forceReindex: plan.strategy === 'reindex' || undefined,
  };
}

/** True for `<node>:<number>` with a nonzero number (PROTOCOL.md §7.7), the IDs with a status. */
export function isTaskId(text: string): boolean {
  return /^[A-Za-z0-9_-]+:[0-9]+$/.test(text) && !/:0+$/.test(text) && text.length <= 200;
}

/** True for any token without spaces: PostgreSQL uses UUIDs (PROTOCOL.md §10). A refusal is a sentence. */
export function isStartedTask(text: string): boolean {
  return /^[\x21-\x7E]{1,200}$/.test(text);
}

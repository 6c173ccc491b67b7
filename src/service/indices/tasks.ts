/**
 * The status of a deletion (PROTOCOL.md §8). Not in the interface description: without it, a deletion is watched by
 * repeated dry runs.
 */
import { type ServiceFailure, unexpectedResponse } from '../failure/failure.ts';
import { readableServerText } from '../failure/redaction.ts';
import { parsedAs, parseJson } from '../../json.ts';
import type { OperationsEndpoint } from '../server/operationsEndpoint.ts';
import * as v from 'valibot';
import { WATCH_TASK } from '../failure/privileges.ts';

export class DeletionTasks {
  readonly #operations: OperationsEndpoint;

  constructor(operations: OperationsEndpoint) {
    this.#operations = operations;
  }

  /**
   * @param taskId From the response to an execution.
   * @throws ServiceFailure; `unsupported` if this server reports no status.
   */
  async readTaskStatus(taskId: string, signal?: AbortSignal): Promise<DeletionTaskStatus> {
    const reply = await this.#operations.callReadAction(WATCH_TASK, { task: taskId }, { signal });
    // Three levels of JSON: the body, its value, and the status in it.
    const value = typeof reply.value === 'string' ? parseJson(reply.value) : reply.value;
    const status = parseTaskStatus(value);
    if (status === undefined) {
      throw unexpectedResponse(WATCH_TASK).with({ mayHaveActed: false });
    }
    return status;
  }
}

/** True if tasks can't be watched on this server at all. */
export function cannotWatchTasks(failure: ServiceFailure): boolean {
  return failure.kind === 'unsupported' || failure.kind === 'notFound' || failure.kind === 'refused';
}

export type DeletionTaskStatus =
  | {
      readonly kind: 'known';
      readonly completed: boolean;
      /** Rows to process; 0 until they are counted. */
      readonly total: number;
      readonly deleted: number;
      /** Rows copied by a reindex. */
      readonly created: number;
      readonly updated: number;
      readonly versionConflicts: number;
      /** Writes that the cluster rejected and the task repeated. */
      readonly bulkRetries: number;
      readonly runTimeMillis: number | undefined;
      /** Reason of a cancellation, in the server's words. */
      readonly cancelled: string | undefined;
    }
  /** The server no longer knows the task: it ended long ago, or its node was restarted. */
  | { readonly kind: 'unknown' };

const COUNT = v.fallback(v.pipe(v.number(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER)), 0);
const TASK = v.looseObject({
  completed: v.boolean(),
  status: v.optional(v.unknown()),
  runTimeNanos: v.fallback(v.nullish(v.pipe(v.number(), v.minValue(0), v.finite())), undefined),
});
const COUNTS = v.object({
  total: COUNT,
  deleted: COUNT,
  created: COUNT,
  updated: COUNT,
  version_conflicts: COUNT,
  retries: v.fallback(v.object({ bulk: COUNT }), { bulk: 0 }),
  canceled: v.fallback(v.nullish(v.string()), undefined),
});
const UNKNOWN = v.looseObject({ error: v.string() });

/** Reads JSON in JSON, whose `status` may be JSON text once more (PROTOCOL.md §8.1). Undefined if it is no status. */
function parseTaskStatus(value: unknown): DeletionTaskStatus | undefined {
  const task = v.safeParse(TASK, value);
  if (!task.success) {
    return v.is(UNKNOWN, value) ? { kind: 'unknown' } : undefined;
  }
  const { completed, status, runTimeNanos } = task.output;
  const known = parsedAs(COUNTS, typeof status === 'string' ? parseJson(status) : status) ?? v.parse(COUNTS, {});
  return {
    kind: 'known',
    completed,
    total: known.total,
    deleted: known.deleted,
    created: known.created,
    updated: known.updated,
    versionConflicts: known.version_conflicts,
    bulkRetries: known.retries.bulk,
    runTimeMillis: typeof runTimeNanos === 'number' ? runTimeNanos / 1e6 : undefined,
    cancelled: typeof known.canceled === 'string' ? (readableServerText(known.canceled, WATCH_TASK) ?? '') : undefined,
  };
}

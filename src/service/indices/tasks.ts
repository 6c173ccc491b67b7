/** What became of a deletion (PROTOCOL.md §8, §6.4). Not in the interface description: a server without it is watched by repeated dry runs instead. */
import { unexpectedResponse, type ServiceFailure } from '../failure/failure.ts';
import { boundedArray, responseJson, parseJson } from '../http/json.ts';
import { unsupportedFailure, type OperationsEndpoint } from '../server/operationsEndpoint.ts';
import { sleep, withRetries, type PauseFunction } from '../http/waiting.ts';
import type { Transport } from '../http/transport.ts';
import * as v from 'valibot';
import { WATCH_TASK } from '../failure/privileges.ts';

const OPENAPI_STATUS = '/openapi/operations/elasticSearch/getTaskStatus';

export class DeletionTasks {
  readonly #operations: OperationsEndpoint;
  readonly #transport: Transport;
  readonly #pause: PauseFunction;

  constructor(operations: OperationsEndpoint, transport: Transport, pause: PauseFunction = sleep) {
    this.#operations = operations;
    this.#transport = transport;
    this.#pause = pause;
  }

  /**
   * @param taskId As an execution answered it.
   * @throws ServiceFailure; `unsupportedFailure` when this server cannot tell.
   */
  status(taskId: string, signal?: AbortSignal): Promise<TaskStatus> {
    return withRetries(() => this.#statusOnce(taskId, signal), signal, this.#pause);
  }

  async #statusOnce(taskId: string, signal: AbortSignal | undefined): Promise<TaskStatus> {
    const reply = await this.#operations.ask(WATCH_TASK, { task: taskId }, signal);
    if (reply.kind === 'noSuchAction') {
      return this.#openApiStatus(taskId, signal);
    }
    // Three levels of JSON: the body, its value, and in that the status.
    return this.#statusFrom(typeof reply.value === 'string' ? parseJson(reply.value) : reply.value);
  }

  async #openApiStatus(taskId: string, signal: AbortSignal | undefined): Promise<TaskStatus> {
    const path = `${OPENAPI_STATUS}?task=${encodeURIComponent(taskId)}`;
    const answer = await this.#transport.exchange({ operation: WATCH_TASK, method: 'GET', path, signal });
    if (answer.status === 200) {
      return this.#statusFrom(responseJson(answer));
    }
    if (answer.status === 500 && /could not get task status/i.test(answer.text)) {
      return { kind: 'unknown' };
    }
    throw answer.status === 404 || answer.status === 405
      ? unsupportedFailure(WATCH_TASK)
      : this.#transport.statusFailure(answer, WATCH_TASK);
  }

  #statusFrom(value: unknown): TaskStatus {
    const status = parseTaskStatus(value, (text) => this.#transport.readable(text));
    if (status === undefined) {
      throw unexpectedResponse(WATCH_TASK).with({ mayHaveActed: false });
    }
    return status;
  }
}

/** Whether a failure says that tasks cannot be watched on this server, however long one tries. */
export function cannotWatchTasks(failure: ServiceFailure): boolean {
  return failure.kind === 'unsupported' || failure.kind === 'notFound' || failure.kind === 'refused';
}

export type TaskStatus =
  | {
      readonly kind: 'known';
      readonly completed: boolean;
      /** Rows that the task is about; 0 while it is not counted yet. */
      readonly total: number;
      readonly deleted: number;
      /** Rows copied by a reindex. */
      readonly created: number;
      readonly updated: number;
      readonly versionConflicts: number;
      /** Writes that the cluster refused and the task tried again. */
      readonly bulkRetries: number;
      readonly runTimeMillis: number | undefined;
      /** Why it was cancelled, in the server's words. */
      readonly cancelled: string | undefined;
      readonly failures: readonly string[];
    }
  /** The server does not know the task (any more): it ended long ago, or its node was restarted. */
  | { readonly kind: 'unknown' };

const COUNT = v.fallback(v.pipe(v.number(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER)), 0);
/** Enough to see a pattern in what failed. */
const MOST_FAILURES = 20;
const LIST = v.fallback(boundedArray(MOST_FAILURES), []);
const TASK = v.looseObject({
  completed: v.boolean(),
  status: v.optional(v.unknown()),
  runTimeNanos: v.fallback(v.nullish(v.pipe(v.number(), v.minValue(0), v.finite())), undefined),
  failures: LIST,
  error: v.optional(v.unknown()),
});
const COUNTS = v.object({
  total: COUNT,
  deleted: COUNT,
  created: COUNT,
  updated: COUNT,
  version_conflicts: COUNT,
  retries: v.fallback(v.object({ bulk: COUNT }), { bulk: 0 }),
  canceled: v.fallback(v.nullish(v.string()), undefined),
  failures: LIST,
});
const NO_COUNTS = v.parse(COUNTS, {});
/** The search cluster's way to say why: `{"type": …, "reason": …, "cause": {…}}`. */
const CAUSE = v.looseObject({ reason: v.string() });
const NESTED_CAUSE = v.looseObject({ cause: CAUSE });
const UNKNOWN = v.looseObject({ error: v.string() });

/**
 * The status in a parsed answer, or undefined when it is none.
 * @param readable Makes a server's text fit to be shown.
 */
export function parseTaskStatus(
  value: unknown,
  readable: (text: string) => string | undefined,
): TaskStatus | undefined {
  const task = v.safeParse(TASK, value);
  if (!task.success) {
    return v.is(UNKNOWN, value) ? { kind: 'unknown' } : undefined;
  }
  const { completed, status, runTimeNanos, failures, error } = task.output;
  const counts = v.safeParse(COUNTS, typeof status === 'string' ? parseJson(status) : status);
  const known = counts.success ? counts.output : NO_COUNTS;
  const reasons = [...(error === undefined || error === null ? [] : [error]), ...failures, ...known.failures];
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
    cancelled: typeof known.canceled === 'string' ? (readable(known.canceled) ?? '') : undefined,
    failures: reasons.slice(0, MOST_FAILURES).flatMap((reason) => readable(failureReason(reason)) ?? []),
  };
}

function failureReason(reason: unknown): string {
  if (typeof reason === 'string') {
    return reason;
  }
  if (v.is(NESTED_CAUSE, reason)) {
    return reason.cause.reason;
  }
  if (v.is(CAUSE, reason)) {
    return reason.reason;
  }
  try {
    return JSON.stringify(reason);
  } catch {
    // Nested deeper than can be written down.
    return '';
  }
}

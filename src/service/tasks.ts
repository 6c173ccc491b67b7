/** What became of a deletion (facts §5.3, §6). Not in the spec: a server without it is watched by repeated dry runs instead. */
import * as v from 'valibot';
import { ServiceFailure, unexpectedAnswer } from './failure.ts';
import type { Operation } from './failure.ts';
import { parseJson } from './json.ts';
import { unsupported } from './operations.ts';
import type { Operations } from './operations.ts';
import { withRetries } from './retry.ts';
import type { Transport } from './transport.ts';
import { l10n } from './words.ts';

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
      readonly runTimeMillis: number | undefined;
      /** Why it was cancelled, in the server's words. */
      readonly cancelled: string | undefined;
      readonly failures: readonly string[];
    }
  /** The server does not know the task (any more): it ended long ago, or its node was restarted. */
  | { readonly kind: 'unknown' };

const STATUS: Operation = { name: 'getEsTaskStatus', doing: () => l10n.t('watch tasks'), privilege: 'Get ES task status API' };
const OPENAPI_STATUS = '/openapi/operations/elasticSearch/getTaskStatus';

const COUNT = v.fallback(v.pipe(v.number(), v.minValue(0)), 0);
const TASK = v.looseObject({ completed: v.boolean(), status: v.fallback(v.unknown(), undefined), runTimeNanos: v.fallback(v.nullish(v.number()), undefined) });
const COUNTS = v.looseObject({
  total: COUNT,
  deleted: COUNT,
  created: COUNT,
  updated: COUNT,
  version_conflicts: COUNT,
  canceled: v.fallback(v.nullish(v.string()), undefined),
  failures: v.fallback(v.array(v.unknown()), []),
});
/** Enough to see a pattern in what failed. */
const MOST_FAILURES = 20;

export class Tasks {
  readonly #operations: Operations;
  readonly #transport: Transport;

  constructor(operations: Operations, transport: Transport) {
    this.#operations = operations;
    this.#transport = transport;
  }

  /**
   * @param taskId As an execution answered it.
   * @throws ServiceFailure; `unsupported` when this server cannot tell.
   */
  async status(taskId: string, signal?: AbortSignal): Promise<TaskStatus> {
    return withRetries(async () => {
      const reply = await this.#operations.ask(STATUS, { task: taskId }, signal);
      if (reply.kind === 'noSuchAction') {
        return this.#openApiStatus(taskId, signal);
      }
      // Three levels of JSON: the body, its value, and in that the status.
      return this.#statusFrom(typeof reply.value === 'string' ? parseJson(reply.value) : reply.value);
    }, signal);
  }

  async #openApiStatus(taskId: string, signal: AbortSignal | undefined): Promise<TaskStatus> {
    const path = `${OPENAPI_STATUS}?task=${encodeURIComponent(taskId)}`;
    const answer = await this.#transport.exchange({ operation: STATUS, method: 'GET', path, signal });
    if (answer.status === 200) {
      return this.#statusFrom(parseJson(answer.text));
    }
    if (answer.status === 500 && /could not get task status/i.test(answer.text)) {
      return { kind: 'unknown' };
    }
    throw answer.status === 404 || answer.status === 405 ? unsupported(STATUS) : await this.#transport.statusFailure(answer, STATUS);
  }

  async #statusFrom(value: unknown): Promise<TaskStatus> {
    if (v.is(v.looseObject({ error: v.string() }), value)) {
      return { kind: 'unknown' };
    }
    const task = v.safeParse(TASK, value);
    if (!task.success) {
      throw unexpectedAnswer(STATUS).with({ mayHaveActed: false });
    }
    const { status } = task.output;
    const counts = v.safeParse(COUNTS, typeof status === 'string' ? parseJson(status) : (status ?? {}));
    const known = counts.success ? counts.output : v.parse(COUNTS, {});
    const texts = await Promise.all(known.failures.slice(0, MOST_FAILURES).map((one) => this.#transport.readable(typeof one === 'string' ? one : JSON.stringify(one))));
    return {
      kind: 'known',
      completed: task.output.completed,
      total: known.total,
      deleted: known.deleted,
      created: known.created,
      updated: known.updated,
      versionConflicts: known.version_conflicts,
      runTimeMillis: typeof task.output.runTimeNanos === 'number' ? task.output.runTimeNanos / 1e6 : undefined,
      cancelled: typeof known.canceled === 'string' ? ((await this.#transport.readable(known.canceled)) ?? '') : undefined,
      failures: texts.filter((text) => text !== undefined),
    };
  }
}

/** Whether a failure says that tasks cannot be watched on this server, however long one tries. */
export function cannotWatch(failure: ServiceFailure): boolean {
  return failure.kind === 'unsupported' || failure.kind === 'notFound' || failure.kind === 'refused';
}

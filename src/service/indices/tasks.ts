/** What became of a deletion (PROTOCOL.md §8, §6.4). Not in the interface description: a server without it is watched by repeated dry runs instead. */
import { unexpectedAnswer } from '../failure/failure.ts';
import type { Operation, ServiceFailure } from '../failure/failure.ts';
import { jsonIn, parseJson } from '../json.ts';
import { unsupported } from '../operations.ts';
import type { Operations } from '../operations.ts';
import { sleep, withRetries } from '../http/retry.ts';
import type { Pause } from '../http/retry.ts';
import { taskStatusFrom } from './taskStatus.ts';
import type { TaskStatus } from './taskStatus.ts';
import type { Transport } from '../http/transport.ts';
import * as l10n from '@vscode/l10n';

export type { TaskStatus } from './taskStatus.ts';

const STATUS: Operation = {
  name: 'getEsTaskStatus',
  doing: () => l10n.t('monitor tasks'),
  privilege: 'Get ES task status API',
};
const OPENAPI_STATUS = '/openapi/operations/elasticSearch/getTaskStatus';

export class Tasks {
  readonly #operations: Operations;
  readonly #transport: Transport;
  readonly #pause: Pause;

  constructor(operations: Operations, transport: Transport, pause: Pause = sleep) {
    this.#operations = operations;
    this.#transport = transport;
    this.#pause = pause;
  }

  /**
   * @param taskId As an execution answered it.
   * @throws ServiceFailure; `unsupported` when this server cannot tell.
   */
  status(taskId: string, signal?: AbortSignal): Promise<TaskStatus> {
    return withRetries(() => this.#statusOnce(taskId, signal), signal, this.#pause);
  }

  async #statusOnce(taskId: string, signal: AbortSignal | undefined): Promise<TaskStatus> {
    const reply = await this.#operations.ask(STATUS, { task: taskId }, signal);
    if (reply.kind === 'noSuchAction') {
      return this.#openApiStatus(taskId, signal);
    }
    // Three levels of JSON: the body, its value, and in that the status.
    return this.#statusFrom(typeof reply.value === 'string' ? parseJson(reply.value) : reply.value);
  }

  async #openApiStatus(taskId: string, signal: AbortSignal | undefined): Promise<TaskStatus> {
    const path = `${OPENAPI_STATUS}?task=${encodeURIComponent(taskId)}`;
    const answer = await this.#transport.exchange({ operation: STATUS, method: 'GET', path, signal });
    if (answer.status === 200) {
      return this.#statusFrom(jsonIn(answer));
    }
    if (answer.status === 500 && /could not get task status/i.test(answer.text)) {
      return { kind: 'unknown' };
    }
    throw answer.status === 404 || answer.status === 405
      ? unsupported(STATUS)
      : this.#transport.statusFailure(answer, STATUS);
  }

  #statusFrom(value: unknown): TaskStatus {
    const status = taskStatusFrom(value, (text) => this.#transport.readable(text));
    if (status === undefined) {
      throw unexpectedAnswer(STATUS).with({ mayHaveActed: false });
    }
    return status;
  }
}

/** Whether a failure says that tasks cannot be watched on this server, however long one tries. */
export function cannotWatch(failure: ServiceFailure): boolean {
  return failure.kind === 'unsupported' || failure.kind === 'notFound' || failure.kind === 'refused';
}

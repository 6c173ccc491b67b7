/** Calls the actions of a server's Rest.li endpoint for operations (PROTOCOL.md §6.1, §6.2). */
import { ServiceFailure, type FailureKind, type ServerOperation, unexpectedResponse } from '../failure/failure.ts';
import { readableServerText } from '../failure/redaction.ts';
import { statusFailure } from '../failure/errorResponse.ts';
import { OPERATION_PATHS } from './facts.ts';
import type { KnownServer } from './knownServer.ts';
import type { MayStillSend, TransportResponse } from '../http/transport.ts';
import { untilAborted } from '../http/waiting.ts';
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import { responseJson } from '../http/responseJson.ts';
import { isTaskId } from '../indices/truncationRequest.ts';

/** Of the interface description, for a server that was not asked yet. */
export const USUAL_OPERATIONS_PATH: string = '/gms/operations';

/** The result of an action. */
interface OperationReply {
  readonly value: unknown;
  /** Date of the response, if it has one. Unix time in ms. */
  readonly answeredAt: number | undefined;
}

/** The body of an action that changes nothing: an execution isn't one. */
type HarmlessBody = Readonly<Record<string, unknown>> & { readonly dryRun?: true };

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMillis?: number;
  readonly isRepeated?: boolean;
}

/** One call of an action. */
interface OperationRequest {
  readonly operation: ServerOperation;
  readonly body: object;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMillis?: number | undefined;
  /** Of an action that changes something. */
  readonly mayStillSend?: MayStillSend;
}

export class OperationsEndpoint {
  readonly #server: KnownServer;

  constructor(server: KnownServer) {
    this.#server = server;
  }

  /**
   * Calls an action without side effects.
   * @param options `isRepeated`: again if that may succeed in a moment.
   * @throws ServiceFailure; `notFound` if no endpoint answers, `unsupported` if it lacks the action.
   */
  callReadAction(
    operation: ServerOperation,
    body: HarmlessBody,
    { isRepeated = true, ...options }: ReadOptions = {},
  ): Promise<OperationReply> {
    const read = (): Promise<OperationReply> => this.#readOnce({ operation, body, ...options });
    return isRepeated ? this.#server.transport.repeatRead(read, options.signal) : read();
  }

  async #readOnce(question: OperationRequest): Promise<OperationReply> {
    const { operation, signal } = question;
    if (this.#server.operationsPath === undefined) {
      await this.#server.fact('identity', signal);
    }
    const path = this.#server.operationsPath;
    const answer = await (path === undefined ? this.#askEachPath(question) : this.#postToAction(path, question));
    return this.#parseActionReply(operation, answer);
  }

  /**
   * Calls an action that changes something: once, at the known endpoint.
   * @throws ServiceFailure; with `mayHaveActed` the outcome is unknown.
   */
  async callMutatingAction(
    operation: ServerOperation,
    body: object,
    timeoutMillis: number,
    mayStillSend: MayStillSend,
  ): Promise<unknown> {
    const path = this.#server.operationsPath;
    if (path === undefined) {
      throw new ServiceFailure('badRequest', l10n.t('Run a dry run first.'), {
        operation: operation.name,
      });
    }
    const answer = await this.#postToAction(path, { operation, body, timeoutMillis, mayStillSend });
    return this.#parseActionReply(operation, answer).value;
  }

  /** On a server that doesn't say what it is. Keeps the first path that answers as operations do. */
  async #askEachPath(question: OperationRequest): Promise<TransportResponse> {
    const failures: ServiceFailure[] = [];
    for (const path of OPERATION_PATHS) {
      const answer = await this.#postToAction(path, question);
      if (isFromOperations(answer)) {
        this.#server.learn({ operationsPath: path });
        return answer;
      }
      failures.push(this.#responseFailure(question.operation, answer));
    }
    // A bare 404 or a web page means "not here". A rejected credential may hide the right path.
    const other = (...kinds: readonly FailureKind[]) => failures.find(({ kind }) => !kinds.includes(kind));
    throw (
      other('notFound', 'unexpectedAnswer') ?? other('notFound') ?? other() ?? unsupportedFailure(question.operation)
    );
  }

  async #postToAction(
    path: string,
    { operation, body, signal, timeoutMillis, mayStillSend }: OperationRequest,
  ): Promise<TransportResponse> {
    const request = {
      operation,
      method: 'POST' as const,
      path: `${path}?action=${operation.name}`,
      headers: await untilAborted(this.#server.callerHeader(), signal),
      body: JSON.stringify(body),
      signal,
      timeoutMillis,
    };
    return this.#server.transport.exchange(mayStillSend === undefined ? request : { ...request, mayStillSend });
  }

  #parseActionReply(operation: ServerOperation, answer: TransportResponse): OperationReply {
    const result = actionResultIn(answer);
    if (result !== undefined) {
      return { value: result.value, answeredAt: dateOf(answer) };
    }
    throw lacksAction(answer, operation) ? unsupportedFailure(operation) : this.#responseFailure(operation, answer);
  }

  /** Explains a response without a result. Redirects never get here. */
  #responseFailure(operation: ServerOperation, answer: TransportResponse): ServiceFailure {
    return answer.status < 300
      ? unexpectedResponse(operation, readableServerText(answer.text, operation))
      : statusFailure(answer, operation, this.#server.transport.host);
  }
}

/** Unix time in ms. Current lines answer without a date; behind a gateway it may be that of the gateway. */
function dateOf({ headers }: TransportResponse): number | undefined {
  const millis = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(millis) ? undefined : millis;
}

export function unsupportedFailure(operation: ServerOperation): ServiceFailure {
  return new ServiceFailure('unsupported', l10n.t('This server doesn\'t support "{0}".', operation.name), {
    operation: operation.name,
  });
}

const ENVELOPE = v.looseObject({ value: v.unknown() });
const ERROR = v.looseObject({ exceptionClass: v.string() });
const MESSAGE = v.looseObject({ message: v.string() });

/** Result of an action; undefined if the response holds none. */
function actionResultIn(answer: TransportResponse): { readonly value: unknown } | undefined {
  if (answer.status < 200 || answer.status >= 300) {
    return undefined;
  }
  const body = responseJson(answer);
  if (typeof body === 'string') {
    return { value: body };
  }
  if (v.is(ENVELOPE, body)) {
    return { value: body.value };
  }
  // The interface description calls the result of an execution "the Task ID", so a server may send just that.
  const text = answer.text.trim();
  return isTaskId(text) ? { value: text } : undefined;
}

/** True for a response of an operations endpoint: a result or its own refusal. */
function isFromOperations(answer: TransportResponse): boolean {
  return actionResultIn(answer) !== undefined || isRestliError(answer);
}

/** For "POST operation named getIndexSizes not supported on resource …" and the like: endpoint without the action. */
function lacksAction(answer: TransportResponse, operation: ServerOperation): boolean {
  if (!isRestliError(answer) || (answer.status !== 400 && answer.status !== 404 && answer.status !== 405)) {
    return false;
  }
  const body = responseJson(answer);
  const message = v.is(MESSAGE, body) ? body.message : '';
  // Without the action's name, "not supported" may be about a parameter, such as a strategy.
  return message.includes(operation.name) && (answer.status === 404 || /not supported/i.test(message));
}

/** Release 0.14 answers other paths in the same framework's words: "No root resource defined for path '/gms'". */
function isRestliError(answer: TransportResponse): boolean {
  return (
    answer.status >= 400 &&
    !(answer.status === 404 && answer.text.includes('No root resource')) &&
    (answer.headers.get('x-restli-error-response') === 'true' || v.is(ERROR, responseJson(answer)))
  );
}

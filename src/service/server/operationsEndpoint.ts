/** Finds the Rest.li endpoint for operations on this server and calls its actions (PROTOCOL.md §6.1, §6.2). */
import { ServiceFailure, type ServerOperation } from '../failure/failure.ts';
import { unexpectedResponse } from '../failure/localFailures.ts';
import { OPERATION_PATHS, type OperationsPath } from './facts.ts';
import type { KnownServer } from './knownServer.ts';
import type { ServerEntrance } from './serverInfo.ts';
import type { MayStillSend, TransportResponse, Transport } from '../http/transport.ts';
import { untilAborted } from '../http/waiting.ts';
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import { responseJson } from '../http/json.ts';
import { isTaskId } from '../indices/truncation.ts';
import { READ_SIZES } from '../failure/privileges.ts';

/** Of the interface description, for a server that was not asked yet. */
export const USUAL_OPERATIONS_PATH: string = '/gms/operations';
const PATHS_BY_ENTRANCE: Readonly<Record<ServerEntrance, readonly OperationsPath[]>> = {
  front: ['/api/gms/operations'],
  direct: ['/operations', '/gms/operations'],
  unknown: OPERATION_PATHS,
};

/** May be about that action alone, in words other than Rest.li's. */
const REFUSALS_OF_THE_PROBE: ReadonlySet<number> = new Set([400, 403, 500]);

/** The result of an action. */
interface OperationReply {
  readonly value: unknown;
  /** Date of the response, if it has one. Unix time in ms. */
  readonly answeredAt: number | undefined;
}

/** The body of an action that changes nothing: an execution isn't one. */
type HarmlessBody = Readonly<Record<string, unknown>> & { readonly dryRun?: true };

/** One call of an action. */
interface OperationRequest {
  readonly operation: ServerOperation;
  readonly body: object | undefined;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMillis: number | undefined;
  /** Of an action that changes something. */
  readonly mayStillSend?: MayStillSend;
}

/** Changes nothing, and most servers have it. */
const PROBE: OperationRequest = { operation: READ_SIZES, body: undefined, signal: undefined, timeoutMillis: undefined };

export class OperationsEndpoint {
  readonly #transport: Transport;
  readonly #server: KnownServer;

  constructor(transport: Transport, server: KnownServer) {
    this.#transport = transport;
    this.#server = server;
  }

  /**
   * Calls an action without side effects. Looks for the endpoint if it is unknown or has moved.
   * @throws ServiceFailure; `notFound` if no endpoint answers, `unsupported` if it lacks the action.
   */
  async callReadAction(
    operation: ServerOperation,
    body: HarmlessBody | undefined,
    signal?: AbortSignal,
    timeoutMillis?: number,
  ): Promise<OperationReply> {
    const question: OperationRequest = { operation, body, signal, timeoutMillis };
    const known = this.#server.known.operationsPath;
    const answer = known === undefined ? undefined : await this.#postToAction(known, question);
    if (answer !== undefined && !isMissingEndpoint(answer)) {
      return this.#parseActionReply(operation, answer);
    }
    const place = await this.#findEndpoint(question);
    // If the endpoint is still where it was, it lacks the action.
    const found = place.answer ?? (place.path === known ? answer : undefined);
    return this.#parseActionReply(operation, found ?? (await this.#postToAction(place.path, question)));
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
    const path = this.#server.known.operationsPath;
    if (path === undefined) {
      throw new ServiceFailure('badRequest', l10n.t("The operations endpoint isn't known yet. Run a dry run first."), {
        operation: operation.name,
      });
    }
    const answer = await this.#postToAction(path, { operation, body, signal: undefined, timeoutMillis, mayStillSend });
    return this.#parseActionReply(operation, answer).value;
  }

  /**
   * Looks for the endpoint with a harmless action. Falls back to the request itself, a dry run or a read,
   * since a server may have truncation (PROTOCOL.md §2.3) and nothing else.
   * @returns the path, with the response if the request itself was sent there.
   */
  async #findEndpoint(
    question: OperationRequest,
  ): Promise<{ path: OperationsPath; answer: TransportResponse | undefined }> {
    const { operation, signal } = question;
    const paths = PATHS_BY_ENTRANCE[(await this.#server.fact('identity')).entrance];
    let asked = operation.name === READ_SIZES.name ? question : PROBE;
    let { path, answer } = await this.#askEachPath(paths, { ...asked, signal });
    const isAboutProbe = isMissingEndpoint(answer) || REFUSALS_OF_THE_PROBE.has(answer.status);
    if (path === undefined && asked !== question && isAboutProbe) {
      asked = question;
      ({ path, answer } = await this.#askEachPath(paths, question));
    }
    this.#server.learn({ operationsPath: path });
    if (path === undefined) {
      throw this.#responseFailure(operation, answer);
    }
    return { path, answer: asked === question ? answer : undefined };
  }

  /** The first path with an operations endpoint; otherwise the response that explains its absence best. */
  async #askEachPath(
    paths: readonly OperationsPath[],
    question: OperationRequest,
  ): Promise<{ path: OperationsPath | undefined; answer: TransportResponse }> {
    let mostRelevant: TransportResponse | undefined;
    for (const path of paths) {
      const answer = await this.#postToAction(path, question);
      if (isFromOperations(answer)) {
        return { path, answer };
      }
      if (answer.status === 429 || answer.status === 503) {
        throw this.#transport.statusFailure(answer, question.operation);
      }
      // A bare 404 or a web page means "not here". A rejected credential may hide the right path.
      if (mostRelevant === undefined || isMissingEndpoint(mostRelevant)) {
        mostRelevant = answer;
      }
    }
    if (mostRelevant === undefined) {
      throw unsupportedFailure(question.operation);
    }
    return { path: undefined, answer: mostRelevant };
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
      body: JSON.stringify(body ?? {}),
      signal,
      timeoutMillis,
    };
    return this.#transport.exchange(mayStillSend === undefined ? request : { ...request, mayStillSend });
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
      ? unexpectedResponse(operation, this.#transport.readableText(answer.text, operation))
      : this.#transport.statusFailure(answer, operation);
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

/** True for a response without such an endpoint: a bare 404, or a web page. */
function isMissingEndpoint(answer: TransportResponse): boolean {
  const { status } = answer;
  return (
    !isFromOperations(answer) && (status === 404 || status === 405 || status === 410 || (status >= 200 && status < 300))
  );
}

/** For "POST operation named getIndexSizes not supported on resource …" and the like: endpoint without the action. */
function lacksAction(answer: TransportResponse, operation: ServerOperation): boolean {
  if (answer.status !== 400 && answer.status !== 404 && answer.status !== 405) {
    return false;
  }
  if (!isRestliError(answer)) {
    return answer.status !== 400;
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

/** Rest.li actions (spec §4.2; facts §5): where they are on this server, their envelope, their errors. */
import * as v from 'valibot';
import { ServiceFailure, unexpectedAnswer } from './failure.ts';
import type { Operation } from './failure.ts';
import { parseJson } from './json.ts';
import type { Entrance } from './product.ts';
import type { Answer, Transport } from './transport.ts';
import { l10n } from './words.ts';

/** Where actions answer: behind the front end, as the spec writes it, and on the service itself (facts §1). */
const PATHS: Readonly<Record<Entrance, readonly string[]>> = {
  front: ['/api/gms/operations'],
  direct: ['/operations', '/gms/operations'],
  unknown: ['/api/gms/operations', '/gms/operations', '/operations'],
};

const ENVELOPE = v.looseObject({ value: v.unknown() });
const RESTLI_ERROR = v.union([
  v.looseObject({ exceptionClass: v.string() }),
  v.looseObject({ status: v.number(), message: v.string() }),
  v.looseObject({ status: v.number(), errorDetails: v.unknown() }),
]);

/** What an action's endpoint turned out to be. */
export type Reply =
  | { readonly kind: 'value'; readonly value: unknown }
  /** The endpoint is there, the action is not. */
  | { readonly kind: 'noSuchAction' };

/** Remembered between sessions: the path is a constant of ours, chosen by what answered. */
export interface PathMemory {
  get(): string | undefined;
  set(path: string): void;
  entrance(): Promise<Entrance>;
}

export class Operations {
  readonly #transport: Transport;
  readonly #memory: PathMemory;

  constructor(transport: Transport, memory: PathMemory) {
    this.#transport = transport;
    this.#memory = memory;
  }

  /**
   * Calls an action without side effects, looking for the endpoint when it is not known yet.
   * @throws ServiceFailure; `notFound` when no endpoint answers.
   */
  async ask(operation: Operation, body: object | undefined, signal?: AbortSignal, timeoutMillis?: number): Promise<Reply> {
    const known = this.#memory.get();
    if (known !== undefined) {
      return this.#interpret(operation, await this.#post(known, operation, body, signal, timeoutMillis));
    }
    let last: Answer | undefined;
    for (const path of PATHS[await this.#memory.entrance()]) {
      // oxlint-disable-next-line no-await-in-loop -- the next path is asked only when this one is not it
      const answer = await this.#post(path, operation, body, signal, timeoutMillis);
      if (isOurs(answer)) {
        this.#memory.set(path);
        return this.#interpret(operation, answer);
      }
      // A 404 or a page of the web application means "not here"; a refusal at the door may hide the right place.
      if (last === undefined || isNowhere(last)) {
        last = answer;
      }
    }
    throw last === undefined || (last.status >= 200 && last.status < 300) ? unexpectedAnswer(operation) : await this.#transport.statusFailure(last, operation);
  }

  /**
   * Calls an action that changes something: once, at the endpoint that answered before.
   * @throws ServiceFailure; with `mayHaveActed` the outcome is unknown.
   */
  async act(operation: Operation, body: object, signal?: AbortSignal, timeoutMillis?: number): Promise<unknown> {
    const path = this.#memory.get();
    if (path === undefined) {
      throw new ServiceFailure('badRequest', l10n.t('The endpoint for operations is not known yet: dry-run first.'), { operation: operation.name });
    }
    const answer = await this.#post(path, operation, body, signal, timeoutMillis);
    const reply = await this.#interpret(operation, answer);
    if (reply.kind === 'noSuchAction') {
      throw unsupported(operation);
    }
    return reply.value;
  }

  #post(path: string, operation: Operation, body: object | undefined, signal: AbortSignal | undefined, timeoutMillis?: number): Promise<Answer> {
    return this.#transport.exchange({
      operation,
      method: 'POST',
      path: `${path}?action=${operation.name}`,
      body: JSON.stringify(body ?? {}),
      signal,
      ...(timeoutMillis === undefined ? {} : { timeoutMillis }),
    });
  }

  async #interpret(operation: Operation, answer: Answer): Promise<Reply> {
    const body = parseJson(answer.text);
    if (answer.status >= 200 && answer.status < 300) {
      if (typeof body === 'string') {
        return { kind: 'value', value: body };
      }
      const envelope = v.safeParse(ENVELOPE, body);
      if (!envelope.success) {
        throw unexpectedAnswer(operation, await this.#transport.readable(answer.text));
      }
      return { kind: 'value', value: envelope.output.value };
    }
    if (lacksAction(answer, body, operation)) {
      return { kind: 'noSuchAction' };
    }
    throw await this.#transport.statusFailure(answer, operation);
  }
}

export function unsupported(operation: Operation): ServiceFailure {
  return new ServiceFailure('unsupported', l10n.t('This server has no operation "{0}".', operation.name), { operation: operation.name });
}

/** Whether an answer comes from the operations endpoint, be it a result or a refusal of its own. */
function isOurs(answer: Answer): boolean {
  const body = parseJson(answer.text);
  if (answer.status >= 200 && answer.status < 300) {
    return typeof body === 'string' || v.is(ENVELOPE, body);
  }
  return answer.headers.get('x-restli-error-response') === 'true' || v.is(v.looseObject({ exceptionClass: v.string() }), body);
}

function isNowhere(answer: Answer): boolean {
  return answer.status === 404 || answer.status === 405 || answer.status < 300;
}

/** "POST operation named getIndexSizes not supported on resource …" and its kin: a Rest.li error about the action itself. */
function lacksAction(answer: Answer, body: unknown, operation: Operation): boolean {
  if (answer.status !== 400 && answer.status !== 404 && answer.status !== 405) {
    return false;
  }
  if (answer.status === 404 && !v.is(RESTLI_ERROR, body)) {
    return true;
  }
  const message = v.is(v.looseObject({ message: v.string() }), body) ? (body as { message: string }).message : '';
  return /not supported|unknown action|no such (?:action|operation)/i.test(message) || (answer.status === 404 && message.includes(operation.name));
}

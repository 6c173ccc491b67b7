/** Reads what an action's endpoint answers: Rest.li's envelope, its error body, or a sign that this is another endpoint (PROTOCOL.md §6.1, §6.2). */
import * as v from 'valibot';
import type { Operation } from './failure/failure.ts';
import { jsonIn } from './json.ts';
import { isTaskId } from './indices/taskId.ts';
import type { Answer } from './http/transport.ts';

const ENVELOPE = v.looseObject({ value: v.unknown() });
const ERROR = v.looseObject({ exceptionClass: v.string() });
const MESSAGE = v.looseObject({ message: v.string() });

/** The result of an action, or undefined when the answer holds none. */
export function valueIn(answer: Answer): { readonly value: unknown } | undefined {
  if (answer.status < 200 || answer.status >= 300) {
    return undefined;
  }
  const body = jsonIn(answer);
  if (typeof body === 'string') {
    return { value: body };
  }
  if (v.is(ENVELOPE, body)) {
    return { value: body.value };
  }
  // The interface description calls the result of an execution "the Task ID": a server may write just that.
  const text = answer.text.trim();
  return isTaskId(text) ? { value: text } : undefined;
}

/** Whether an answer comes from an operations endpoint, be it a result or a refusal of its own. */
export function isFromOperations(answer: Answer): boolean {
  return valueIn(answer) !== undefined || isRestliError(answer);
}

/** Whether an answer says that there is no such endpoint: a bare 404, or a page of a web application. */
export function isNowhere(answer: Answer): boolean {
  const { status } = answer;
  return (
    !isFromOperations(answer) && (status === 404 || status === 405 || status === 410 || (status >= 200 && status < 300))
  );
}

/** "POST operation named getIndexSizes not supported on resource …" and its kin: the endpoint is there, the action is not. */
export function lacksAction(answer: Answer, operation: Operation): boolean {
  if (answer.status !== 400 && answer.status !== 404 && answer.status !== 405) {
    return false;
  }
  if (!isRestliError(answer)) {
    return answer.status !== 400;
  }
  const body = jsonIn(answer);
  const message = v.is(MESSAGE, body) ? body.message : '';
  const isNamed = message.includes(operation.name);
  // Without the action's name "not supported" may be about what was asked of it, such as a strategy.
  return (
    /unknown action|no such (?:action|operation)/i.test(message) ||
    (isNamed && (answer.status === 404 || /not supported/i.test(message)))
  );
}

function isRestliError(answer: Answer): boolean {
  return (
    answer.status >= 400 && (answer.headers.get('x-restli-error-response') === 'true' || v.is(ERROR, jsonIn(answer)))
  );
}

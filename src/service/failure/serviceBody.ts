/** Recognizes a refusal that the service itself wrote (PROTOCOL.md §3.3, §6.2), and not something in front of it. */
import * as v from 'valibot';
import { responseJson } from '../http/json.ts';

interface RefusalResponse {
  readonly text: string;
}

const RESTLI = v.union([
  v.looseObject({ exceptionClass: v.string() }),
  v.strictObject({ message: v.string(), status: v.picklist([401, 403]) }),
]);
/** Without the other keys of gateways that list errors too. */
const GRAPHQL = v.strictObject({
  errors: v.array(v.looseObject({ message: v.string() })),
  data: v.optional(v.unknown()),
  extensions: v.optional(v.unknown()),
});
const OPENAPI = /^urn:li:\w+:\S+ is not authorized to /;

/** A gateway may run on Jetty too, but says this in other words. */
const JETTY_401 = 'Unauthorized to perform this action.';

/** True for 401 or 403 of an operation, in any release. */
export function isServiceRefusal(answer: RefusalResponse): boolean {
  const body = responseJson(answer);
  const isOfOperation = v.is(RESTLI, body) || v.is(GRAPHQL, body) || OPENAPI.test(answer.text);
  return isOfOperation || isContainer401(answer) || answer.text.includes(JETTY_401);
}

/** A 401 of the containers that the service runs in: Jetty of 0.14, Spring of 1.6. */
const CONTAINER_401 = v.union([
  v.strictObject({ servlet: v.string(), message: v.literal(JETTY_401), url: v.string(), status: v.literal('401') }),
  v.strictObject({ timestamp: v.number(), status: v.literal(401), error: v.string(), path: v.string() }),
]);
const PAGE_401 = new RegExp(`HTTP ERROR 401 ${JETTY_401}[^]*SERVLET:`);

/** True if the container of the service rejected the credential. */
export function isContainer401(answer: RefusalResponse): boolean {
  return v.is(CONTAINER_401, responseJson(answer)) || PAGE_401.test(answer.text);
}

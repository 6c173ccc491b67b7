/** Tells a refusal that the service itself wrote (PROTOCOL.md §3.3, §6.2) from one of something in front of it. */
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

/** A gateway may run on Jetty too, but says this in other words. */
const JETTY_401 = 'Unauthorized to perform this action.';

/** A 401 of the containers that the service runs in: Jetty of 0.14, Spring of 1.6. */
const CONTAINER_401 = v.union([
  v.strictObject({ servlet: v.string(), message: v.literal(JETTY_401), url: v.string(), status: v.literal('401') }),
  v.strictObject({ timestamp: v.number(), status: v.literal(401), error: v.string(), path: v.string() }),
]);
const PAGE_401 = new RegExp(`HTTP ERROR 401 ${JETTY_401}[^]*SERVLET:`);

/**
 * Who wrote a refusal: an operation of the service, its container, probably its container (the same words in another
 * form), nobody (an empty body), or a gateway in front of the service.
 */
export type Author = 'operation' | 'container' | 'likelyContainer' | 'nobody' | 'gateway';

export function authorOf(answer: RefusalResponse): Author {
  const body = responseJson(answer);
  if (v.is(RESTLI, body) || v.is(GRAPHQL, body)) {
    return 'operation';
  }
  if (v.is(CONTAINER_401, body) || PAGE_401.test(answer.text)) {
    return 'container';
  }
  if (answer.text.includes(JETTY_401)) {
    return 'likelyContainer';
  }
  return answer.text.trim() === '' ? 'nobody' : 'gateway';
}

/** True for 401 or 403 of the service, in any release. */
export function isServiceRefusal(answer: RefusalResponse): boolean {
  const author = authorOf(answer);
  return author !== 'gateway' && author !== 'nobody';
}

/** Reads a response outside 2xx for what failureTable.ts explains: what it says, and whether the service itself wrote it. */
import * as v from 'valibot';
import { ServiceFailure, type SentCredential, type ServerOperation } from './failure.ts';
import { explainFailure } from './explainFailure.ts';
import type { Author } from './failureTable.ts';
import { readableServerText } from './redaction.ts';
import { responseJson } from '../http/responseJson.ts';
import { MILLIS_PER_SECOND } from '../../time.ts';

/** The parts of a response that explain a failure. */
interface HttpErrorResponse {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  readonly withCredential: SentCredential;
}

/** @param host Host and port, as the user entered them. */
export function statusFailure(answer: HttpErrorResponse, operation: ServerOperation, host: string): ServiceFailure {
  const { status, headers, withCredential } = answer;
  return explainFailure({
    operation,
    host,
    status,
    said: readableServerText(serverMessageIn(answer), operation),
    author: status === 401 || status === 403 ? authorOf(answer) : undefined,
    sent: withCredential,
    retryAfterMillis: pauseInMillis(headers.get('retry-after')),
  });
}

/** Without the target, which nothing is sent to. */
export function redirectFailure(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  url: string,
  operation: ServerOperation,
  host: string,
): ServiceFailure {
  const redirect = leadsToTls(url, headers.get('location')) ? 'toTls' : 'elsewhere';
  return explainFailure({ operation, host, status, sent: false, redirect });
}

/** True if a redirect leads from http:// to https:// on the same host, on whichever port. */
function leadsToTls(url: string, location: string | null): boolean {
  const target = location === null ? null : URL.parse(location, url);
  const asked = new URL(url);
  return asked.protocol === 'http:' && target?.protocol === 'https:' && target.hostname === asked.hostname;
}

/**
 * Finds the readable part of an error body: `message` of Rest.li and Jetty, the first GraphQL error, Spring's
 * `error`.
 * Otherwise the text itself, unless it is JSON.
 */
function serverMessageIn(answer: HttpErrorResponse): string {
  const body = responseJson(answer);
  if (body === undefined) {
    return answer.text;
  }
  if (typeof body === 'string') {
    return body;
  }
  if (body === null) {
    return '';
  }
  const { message, errors, error } = body as { message?: unknown; errors?: unknown; error?: unknown };
  const first = (Array.isArray(errors) ? errors[0] : undefined) as { message?: unknown } | null | undefined;
  return [message, first?.message, error].find((one) => typeof one === 'string') ?? '';
}

/** In ms. A date, or nonsense, counts as no waiting time. */
function pauseInMillis(header: string | null): number | undefined {
  return /^\d{1,6}$/.test(header ?? '') ? Number(header) * MILLIS_PER_SECOND : undefined;
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

function authorOf(answer: Pick<HttpErrorResponse, 'text'>): Author {
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
export function isServiceRefusal(answer: Pick<HttpErrorResponse, 'text'>): boolean {
  const author = authorOf(answer);
  return author !== 'gateway' && author !== 'nobody';
}

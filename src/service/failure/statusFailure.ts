/** Reads a response outside 2xx for what failureTable.ts explains: the bodies of proxies, Jetty and Rest.li. */
import { ServiceFailure, type SentCredential, type ServerOperation } from './failure.ts';
import { explainFailure } from './explainFailure.ts';
import { authorOf } from './serviceBody.ts';
import { readableServerText } from './redaction.ts';
import { responseJson } from '../http/json.ts';
import { MILLIS_PER_SECOND } from '../../time.ts';
import * as l10n from '@vscode/l10n';

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

/** Without the target, which nothing is sent to. The server may have acted before it redirected. */
export function redirectFailure(host: string, url: string, location: string | null): ServiceFailure {
  const isToTls = leadsToTls(url, location);
  return new ServiceFailure(
    'redirected',
    l10n.t("{0} redirected the request. For safety, tokens aren't sent to redirects.", host),
    {
      mayHaveActed: true,
      isFromGateway: !isToTls,
      next: isToTls
        ? l10n.t('Check the port. If the server uses TLS on it, start the address with https://.')
        : l10n.t(
            'Enter the address of the service itself. If a sign-in page is in front of it, add the headers that it asks for under "Additional headers" of the connection.',
          ),
    },
  );
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

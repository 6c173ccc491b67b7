/**
 * Explains a status outside 2xx. Reads the bodies of proxies, Jetty and Rest.li tolerantly (PROTOCOL.md §3.3, §6.2).
 */
import {
  ServiceFailure,
  signedOutFailure,
  unexpectedResponse,
  type SentCredential,
  type ServerOperation,
} from './failure.ts';
import { refusedFailure } from './privileges.ts';
import { isContainer401, isServiceRefusal } from './serviceBody.ts';
import { responseJson } from '../http/json.ts';
import * as l10n from '@vscode/l10n';

/** The parts of a response that explain a failure. */
interface HttpErrorResponse {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  readonly withCredential: SentCredential;
}

/**
 * @param toDisplayText Makes a server's text showable, or undefined if nothing is left of it.
 * @param now Unix time in ms.
 */
export function statusFailure(
  answer: HttpErrorResponse,
  operation: ServerOperation,
  toDisplayText: (text: string) => string | undefined,
  now = Date.now(),
): ServiceFailure {
  const { status } = answer;
  const serverText = operation.answersSecret === true ? undefined : toDisplayText(serverMessageIn(answer));
  const facts = { operation: operation.name, status, serverText };
  const known = knownServerMessage(serverText);
  if (status === 401) {
    return signInFailure(answer, operation, serverText);
  }
  if (status === 403) {
    return isServiceRefusal(answer) ? refusedFailure(operation, serverText) : gatewayFailure(answer, facts);
  }
  if (status === 404 || status === 405 || status === 410) {
    return new ServiceFailure(
      'notFound',
      known?.sentence ?? l10n.t('The server doesn\'t support "{0}" (HTTP {1}).', operation.name, status),
      {
        ...facts,
        headline: known?.headline,
        next: known?.next ?? l10n.t("Check the connection's address: the part before /api/graphql."),
      },
    );
  }
  if (status === 407) {
    return new ServiceFailure('unreachable', l10n.t('The proxy requires credentials.'), {
      ...facts,
      headline: l10n.t('Proxy sign-in required (407)'),
      next: l10n.t('Check the http.proxy setting and your proxy credentials.'),
    });
  }
  if (status === 408) {
    return new ServiceFailure('timedOut', l10n.t('The server timed out waiting for "{0}".', operation.name), {
      ...facts,
      mayHaveActed: true,
      transient: true,
      next: l10n.t('Check your network and try again.'),
    });
  }
  if (status === 413) {
    return new ServiceFailure('badRequest', l10n.t('The server rejected the request as too large.'), facts);
  }
  if (status === 421 || status === 425) {
    return new ServiceFailure('unavailable', unprocessedSentence(status), {
      ...facts,
      // A proxy may say this after another server has read the request.
      mayHaveActed: true,
      transient: true,
      next: l10n.t('Try again. If it keeps happening, check the proxy in front of the server.'),
    });
  }
  if (status === 429) {
    const retryAfterMillis = parseRetryAfter(answer.headers.get('retry-after'), now);
    return new ServiceFailure('throttled', l10n.t('Too many requests for this server.'), {
      ...facts,
      retryAfterMillis,
      transient: true,
      next: retryAdvice(retryAfterMillis),
    });
  }
  if (status === 502 || status === 503 || status === 504) {
    return new ServiceFailure('unavailable', l10n.t("The server isn't ready (HTTP {0}).", status), {
      ...facts,
      // A proxy also says these after passing a request on, and the service says 503 for a result it can't write.
      mayHaveActed: true,
      transient: true,
      retryAfterMillis: parseRetryAfter(answer.headers.get('retry-after'), now),
      next: l10n.t('Try again in a moment. If it keeps happening, the server or its proxy is down.'),
    });
  }
  if (status >= 400 && status < 500) {
    return new ServiceFailure(
      'badRequest',
      known?.sentence ??
        (serverText === undefined
          ? l10n.t('The server rejected "{0}" (HTTP {1}).', operation.name, status)
          : l10n.t('The server rejected "{0}" (HTTP {1}): {2}', operation.name, status, serverText)),
      { ...facts, mayHaveActed: isProxyStatus(status), headline: known?.headline, next: known?.next },
    );
  }
  if (status >= 500) {
    return new ServiceFailure(
      'server',
      known?.sentence ??
        (serverText === undefined
          ? l10n.t('The server failed on "{0}" (HTTP {1}).', operation.name, status)
          : l10n.t('The server failed on "{0}" (HTTP {1}): {2}', operation.name, status, serverText)),
      {
        ...facts,
        mayHaveActed: true,
        headline: known?.headline,
        next: known?.next ?? l10n.t('Try again. If it keeps happening, check the server log.'),
      },
    );
  }
  return unexpectedResponse(operation, serverText).with({ status });
}

/** Without the target, which nothing is sent to. The server may have acted before it redirected. */
export function redirectFailure(host: string): ServiceFailure {
  return new ServiceFailure(
    'redirected',
    l10n.t("{0} redirected the request. For safety, tokens aren't sent to redirects.", host),
    {
      mayHaveActed: true,
      isFromGateway: true,
      next: l10n.t(
        'Enter the address of the service itself. If a sign-in page is in front of it, add the headers that it asks for under "Additional headers" in Edit Connection.',
      ),
    },
  );
}

/**
 * No standard defines these. Proxies use some after passing a request on: 499 for a caller that seems gone,
 * 460 for a timeout.
 */
function isProxyStatus(status: number): boolean {
  return status > 431 && status !== 451;
}

function unprocessedSentence(status: 421 | 425): string {
  return status === 421
    ? l10n.t('The request reached a server that says the request was meant for another server (HTTP {0}).', status)
    : l10n.t('The server declined to process the request at this time (HTTP {0}).', status);
}

/** 403 without a word of the service: it may not have seen the request, so no privilege is missing. */
function gatewayFailure({ status }: HttpErrorResponse, facts: GatewayFacts): ServiceFailure {
  return new ServiceFailure(
    'refused',
    facts.serverText === undefined
      ? l10n.t('The server, or something in front of it, refused the request (HTTP {0}).', status)
      : l10n.t(
          'Something in front of the server refused the request (HTTP {0}): {1}',
          status,
          asSentence(facts.serverText),
        ),
    {
      ...facts,
      isFromGateway: true,
      next: l10n.t(
        'Check the network and the VPN. If a gateway is in front of the server, add the headers that it asks for under "Additional headers" in Edit Connection.',
      ),
    },
  );
}

interface GatewayFacts {
  readonly operation: string;
  readonly serverText: string | undefined;
}

function asSentence(words: string): string {
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}

/**
 * A front end without its own authentication takes only session cookies: Bearer alone gets an empty 401 (PROTOCOL.md
 * §3.2). A gateway has words of its own.
 */
function signInFailure(
  answer: HttpErrorResponse,
  operation: ServerOperation,
  serverText: string | undefined,
): ServiceFailure {
  const failure = signedOutFailure(operation, answer.withCredential, serverText).with({
    credentialEnded: answer.withCredential === 'accepted' && isContainer401(answer),
  });
  const isFromGateway = !isServiceRefusal(answer) && serverText !== undefined;
  if (answer.withCredential === false || answer.withCredential === 'expired') {
    return isFromGateway ? failure.with({ isFromGateway }) : failure;
  }
  if (answer.text.trim() === '') {
    return answer.withCredential === 'accepted'
      ? failure
      : failure.with({
          next: l10n.t(
            "Sign in with another access token. If this one is valid, the web front end may not accept access tokens: use the service's own address.",
          ),
        });
  }
  return !isFromGateway
    ? failure
    : new ServiceFailure('signedOut', l10n.t('Access token rejected: {0}', asSentence(serverText)), {
        operation: operation.name,
        status: 401,
        serverText,
        isFromGateway,
        next: l10n.t(
          'Something in front of the server may have answered. Sign in with another access token, or add the headers that it asks for under "Additional headers" in Edit Connection.',
        ),
      });
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

/** A server that asks for more than a day is wrong. */
const LONGEST_PAUSE_MILLIS = 24 * 60 * 60 * 1000;
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Parses seconds or a date into ms. Nonsense counts as no waiting time. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  const value = header?.trim() ?? '';
  const millis = /^\d{1,9}$/.test(value)
    ? Number(value) * 1000
    : HTTP_DATE.test(value)
      ? Math.max(0, Date.parse(value) - now)
      : Number.NaN;
  return millis <= LONGEST_PAUSE_MILLIS ? millis : undefined;
}

function retryAdvice(millis: number | undefined): string {
  if (millis === undefined) {
    return l10n.t('Try again in a minute.');
  }
  const seconds = Math.max(1, Math.ceil(millis / 1000));
  return seconds <= 120
    ? l10n.t('Try again in {0} s.', seconds)
    : l10n.t('Try again in {0} min.', Math.ceil(seconds / 60));
}

/** A server's complaint in our words (PROTOCOL.md §6.2, §7.6). Only exact phrases are translated; others are quoted. */
export interface RewordedServerMessage {
  readonly headline: string;
  readonly sentence: string;
  readonly next: string;
}

interface KnownMessagePattern {
  readonly says: RegExp;
  /** @param found Captures of the pattern; empty where the text was cut off. */
  readonly rewordedMessage: (...found: readonly string[]) => RewordedServerMessage;
}

const checkNamesAdvice = (): string => l10n.t('Check the entity type and the aspect.');

/** The first match counts. */
const KNOWN_MESSAGES: readonly KnownMessagePattern[] = [
  {
    says: /\bno such index \[([^[\]\s]+)\]/,
    rewordedMessage: (index = '') => ({
      headline: l10n.t('No such index'),
      sentence: l10n.t('The server has no index "{0}".', index),
      next: checkNamesAdvice(),
    }),
  },
  {
    says: /\bindex_not_found_exception\b/,
    rewordedMessage: () => ({
      headline: l10n.t('No such index'),
      sentence: l10n.t('The server has no such index.'),
      next: checkNamesAdvice(),
    }),
  },
  {
    says: /\bFailed to find entity with name (\S+) in EntityRegistry\b/,
    rewordedMessage: (entityType = '') => ({
      headline: l10n.t('No such entity type'),
      sentence: l10n.t('The server has no entity type "{0}".', entityType),
      next: l10n.t('Check the entity type.'),
    }),
  },
  {
    says: /\bmethod \[[A-Z]+\], host \[.*?\], URI \[.*?\], status line \[HTTP\/[\d.]+ (\d{3})\b/,
    rewordedMessage: (status = '') => ({
      headline: l10n.t('Search cluster error ({0})', status),
      sentence: l10n.t("The server's search cluster reported an error (HTTP {0}).", status),
      next: l10n.t('Ask a server administrator. See the server log for details.'),
    }),
  },
];

/** @param serverText Showable words of the server. @returns undefined for unknown words. */
export function knownServerMessage(serverText: string | undefined): RewordedServerMessage | undefined {
  for (const { says, rewordedMessage } of KNOWN_MESSAGES) {
    const found = says.exec(serverText ?? '');
    if (found !== null) {
      return rewordedMessage(...found.slice(1));
    }
  }
  return undefined;
}

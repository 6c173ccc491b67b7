/**
 * The only user of `fetch`. Pins every request to the connection's origin, refuses redirects, bounds time and size,
 * aborts on the wire, and lets no secret into a failure.
 */
import { ServiceFailure, cancelled, signedOut, refused, unexpectedAnswer } from './failure.ts';
import type { Operation } from './failure.ts';
import { networkFailure } from './networkFailure.ts';
import { mask, readable } from './redaction.ts';
import { l10n } from './words.ts';

/** Largest answer that is read, in bytes: thousands of indices are well below it. */
export const LARGEST_ANSWER_BYTES = 16 * 1024 * 1024;

export interface TransportOptions {
  /** As `checkBaseUrl` gives it. */
  readonly baseUrl: string;
  /** The access token, read when it is needed; undefined when signed out. */
  readonly credential: () => Promise<string | undefined>;
  /** How long a whole exchange may take, in ms; read for each request. */
  readonly timeoutMillis: () => number;
  /** Told of each exchange, for the log. Holds no header and no body. */
  readonly observe?: ((exchange: Exchange) => void) | undefined;
  readonly largestAnswerBytes?: number;
}

export interface Exchange {
  readonly operation: string;
  readonly method: string;
  /** Path and query: neither ever holds a secret. */
  readonly path: string;
  /** Undefined when no answer came. */
  readonly status: number | undefined;
  readonly millis: number;
  readonly bytes: number;
  readonly failure?: string;
}

export interface Request {
  readonly operation: Operation;
  readonly method: 'GET' | 'POST';
  /** Begins with a slash; appended to the base URL. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
  /** Overrides the connection's, in ms. */
  readonly timeoutMillis?: number;
}

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  readonly headers: Headers;
}

export class Transport {
  readonly #options: TransportOptions;
  readonly #base: URL;
  readonly #closed = new AbortController();

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#base = new URL(options.baseUrl);
  }

  get host(): string {
    return this.#base.host;
  }

  async hasCredential(): Promise<boolean> {
    return (await this.#options.credential()) !== undefined;
  }

  /** Aborts what is under way; nothing is sent any more. */
  close(): void {
    this.#closed.abort();
  }

  /**
   * Sends one request, once.
   * @returns the answer with a 2xx status.
   * @throws ServiceFailure for everything else.
   */
  async send(request: Request): Promise<Answer> {
    const answer = await this.exchange(request);
    if (answer.status >= 200 && answer.status < 300) {
      return answer;
    }
    throw await this.statusFailure(answer, request.operation);
  }

  /**
   * Sends one request, once, and gives the answer whatever its status.
   * @throws ServiceFailure when no whole answer came.
   */
  async exchange(request: Request): Promise<Answer> {
    const { operation } = request;
    const started = performance.now();
    const timeout = request.timeoutMillis ?? this.#options.timeoutMillis();
    const timer = AbortSignal.timeout(timeout);
    const signal = AbortSignal.any([timer, this.#closed.signal, ...(request.signal === undefined ? [] : [request.signal])]);
    let status: number | undefined;
    let bytes = 0;
    let failure: ServiceFailure | undefined;
    let sent = false;
    try {
      const credential = await this.#options.credential();
      signal.throwIfAborted();
      sent = true;
      const response = await globalThis.fetch(this.#urlOf(request.path), {
        method: request.method,
        headers: {
          Accept: 'application/json',
          ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...request.headers,
          ...(credential === undefined ? {} : { Authorization: `Bearer ${credential}` }),
        },
        ...(request.body === undefined ? {} : { body: request.body }),
        redirect: 'error',
        credentials: 'omit',
        cache: 'no-store',
        signal,
      });
      status = response.status;
      const text = await this.#read(response, operation, (size) => (bytes = size));
      return { status, contentType: response.headers.get('content-type') ?? '', text, headers: response.headers };
    } catch (thrown) {
      failure = this.#failureOf(thrown, operation, { timer, timeout, aborted: signal.aborted, sent });
      throw failure;
    } finally {
      this.#options.observe?.({
        operation: operation.name,
        method: request.method,
        path: request.path,
        status,
        millis: Math.round(performance.now() - started),
        bytes,
        ...(failure === undefined ? {} : { failure: failure.kind }),
      });
    }
  }

  /** A server's text as people may see it: masked, one line, cut. */
  async readable(text: string): Promise<string | undefined> {
    return readable(text, await this.#secrets());
  }

  /** A server's text with nothing but its secrets taken out. */
  async masked(text: string): Promise<string> {
    return mask(text, await this.#secrets());
  }

  /** What a status outside 2xx means. Bodies of proxies, Jetty and Rest.li are read tolerantly (facts §4, §5.5). */
  async statusFailure(answer: Answer, operation: Operation): Promise<ServiceFailure> {
    const { status } = answer;
    const serverText = await this.readable(messageOf(answer.text));
    const facts = { operation: operation.name, status, serverText };
    if (status === 401) {
      return signedOut(operation, await this.hasCredential(), serverText);
    }
    if (status === 403) {
      return refused(operation, serverText);
    }
    if (status === 407) {
      return new ServiceFailure('unreachable', l10n.t('The proxy in between asks for credentials.'), {
        ...facts,
        next: l10n.t('Check the setting http.proxy and the credentials of your proxy.'),
      });
    }
    if (status === 429) {
      const retryAfterMillis = retryAfter(answer.headers.get('retry-after'), Date.now());
      return new ServiceFailure('throttled', l10n.t('The server asks to send fewer requests.'), {
        ...facts,
        retryAfterMillis,
        transient: true,
        next: retryAfterMillis === undefined ? l10n.t('Try again in a minute.') : l10n.t('Try again in {0} s.', Math.ceil(retryAfterMillis / 1000)),
      });
    }
    if (status === 502 || status === 503 || status === 504) {
      return new ServiceFailure('unavailable', l10n.t('The server is not ready to answer (HTTP {0}).', status), {
        ...facts,
        mayHaveActed: status !== 503,
        transient: true,
        next: l10n.t('Try again in a moment; if it stays so, the server or the proxy in front of it is down.'),
      });
    }
    if (status === 404 || status === 405) {
      return new ServiceFailure('notFound', l10n.t('The server has nothing that answers "{0}" (HTTP {1}).', operation.name, status), {
        ...facts,
        next: l10n.t('Check the address of the connection; it is the one that ends before /api/graphql.'),
      });
    }
    if (status === 413) {
      return new ServiceFailure('badRequest', l10n.t('The server finds the request too large.'), facts);
    }
    if (status >= 400 && status < 500) {
      const sentence = l10n.t('The server did not take the request "{0}" (HTTP {1}){2}', operation.name, status, saying(serverText));
      return new ServiceFailure('badRequest', sentence, facts);
    }
    if (status >= 500) {
      const sentence = l10n.t('The server failed on "{0}" (HTTP {1}){2}', operation.name, status, saying(serverText));
      return new ServiceFailure('server', sentence, { ...facts, mayHaveActed: true, next: l10n.t("Try again; if it stays so, the server's log says why.") });
    }
    return unexpectedAnswer(operation, serverText).with({ status });
  }

  /** A path can never lead to another origin or out of the base path. */
  #urlOf(path: string): string {
    const url = new URL(this.#base.href.replace(/\/+$/, '') + path);
    if (!path.startsWith('/') || url.origin !== this.#base.origin) {
      throw new ServiceFailure('badRequest', l10n.t('The request would leave the server of this connection.'));
    }
    return url.href;
  }

  async #secrets(): Promise<string[]> {
    const credential = await this.#options.credential().catch(() => undefined);
    return credential === undefined ? [] : [credential];
  }

  /** Reads a body piece by piece, so that an endless one costs no more than the cap. */
  async #read(response: Response, operation: Operation, progress: (bytes: number) => void): Promise<string> {
    const largest = this.#options.largestAnswerBytes ?? LARGEST_ANSWER_BYTES;
    const tooLarge = (): ServiceFailure =>
      new ServiceFailure('tooLarge', l10n.t('The answer of the server is larger than {0} MB and was given up.', Math.round(largest / 1_048_576)), {
        operation: operation.name,
        status: response.status,
        mayHaveActed: true,
      });
    const reader = response.body?.getReader();
    if (reader === undefined) {
      return '';
    }
    const decoder = new TextDecoder();
    let text = '';
    let bytes = 0;
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- a stream is read in order
      const { done, value } = await reader.read();
      if (done) {
        return text + decoder.decode();
      }
      bytes += value.byteLength;
      progress(bytes);
      if (bytes > largest) {
        void reader.cancel().catch(() => undefined);
        throw tooLarge();
      }
      text += decoder.decode(value, { stream: true });
    }
  }

  #failureOf(thrown: unknown, operation: Operation, at: { timer: AbortSignal; timeout: number; aborted: boolean; sent: boolean }): ServiceFailure {
    if (thrown instanceof ServiceFailure) {
      return thrown.with({ operation: operation.name });
    }
    if (at.timer.aborted) {
      return new ServiceFailure('timedOut', l10n.t('{0} did not answer within {1} s.', this.host, Math.round(at.timeout / 1000)), {
        operation: operation.name,
        mayHaveActed: at.sent,
        next: l10n.t('Try again, or raise the setting metadataService.requestTimeoutSeconds.'),
      });
    }
    if (at.aborted) {
      return cancelled(operation).with({ mayHaveActed: at.sent });
    }
    return networkFailure(thrown, this.host, operation);
  }
}

/** The part of an error body that was written for people: Rest.li's and Jetty's `message`, else the text itself. */
function messageOf(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) {
      const { message } = body as { message?: unknown };
      return typeof message === 'string' ? message : '';
    }
    return typeof body === 'string' ? body : '';
  } catch {
    return text;
  }
}

function saying(serverText: string | undefined): string {
  return serverText === undefined ? '.' : `: ${serverText}`;
}

/** The header in ms: seconds, or a date. Nonsense is no waiting time. */
export function retryAfter(header: string | null, now: number): number | undefined {
  const value = header?.trim() ?? '';
  if (/^\d{1,6}$/.test(value)) {
    return Number(value) * 1000;
  }
  const date = value === '' ? Number.NaN : Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * The only user of `fetch`. Pins every request to the connection's origin, refuses redirects, bounds time and size,
 * aborts on the wire, and lets no secret into a failure.
 *
 * A request that changes something leaves the machine once, by two means:
 * - Node.js's `fetch` repeats a request on HTTP 421 unless its body can be read only once, so such a body is a stream.
 * - Chromium's `fetch` (VS Code's setting `http.electronFetch`) repeats requests after a cut connection, 408 and 421, and Electron
 *   hands it even a stream as bytes that can be sent again. `redirect: 'manual'` keeps it out: VS Code leaves such requests to
 *   Node.js, since Electron fails on manual redirects.
 */
import { untilAborted } from './waiting.ts';
import { systemClock, type Clock } from '../clock.ts';
import { cancelledFailure, readOnlyFailure, ServiceFailure, type ServerOperation } from '../failure/failure.ts';
import { networkFailure } from '../failure/networkFailure.ts';
import { knownSecrets, rememberSecret } from '../failure/secret.ts';
import { redactText, readableServerText } from '../failure/redaction.ts';
import { statusFailure } from '../failure/statusFailure.ts';
import * as l10n from '@vscode/l10n';

/** Of operations that state nothing else: a sentence, a token, a task. */
const LARGEST_RESPONSE_BYTES = 1024 * 1024;

/** What a transport reaches the network with. */
export interface NetworkAccess {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** False: certificates are not checked, or were not for a time, so that anything in between can read along. */
  readonly checksCertificates: () => boolean;
}

export const systemNetwork: NetworkAccess = {
  // Looked up with each call: VS Code replaces it by one that heeds proxies and the system's certificates.
  fetch: (input, init) => globalThis.fetch(input, init),
  clock: systemClock,
  checksCertificates: certificateChecks(process.env),
};

/**
 * Looks at the variable that Node.js reads, which any extension can set for a moment. Once seen off, the checks count as off until
 * a restart: connections that were opened meanwhile stay open, and would carry a token later.
 */
export function certificateChecks(environment: Readonly<NodeJS.ProcessEnv>): () => boolean {
  let wereOff = false;
  return () => {
    wereOff ||= environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0';
    return !wereOff;
  };
}

export interface TransportOptions {
  /** As `checkBaseUrl` gives it. */
  readonly baseUrl: string;
  /** The access token, read when it is needed; undefined when signed out. */
  readonly credential: () => Promise<string | undefined>;
  /** How long a whole exchange may take, in ms; read for each request. A change has at least 30 s from when it's sent. */
  readonly timeoutMillis: () => number;
  /** Told of each exchange, for the log. Holds no header and no body. */
  readonly observe?: ((exchange: ExchangeRecord) => void) | undefined;
  /** In place of what operations state. */
  readonly largestAnswerBytes?: number;
  /** Whether nothing may change on the server through this; asked for each request that would change something. Absent: it may. */
  readonly isReadOnly?: (() => Promise<boolean>) | undefined;
  /** The system's, unless said otherwise. */
  readonly network?: NetworkAccess | undefined;
}

export interface ExchangeRecord {
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

export interface TransportRequest {
  readonly operation: ServerOperation;
  readonly method: 'GET' | 'POST';
  /** Begins with a slash; appended to the base URL. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
  /** The credential is neither read nor sent: nobody has said yet who answers there. */
  readonly anonymous?: boolean;
  /** It would change something on the server. */
  readonly mutates?: boolean;
  /** Called right before the request leaves, however long the credential and the role took. What it throws keeps the request back. */
  readonly lastCheck?: (() => void) | undefined;
  /** Overrides the connection's, in ms. */
  readonly timeoutMillis?: number | undefined;
}

export interface TransportResponse {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** Whether the request carried a credential. */
  readonly withCredential: boolean;
}

/** Longer than any that a person would wait, and still one that timers can count. */
const LONGEST_TIMEOUT_MILLIS = 3_600_000;
/** What a change is answered with, such as a new token, is told once: a short timeout for what can be asked again must not lose it. */
const LEAST_MUTATION_MILLIS = 30_000;

export class Transport {
  readonly #options: TransportOptions;
  readonly #network: NetworkAccess;
  readonly #base: URL;
  readonly #closed = new AbortController();
  #hasSentCredential = false;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#network = options.network ?? systemNetwork;
    this.#base = new URL(options.baseUrl);
  }

  /** Aborts what is under way; nothing is sent any more. */
  close(): void {
    this.#closed.abort();
  }

  /**
   * To be asked before anything is prepared that would change something on the server.
   * @throws ServiceFailure `readOnlyFailure`
   */
  async admitMutation(operation: ServerOperation): Promise<void> {
    if ((await this.#options.isReadOnly?.()) === true) {
      throw readOnlyFailure(operation);
    }
  }

  /**
   * Sends one request, once, and gives the answer whatever its status.
   * @throws ServiceFailure when no whole answer came.
   */
  async exchange(request: TransportRequest): Promise<TransportResponse> {
    const { operation } = request;
    const { clock } = this.#network;
    const started = clock.monotonic();
    let timeout = Math.min(
      Math.max(1, request.timeoutMillis ?? this.#options.timeoutMillis()) || 1,
      LONGEST_TIMEOUT_MILLIS,
    );
    const expiry = new AbortController();
    let stopTimer = clock.after(timeout, () => expiry.abort());
    const signal = AbortSignal.any([
      expiry.signal,
      this.#closed.signal,
      ...(request.signal === undefined ? [] : [request.signal]),
    ]);
    let status: number | undefined;
    let bytes = 0;
    let failure: ServiceFailure | undefined;
    let sent = false;
    try {
      let credential = request.anonymous === true ? undefined : await this.#credential(signal);
      const url = this.#urlOf(request.path);
      // Last, since the credential took its time. Meanwhile another window may have signed it out, which is known by now.
      if (request.mutates === true) {
        await untilAborted(this.admitMutation(operation), signal);
        credential = credential && (await this.#credential(signal));
      }
      signal.throwIfAborted();
      this.#refuseUnchecked();
      request.lastCheck?.();
      sent = true;
      if (request.mutates === true) {
        // Anew: a keychain that asked for a password has taken none of the server's time.
        stopTimer();
        timeout = Math.max(timeout, LEAST_MUTATION_MILLIS);
        stopTimer = clock.after(timeout, () => expiry.abort());
      }
      const body = requestBodyOf(request);
      // Not every stack heeds the signal at once: VS Code's looks for a proxy first, with the help of a window that may be out of reach.
      const answering = this.#network.fetch(url, {
        method: request.method,
        headers: {
          Accept: 'application/json',
          ...body?.headers,
          ...request.headers,
          ...(credential === undefined ? {} : { Authorization: `Bearer ${credential}` }),
        },
        ...body?.init,
        // Not 'error', which would let VS Code hand the request to Chromium.
        redirect: 'manual',
        credentials: 'omit',
        cache: 'no-store',
        signal,
      });
      const response = await untilAborted(answering, signal);
      status = response.status;
      if (isRedirect(response)) {
        void response.body?.cancel().catch(() => undefined);
        throw this.#redirected();
      }
      const reading = readResponseBody(response, this.#largestAnswerTo(operation), (size) => (bytes = size));
      const text = await untilAborted(reading, signal);
      return { status, text, headers: response.headers, withCredential: credential !== undefined };
    } catch (thrown) {
      if (expiry.signal.aborted) {
        failure = this.#timedOut(timeout, sent);
      } else if (signal.aborted) {
        failure = cancelledFailure();
      } else if (thrown instanceof BodyTooLargeError) {
        failure = this.#tooLarge(operation);
      } else {
        failure = thrown instanceof ServiceFailure ? thrown : networkFailure(thrown, this.#base.host, operation);
      }
      failure = failure.with({
        operation: operation.name,
        mayHaveActed: failure.mayHaveActed || (sent && signal.aborted),
      });
      throw failure;
    } finally {
      stopTimer();
      this.#options.observe?.({
        operation: operation.name,
        method: request.method,
        path: request.path,
        status,
        millis: Math.round(clock.monotonic() - started),
        bytes,
        ...(failure === undefined ? {} : { failure: failure.kind }),
      });
    }
  }

  /** A server's text as people may see it: masked, one line, cut. */
  readable(text: string): string | undefined {
    return readableServerText(text, knownSecrets());
  }

  /** A server's text with nothing but its secrets taken out. */
  masked(text: string): string {
    return redactText(text, knownSecrets());
  }

  /** What an answer outside 2xx means. */
  statusFailure(answer: TransportResponse, operation: ServerOperation): ServiceFailure {
    return statusFailure(answer, operation, (text) => this.readable(text), this.#network.clock.now());
  }

  async #credential(signal: AbortSignal): Promise<string | undefined> {
    let credential: string | undefined;
    try {
      credential = await untilAborted(this.#options.credential(), signal);
    } catch (thrown) {
      throw thrown instanceof ServiceFailure
        ? thrown
        : new ServiceFailure('storage', l10n.t("Couldn't read this connection's access token."), {
            next: l10n.t('Sign in again.'),
          });
    }
    if (credential === undefined) {
      if (this.#hasSentCredential) {
        // Never fall back to an anonymous request once a token has been sent.
        throw new ServiceFailure('signedOut', l10n.t('This connection was signed out.'), {
          headline: l10n.t('Signed out'),
          next: l10n.t('Sign in again.'),
        });
      }
      return undefined;
    }
    if (!/^[\x21-\x7E]+$/.test(credential)) {
      throw new ServiceFailure('signedOut', l10n.t('The stored access token is invalid.'), {
        next: l10n.t('Sign in with another access token.'),
      });
    }
    this.#hasSentCredential = true;
    rememberSecret(credential);
    return credential;
  }

  /** Not even a request without a token: the connection that it opens would be used again for one with a token. */
  #refuseUnchecked(): void {
    if (this.#base.protocol === 'https:' && !this.#network.checksCertificates()) {
      throw new ServiceFailure(
        'tls',
        l10n.t('NODE_TLS_REJECT_UNAUTHORIZED turned off certificate checks, so nothing was sent.'),
        { next: l10n.t('Restart VS Code without that environment variable.') },
      );
    }
  }

  /** A path can never lead to another origin or out of the base path. */
  #urlOf(path: string): string {
    const prefix = this.#base.href.replace(/\/$/, '');
    const url = new URL(prefix + path);
    if (!path.startsWith('/') || !url.href.startsWith(`${prefix}/`)) {
      throw new ServiceFailure('badRequest', l10n.t("The request would go to a server other than this connection's."));
    }
    return url.href;
  }

  #timedOut(timeout: number, sent: boolean): ServiceFailure {
    return sent
      ? new ServiceFailure(
          'timedOut',
          l10n.t("{0} didn't respond within {1} s.", this.#base.host, Math.ceil(timeout / 1000)),
          {
            next: l10n.t('Try again, or increase the metadataService.requestTimeoutSeconds setting.'),
          },
        )
      : new ServiceFailure('storage', l10n.t('Timed out reading the access token from VS Code secret storage.'), {
          next: l10n.t("Check whether the system's keychain is asking for something, then try again."),
        });
  }

  /** Where it would lead is not looked at. The server may have done what was asked before it answered like this. */
  #redirected(): ServiceFailure {
    return new ServiceFailure(
      'redirected',
      l10n.t("{0} redirected the request. For safety, tokens aren't sent to redirects.", this.#base.host),
      {
        mayHaveActed: true,
        next: l10n.t('Enter the address of the service itself. A sign-in page or another host may be in front of it.'),
      },
    );
  }

  #largestAnswerTo(operation: ServerOperation): number {
    return this.#options.largestAnswerBytes ?? operation.largestAnswerBytes ?? LARGEST_RESPONSE_BYTES;
  }

  #tooLarge(operation: ServerOperation): ServiceFailure {
    const megabytes = Math.max(1, Math.round(this.#largestAnswerTo(operation) / 1_048_576));
    return new ServiceFailure(
      'tooLarge',
      l10n.t("The server's response is larger than {0} MB and was discarded.", megabytes),
      {
        mayHaveActed: true,
        next: l10n.t("Check that the address is the service's own."),
      },
    );
  }
}

/** Even a change without a body gets one: with none at all it could be repeated. */
function requestBodyOf({ body, mutates }: TransportRequest): ReturnType<typeof repeatableBody> | undefined {
  if (mutates === true) {
    return singleUseBody(body ?? '');
  }
  return body === undefined ? undefined : repeatableBody(body);
}

/** A browser's stack tells no more of a redirect than that it is one. */
function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/** The body outgrew the cap and was given up. */
export class BodyTooLargeError extends Error {}

/**
 * @param largest In bytes, after any compression was undone.
 * @param progress Told how many bytes have come so far.
 * @throws BodyTooLargeError, and whatever the connection throws.
 */
export async function readResponseBody(
  response: Response,
  largest: number,
  progress: (bytes: number) => void,
): Promise<string> {
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
      throw new BodyTooLargeError();
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** The headers and options of `fetch` that belong to a body. */
interface RequestBody {
  readonly headers: Readonly<Record<string, string>>;
  readonly init: { readonly body: string | ReadableStream<Uint8Array>; readonly duplex?: 'half' };
}

const CONTENT_TYPE = { 'Content-Type': 'application/json' };

export function repeatableBody(json: string): RequestBody {
  return { headers: CONTENT_TYPE, init: { body: json } };
}

/**
 * A body without a source: `fetch` must not send it again, whatever the answer (Fetch standard, "HTTP-network-or-cache fetch",
 * statuses 401 and 421). Its length is stated, or it would be sent in chunks, which gateways refuse.
 */
export function singleUseBody(json: string): RequestBody {
  const bytes = new TextEncoder().encode(json);
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => {
      stream.enqueue(bytes);
      stream.close();
    },
  });
  return {
    headers: { ...CONTENT_TYPE, 'Content-Length': String(bytes.byteLength) },
    init: { body, duplex: 'half' },
  };
}

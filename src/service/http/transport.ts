/**
 * The only user of `fetch`. Pins every request to the connection's origin, refuses redirects, bounds time and size,
 * aborts on the wire, and keeps secrets out of failures.
 *
 * A request that changes something leaves the machine once. Its gate is asked before `fetch`, and again as the end of
 * its body leaves: connecting takes as long as a proxy asks for a password, or the lid is closed.
 * - Node.js's `fetch` repeats a request on HTTP 421 unless its body can be read only once, so such a body is a
 *   stream.
 * - Chromium's `fetch` (VS Code's setting `http.electronFetch`) repeats requests after a cut connection, 408 and 421,
 *   even streams. `redirect: 'manual'` avoids it: VS Code leaves such requests to Node.js.
 */
import * as l10n from '@vscode/l10n';
import { refuseUnchecked } from './certificates.ts';
import { endDroppedTunnels, systemNetwork, type NetworkAccess } from './network.ts';
import { LEAST_MUTATION_MILLIS, TimeLimit } from './timeLimit.ts';
import { withRetries, type PauseFunction } from './retry.ts';
import { sleep, untilAborted } from './waiting.ts';
import {
  ServiceFailure,
  type SentCredential,
  type ServerOperation,
  cancelledFailure,
  connectionChanged,
} from '../failure/failure.ts';
import { networkFailure } from '../failure/networkErrorSigns.ts';
import { rememberHeader, rememberSecret } from '../failure/secret.ts';
import { redirectFailure } from '../failure/errorResponse.ts';
import { readTokenClaims } from '../tokens/tokenClaims.ts';

/** Node.js's `fetch` has no cache, so its types lack the option. Chromium's, which VS Code may use, has one. */
type UncachedRequestInit = RequestInit & { readonly cache: 'no-store' };

/** Default of operations: a sentence, a token, a task. */
const LARGEST_RESPONSE_BYTES = 1024 * 1024;

/** Values by name. */
export type AdditionalHeaders = Readonly<Record<string, string>>;

/** Credentials of a connection, sent to its origin only. */
export interface SentSecrets {
  /** Undefined if signed out. */
  readonly token?: string | undefined;
  /** Headers that something in front of the server asks for, with every request. */
  readonly headers?: AdditionalHeaders | undefined;
}

export interface TransportOptions {
  /** As returned by `checkBaseUrl`. */
  readonly baseUrl: string;
  /**
   * Reads what a request is sent with.
   * @param withToken False where the server is not identified yet.
   * @throws ServiceFailure `storage`
   */
  readonly readSecrets: (withToken: boolean) => Promise<SentSecrets>;
  /** Limit of a whole exchange in ms, read for each request. A change has at least 30 s after it is sent. */
  readonly timeoutMillis: () => number;
  /** Receives each exchange, for the log: no header, no body. */
  readonly observe?: ((exchange: ExchangeRecord) => void) | undefined;
  /** The system's network by default. */
  readonly network?: NetworkAccess | undefined;
  /** Waits before another attempt; real time by default. */
  readonly pause?: PauseFunction;
}

export interface ExchangeRecord {
  readonly operation: string;
  /** False for a question, such as a dry run. */
  readonly isChange: boolean;
  readonly method: string;
  /** Path and query. Neither holds a secret. */
  readonly path: string;
  /** Undefined if no response came. */
  readonly status: number | undefined;
  readonly millis: number;
  readonly bytes: number;
  readonly failure: string | undefined;
}

interface AnyRequest {
  readonly operation: ServerOperation;
  readonly method: 'GET' | 'POST';
  /** Begins with a slash and follows the base URL. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Doesn't send the access token: the server is not identified yet. */
  readonly anonymous?: boolean;
  /** Overrides the connection's limit, in ms. */
  readonly timeoutMillis?: number | undefined;
}

/** The gate of a change. @throws ServiceFailure if the change may not be sent any more. */
export type MayStillSend = () => Promise<void>;

/** A change on the server. Its body, JSON text, is held back to the end. */
interface MutatingRequest extends AnyRequest {
  readonly body: string;
  readonly mayStillSend: MayStillSend;
}

interface ReadingRequest extends AnyRequest {
  readonly body?: string;
  readonly mayStillSend?: never;
}

type TransportRequest = MutatingRequest | ReadingRequest;

export interface TransportResponse {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  readonly withCredential: SentCredential;
}

export class Transport {
  readonly #options: TransportOptions;
  readonly #network: NetworkAccess;
  readonly #base: URL;
  readonly #closed = new AbortController();
  #hasSentCredential = false;
  /** The credential that the server took last. */
  #accepted: string | undefined;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#network = options.network ?? systemNetwork;
    this.#base = new URL(options.baseUrl);
  }

  get baseUrl(): string {
    return this.#options.baseUrl;
  }

  /** Host and port, as the user entered them. */
  get host(): string {
    return this.#base.host;
  }

  /** Aborts running requests and sends nothing more. */
  close(): void {
    this.#closed.abort();
  }

  /**
   * Sends one request, once, and returns the response whatever its status.
   * @throws ServiceFailure if no complete response came.
   */
  async exchange(request: TransportRequest): Promise<TransportResponse> {
    const { clock } = this.#network;
    const started = clock.monotonic();
    const millis = Math.max(1, request.timeoutMillis ?? this.#options.timeoutMillis()) || 1;
    const attempt = new Attempt(new TimeLimit(clock, millis, [this.#closed.signal, request.signal]));
    let failure: ServiceFailure | undefined;
    try {
      return await this.#send(request, attempt);
    } catch (thrown) {
      failure = this.#explain(thrown, attempt, request);
      throw failure;
    } finally {
      attempt.limit.stop();
      this.#options.observe?.({
        operation: request.operation.name,
        isChange: mutates(request),
        method: request.method,
        path: request.path,
        status: attempt.status,
        millis: Math.round(clock.monotonic() - started),
        bytes: attempt.bytes,
        failure: failure?.kind,
      });
    }
  }

  /** Repeats a read that may succeed in a moment. Never used for create, revoke or execute. */
  repeatRead<T>(read: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const { pause = (millis, until) => sleep(millis, until, this.#network.clock) } = this.#options;
    return withRetries(read, signal, pause);
  }

  async #send(request: TransportRequest, attempt: Attempt): Promise<TransportResponse> {
    const { signal } = attempt.limit;
    const url = this.#requestUrl(request.path);
    const secrets = await this.#admit(request, signal);
    signal.throwIfAborted();
    const body = requestBodyOf(request, async () => {
      attempt.stage = 'preparing';
      try {
        if (JSON.stringify(await this.#admit(request, signal)) !== JSON.stringify(secrets)) {
          throw connectionChanged();
        }
        // A stack may read the rest of the body after it failed, or after an early answer.
        if (attempt.limit.isStopped) {
          throw cancelledFailure();
        }
      } catch (thrown) {
        // Network stacks wrap it.
        attempt.refusal = thrown;
        throw thrown;
      }
      // A keychain or proxy that asked for a password has not used the server's time.
      attempt.limit.restart(LEAST_MUTATION_MILLIS);
      attempt.stage = 'sent';
    });
    attempt.stage = mutates(request) ? 'connecting' : 'sent';
    const init: UncachedRequestInit = {
      method: request.method,
      headers: {
        ...secrets.headers,
        Accept: 'application/json',
        'User-Agent': this.#network.userAgent,
        ...body?.headers,
        ...request.headers,
        ...(secrets.token === undefined ? {} : { Authorization: `Bearer ${secrets.token}` }),
      },
      ...body?.init,
      // With 'error', VS Code would hand the request to Chromium.
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
      signal,
    };
    endDroppedTunnels(this.host);
    // Some stacks ignore the signal at first: VS Code's asks a window for the proxy, which may be unreachable.
    const response = await untilAborted(this.#network.fetch(url, init), signal);
    attempt.status = response.status;
    if (isRedirectResponse(response)) {
      void response.body?.cancel().catch(() => undefined);
      throw redirectFailure(response, url, request.operation, this.host);
    }
    const { largestAnswerBytes: largest = LARGEST_RESPONSE_BYTES } = request.operation;
    const text = await untilAborted(
      readResponseBody(response, largest, (size) => (attempt.bytes = size)),
      signal,
    );
    const { status, headers } = response;
    return { status, text, headers, withCredential: this.#sentCredential(request, status, secrets.token) };
  }

  #sentCredential({ method }: TransportRequest, status: number, credential: string | undefined): SentCredential {
    const wasAccepted = credential !== undefined && this.#accepted === credential;
    // Servers give their configuration to anyone.
    if (method === 'POST' && status >= 200 && status < 300) {
      this.#accepted = credential;
    } else if (status === 401) {
      this.#accepted = undefined;
    }
    const expiresAt = credential === undefined ? undefined : readTokenClaims(credential)?.expiresAtMillis;
    const isExpired = typeof expiresAt === 'number' && expiresAt <= this.#network.clock.now();
    return isExpired ? 'expired' : wasAccepted ? 'accepted' : credential !== undefined;
  }

  #explain(thrown: unknown, attempt: Attempt, request: TransportRequest): ServiceFailure {
    const { operation } = request;
    const reason = attempt.refusal ?? thrown;
    let failure: ServiceFailure;
    if (attempt.limit.isOver) {
      failure = this.#timedOutFailure(attempt, request);
    } else if (attempt.limit.signal.aborted) {
      // Nobody cancels a change: its service was closed, since the connection changed.
      failure = mutates(request) && attempt.stage !== 'sent' ? connectionChanged() : cancelledFailure();
    } else if (reason instanceof BodyTooLargeError) {
      failure = this.#tooLargeFailure(operation);
    } else {
      failure =
        reason instanceof ServiceFailure ? reason : networkFailure(reason, this.host, operation, this.#network.remote);
    }
    return failure.with({
      operation: operation.name,
      // No server acts on a part of a JSON text.
      mayHaveActed:
        attempt.stage === 'sent' && (mutates(request) || failure.mayHaveActed || attempt.limit.signal.aborted),
    });
  }

  /**
   * Asks whether the request may leave now: its gate last, since the keychain may hang.
   * @returns what it is sent with.
   */
  async #admit(request: TransportRequest, signal: AbortSignal): Promise<SentSecrets> {
    const secrets = await this.#readSecrets(request.anonymous !== true, signal);
    refuseUnchecked(this.#base, this.#network.checksCertificates);
    if (mutates(request)) {
      await untilAborted(request.mayStillSend(), signal);
    }
    return secrets;
  }

  async #readSecrets(withToken: boolean, signal: AbortSignal): Promise<SentSecrets> {
    const { token, headers = {} } = await untilAborted(this.#options.readSecrets(withToken), signal);
    Object.values(headers).forEach(rememberHeader);
    if (withToken) {
      this.#checkToken(token);
    }
    return { token: withToken ? token : undefined, headers };
  }

  #checkToken(token: string | undefined): void {
    if (token === undefined) {
      if (this.#hasSentCredential) {
        // Never fall back to an anonymous request once a token has been sent.
        throw new ServiceFailure('signedOut', l10n.t('This connection was signed out.'), {
          headline: l10n.t('Signed out'),
          next: l10n.t('Sign in again.'),
        });
      }
      return;
    }
    if (!/^[\x21-\x7E]+$/.test(token)) {
      throw new ServiceFailure('signedOut', l10n.t('The stored access token is invalid.'), {
        next: l10n.t('Sign in with another access token.'),
      });
    }
    this.#hasSentCredential = true;
    rememberSecret(token);
  }

  /** Keeps a path within the origin and the base path. */
  #requestUrl(path: string): string {
    const prefix = this.#base.href.replace(/\/$/, '');
    const url = new URL(prefix + path);
    if (!path.startsWith('/') || !url.href.startsWith(`${prefix}/`)) {
      throw new ServiceFailure('badRequest', l10n.t("The request would go to a server other than this connection's."));
    }
    return url.href;
  }

  #timedOutFailure({ stage, limit }: Attempt, { timeoutMillis }: TransportRequest): ServiceFailure {
    return stage !== 'preparing'
      ? new ServiceFailure(
          'timedOut',
          l10n.t("{0} didn't respond within {1} s.", this.host, Math.ceil(limit.millis / 1000)),
          {
            // A limit of its own doesn't follow the setting.
            next:
              timeoutMillis === undefined
                ? l10n.t('Try again, or increase the metadataService.requestTimeoutSeconds setting.')
                : l10n.t('Try again.'),
          },
        )
      : new ServiceFailure('storage', l10n.t('Timed out reading the access token from VS Code secret storage.'), {
          next: l10n.t("Check whether the system's keychain is asking for something, then try again."),
        });
  }

  #tooLargeFailure({ largestAnswerBytes = LARGEST_RESPONSE_BYTES }: ServerOperation): ServiceFailure {
    const megabytes = Math.max(1, Math.round(largestAnswerBytes / 1_048_576));
    return new ServiceFailure(
      'tooLarge',
      l10n.t("The server's response is larger than {0} MB and was discarded.", megabytes),
      {
        mayHaveActed: true,
        next: l10n.t("Check that the address is the service's own, not that of a proxy or sign-in page."),
      },
    );
  }
}

/** How far sending a request got. */
class Attempt {
  readonly limit: TimeLimit;
  /** `sent`: the server may have all of it. Before, a change is incomplete. */
  stage: 'preparing' | 'connecting' | 'sent' = 'preparing';
  /** Why the last check stopped it. */
  refusal: unknown;
  status: number | undefined;
  /** Of the response's body, so far. */
  bytes = 0;

  constructor(limit: TimeLimit) {
    this.limit = limit;
  }
}

function mutates(request: TransportRequest): request is MutatingRequest {
  return request.mayStillSend !== undefined;
}

function requestBodyOf(request: TransportRequest, beforeItsEnd: () => Promise<void>): EncodedRequestBody | undefined {
  if (mutates(request)) {
    return singleUseBody(request.body, beforeItsEnd);
  }
  return request.body === undefined ? undefined : { headers: CONTENT_TYPE, init: { body: request.body } };
}

/** A browser's stack hides everything else about a redirect. */
function isRedirectResponse({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/** The body exceeded the limit. */
class BodyTooLargeError extends Error {}

/**
 * Reads a body piece by piece, so that an endless one costs no more than the limit.
 * @param largest In bytes, after decompression.
 * @param progress Receives the number of bytes so far.
 * @throws BodyTooLargeError, and any error of the connection.
 */
async function readResponseBody(
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

/** Headers and options of `fetch` for a body. */
interface EncodedRequestBody {
  readonly headers: Readonly<Record<string, string>>;
  readonly init: { readonly body: string | ReadableStream<Uint8Array>; readonly duplex?: 'half' };
}

const CONTENT_TYPE = { 'Content-Type': 'application/json' };

/**
 * A body without a source: `fetch` must not send it again, whatever the response (Fetch standard,
 * "HTTP-network-or-cache fetch", statuses 401 and 421). Gateways refuse chunks, so its length is stated.
 * @param json At least two bytes, as of every object.
 * @param beforeItsEnd Called when the connection is there and takes the last byte. An exception leaves the request
 * incomplete.
 */
function singleUseBody(json: string, beforeItsEnd: () => Promise<void>): EncodedRequestBody {
  const bytes = new TextEncoder().encode(json);
  let isBegun = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (stream) => {
        if (!isBegun) {
          isBegun = true;
          stream.enqueue(bytes.subarray(0, -1));
          return;
        }
        await beforeItsEnd();
        stream.enqueue(bytes.subarray(-1));
        stream.close();
      },
    },
    // By default a piece is read ahead, before there is a connection.
    { highWaterMark: 0 },
  );
  return {
    headers: { ...CONTENT_TYPE, 'Content-Length': String(bytes.byteLength) },
    init: { body, duplex: 'half' },
  };
}

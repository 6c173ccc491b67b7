/** What lies between a window and the servers: it delays, drops, cuts, redirects, answers in place of a server, and sends again. */
import type { Ledger } from './ledger.ts';
import type { Random } from './random.ts';
import type { Reply, Server } from './server.ts';
import type { Host } from './storage.ts';
import type { Timeline } from './timeline.ts';

/** A request at the moment when it leaves a window. */
export interface SentRequest {
  readonly window: number;
  readonly url: URL;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** What happens to a request. "…After": the server has done what was asked by then. */
export const FATES = {
  fine: 100,
  slow: 6,
  refused: 2,
  droppedBefore: 3,
  cutAfter: 5,
  silentBefore: 1,
  silentAfter: 2,
  redirectedBefore: 1,
  redirectedAfter: 2,
  garbageAfter: 2,
  failedBefore: 2,
  failedAfter: 2,
  unavailableAfter: 2,
  forbidden: 1,
} as const;
type Fate = keyof typeof FATES;

export class Network {
  readonly #timeline: Timeline;
  readonly #random: Random;
  readonly #servers: readonly Server[];
  readonly #ledger: Ledger;
  /** Told what happened to each execution. */
  readonly #struck: (fate: Fate) => void;
  /** Nothing goes wrong any more: for looking at what is left. */
  isCalm = false;

  /** @param ledger Told of each request as it leaves, before anything else can happen. */
  constructor(
    timeline: Timeline,
    random: Random,
    servers: readonly Server[],
    ledger: Ledger,
    struck: (fate: Fate) => void,
  ) {
    this.#timeline = timeline;
    this.#random = random;
    this.#servers = servers;
    this.#ledger = ledger;
    this.#struck = struck;
  }

  fetchFrom(window: number, host: Host): typeof globalThis.fetch {
    return (input, init = {}) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const authorization = new Headers(init.headers).get('authorization') ?? undefined;
      const body = typeof init.body === 'string' ? init.body : '';
      const sent = { window, url, authorization, body };
      return new Promise((resolve, reject) => {
        const signal = init.signal ?? undefined;
        const abort = (): void => reject(new DOMException('This operation was aborted', 'AbortError'));
        if (signal?.aborted === true) {
          abort();
          return;
        }
        signal?.addEventListener('abort', abort, { once: true });
        this.#send(sent, init.redirect ?? 'follow', host, resolve, reject);
      });
    };
  }

  #send(
    sent: SentRequest,
    redirect: RequestRedirect,
    host: Host,
    resolve: (response: Response) => void,
    reject: (error: Error) => void,
  ): void {
    this.#ledger.left(sent);
    const isExecution = sent.body.includes('"dryRun":false');
    const fate = this.isCalm ? 'fine' : this.#random.weighted(FATES);
    if (isExecution) {
      this.#struck(fate);
    }
    this.#timeline.note(
      `window ${sent.window} → ${sent.url.host}${sent.url.pathname}${sent.url.search} ${isExecution ? ' EXECUTE' : ''} as ${sent.authorization?.slice(7, 12) ?? 'nobody'} (${fate})`,
    );
    const there = fate === 'slow' ? this.#random.whole(10_000, 150_000) : this.#random.whole(1, 60);
    const back = (millis: number, run: () => void): void => host.later(millis, run);
    const answerWith = (reply: Reply, headers?: Record<string, string>): void => {
      back(this.#random.whole(1, 60), () => {
        this.#noteCount(sent, reply);
        resolve(new Response(reply.body, { status: reply.status, ...(headers === undefined ? {} : { headers }) }));
      });
    };
    const cut = (): void => {
      // Where redirects are left to it, a browser's stack sends a request again whose connection was cut.
      if (redirect === 'manual') {
        back(this.#random.whole(1, 60), () => reject(networkError('UND_ERR_SOCKET', 'other side closed')));
      } else {
        this.#send(sent, 'manual', host, resolve, reject);
      }
    };
    if (fate === 'refused') {
      back(there, () => reject(networkError('ECONNREFUSED', 'connect ECONNREFUSED')));
      return;
    }
    // From here on the request is under way: it arrives although its window may be gone by then.
    this.#timeline.after(there, () => {
      const reply = fate.endsWith('Before') || fate === 'forbidden' ? undefined : this.#reach(sent);
      this.#end(fate, sent, reply, answerWith, cut);
    });
  }

  #end(
    fate: Fate,
    { authorization = '' }: SentRequest,
    reply: Reply | undefined,
    answerWith: (reply: Reply, headers?: Record<string, string>) => void,
    cut: () => void,
  ): void {
    switch (fate) {
      case 'fine':
      case 'slow':
      case 'refused':
        answerWith(reply ?? { status: 404, body: '' });
        return;
      case 'droppedBefore':
      case 'cutAfter':
        cut();
        return;
      case 'silentBefore':
      case 'silentAfter':
        return;
      case 'redirectedBefore':
      case 'redirectedAfter':
        answerWith(
          { status: this.#random.pick([302, 303, 307, 308]), body: '' },
          { location: 'https://login.example/' },
        );
        return;
      case 'garbageAfter':
        answerWith({ status: 200, body: `<html>${authorization}</html>` });
        return;
      case 'failedBefore':
      case 'failedAfter':
        answerWith({ status: 500, body: JSON.stringify({ message: `boom ${authorization}`, status: 500 }) });
        return;
      case 'unavailableAfter':
        answerWith({ status: 503, body: '' });
        return;
      case 'forbidden':
        answerWith({
          status: 403,
          body: JSON.stringify({ message: 'User is unauthorized to truncate timeseries index', status: 403 }),
        });
    }
  }

  #reach(sent: SentRequest): Reply {
    const { url, body } = sent;
    const address = url.origin + url.pathname;
    const server = this.#servers.find(({ baseUrl }) => address.startsWith(`${baseUrl}/`));
    if (server === undefined) {
      return { status: 404, body: '' };
    }
    const before = server.deeds.length;
    const reply = server.answer(address.slice(server.baseUrl.length) + url.search, body);
    for (const deed of server.deeds.slice(before)) {
      this.#ledger.acted(sent, deed);
    }
    return reply;
  }

  #noteCount(sent: SentRequest, reply: Reply): void {
    const toDelete = /Delete (\d+) out of/.exec(reply.body)?.[1];
    if (toDelete !== undefined && sent.body.includes('"dryRun":true')) {
      this.#ledger.counted(sent, Number(toDelete));
    }
  }
}

function networkError(code: string, message: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });
}

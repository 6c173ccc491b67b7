/** The network between a window and the servers: it delays, drops, cuts, redirects, and answers instead of a server. */
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

/** Fates of a request. "…After": the server has acted before. */
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
  passedOnBefore: 3,
  passedOnAfter: 3,
  forbidden: 1,
} as const;
type Fate = keyof typeof FATES;

/** Statuses of a proxy, which do not show whether the server has acted. */
const PROXY_STATUSES = [408, 421, 425] as const;

/** A request that waits for its response. */
interface Exchange {
  readonly sent: SentRequest;
  readonly host: Host;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
}

export class Network {
  readonly #listening: (() => void)[] = [];
  readonly #timeline: Timeline;
  readonly #random: Random;
  readonly #servers: readonly Server[];
  readonly #ledger: Ledger;
  /** Receives the fate of each execution. */
  readonly #struck: (fate: Fate) => void;
  /** Turns all faults off, for the final inspection. */
  isCalm = false;

  /** @param ledger records each request as it leaves, before anything else can happen */
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

  /**
   * Node.js keeps a signal with listeners, and everything it references, for ever: a dead window never settles its
   * requests.
   */
  close(): void {
    this.#listening.forEach((stop) => stop());
  }

  fetchFrom(window: number, host: Host): typeof globalThis.fetch {
    return async (input, init = {}) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const authorization = new Headers(init.headers).get('authorization') ?? undefined;
      const sent = { window, url, authorization, body: await new Response(init.body ?? null).text() };
      return new Promise((resolve, reject) => {
        const signal = init.signal ?? undefined;
        const abort = (): void => reject(new DOMException('This operation was aborted', 'AbortError'));
        if (signal?.aborted === true) {
          abort();
          return;
        }
        signal?.addEventListener('abort', abort, { once: true });
        this.#listening.push(() => signal?.removeEventListener('abort', abort));
        this.#send({ sent, host, resolve, reject });
      });
    };
  }

  #send({ sent, host, resolve, reject }: Exchange): void {
    this.#ledger.left(sent);
    const fate = this.#fateOf(sent);
    const there = fate === 'slow' ? this.#random.whole(10_000, 150_000) : this.#random.whole(1, 60);
    const back = (millis: number, run: () => void): void => host.later(millis, run);
    const answerWith = (reply: Reply, headers?: Record<string, string>): void => {
      back(this.#random.whole(1, 60), () => {
        this.#noteCount(sent, reply);
        this.#ledger.answered(sent, reply.status);
        resolve(new Response(reply.body, { status: reply.status, ...(headers === undefined ? {} : { headers }) }));
      });
    };
    const cut = (): void => {
      back(this.#random.whole(1, 60), () => reject(networkError('UND_ERR_SOCKET', 'other side closed')));
    };
    if (fate === 'refused') {
      back(there, () => reject(networkError('ECONNREFUSED', 'connect ECONNREFUSED')));
      return;
    }
    // From here on the request arrives, even without its window.
    this.#timeline.after(there, () => {
      const reply = fate.endsWith('Before') || fate === 'forbidden' ? undefined : this.#reach(sent);
      this.#end(fate, sent, reply, answerWith, cut);
    });
  }

  #fateOf({ window, url, authorization, body }: SentRequest): Fate {
    const isExecution = body.includes('"dryRun":false');
    const fate = this.isCalm ? 'fine' : this.#random.weighted(FATES);
    if (isExecution) {
      this.#struck(fate);
    }
    const caller = authorization?.slice(7, 12) ?? 'anonymous';
    const target = `${url.host}${url.pathname}${url.search}`;
    this.#timeline.note(`window ${window} → ${target} ${isExecution ? ' EXECUTE' : ''} as ${caller} (${fate})`);
    return fate;
  }

  #end(
    fate: Fate,
    { authorization = '' }: SentRequest,
    reply: Reply | undefined,
    answerWith: (reply: Reply, headers?: Record<string, string>) => void,
    cut: () => void,
  ): void {
    switch (fate) {
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
      case 'passedOnBefore':
      case 'passedOnAfter':
        answerWith({ status: this.#random.pick(PROXY_STATUSES), body: '' });
        return;
      case 'unavailableAfter':
        answerWith({ status: 503, body: '' });
        return;
      case 'garbageAfter':
        answerWith({ status: 200, body: `<html>${authorization}</html>` });
        return;
      case 'failedBefore':
      case 'failedAfter':
        answerWith({ status: 500, body: JSON.stringify({ message: `boom ${authorization}`, status: 500 }) });
        return;
      case 'forbidden':
        answerWith({
          status: 403,
          body: JSON.stringify({ message: 'User is unauthorized to truncate timeseries index', status: 403 }),
        });
        return;
      default:
        answerWith(reply ?? { status: 404, body: '' });
    }
  }

  #reach(sent: SentRequest): Reply {
    const { url, body } = sent;
    const address = url.origin + url.pathname;
    const server = this.#servers.find(({ baseUrl }) => address.startsWith(`${baseUrl}/`));
    if (server === undefined) {
      return { status: 404, body: '' };
    }
    this.#ledger.read(sent);
    const before = server.deletions.length;
    const reply = server.answer(address.slice(server.baseUrl.length) + url.search, body);
    for (const deletion of server.deletions.slice(before)) {
      this.#ledger.acted(sent, deletion);
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

/** A page's one way to its host: what it says, what it hears, and what it keeps while it is gone. */
import { maskIssuedTokens } from '../../service/failure/secretShapes.ts';

/** The part of VS Code's webview API that is used; `acquireVsCodeApi` may be called once, and nobody else gets hold of it. */
export interface WebviewApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/**
 * @template Outgoing What the page may say.
 * @template Incoming What it is told.
 */
export class HostLink<Outgoing, Incoming> {
  readonly #api: WebviewApi;
  readonly #parse: (data: unknown) => Incoming | undefined;

  /** @param parse Makes a message of what arrives; undefined: it is none of the host's. */
  constructor(api: WebviewApi, parse: (data: unknown) => Incoming | undefined) {
    this.#api = api;
    this.#parse = parse;
  }

  post(message: Outgoing): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- VS Code's own channel to the host, not window.postMessage
    this.#api.postMessage(message);
  }

  /** Calls `receive` with each message that is one of the host's. Returns what ends that. */
  listen(receive: (message: Incoming) => void): () => void {
    const onMessage = (event: MessageEvent): void => {
      // VS Code passes the host's messages on from a frame of this origin. Any web site in another frame of the window can post one too.
      const message = event.origin === window.origin ? this.#parse(event.data) : undefined;
      if (message !== undefined) {
        receive(message);
      }
    };
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  }

  /** What `keep` kept before the page was hidden or reloaded; of unknown shape. */
  kept(): unknown {
    return this.#api.getState();
  }

  /** VS Code writes it into a file of the workspace: a text with an access token in it, pasted where it doesn't belong, is left out. */
  keep(state: unknown): void {
    this.#api.setState(JSON.parse(JSON.stringify(state, withoutToken)));
  }
}

function withoutToken(_key: string, value: unknown): unknown {
  return typeof value === 'string' && maskIssuedTokens(value) !== value ? '' : value;
}

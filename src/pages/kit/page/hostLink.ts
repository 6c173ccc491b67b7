/** Exchanges messages with the host, and stores the page's state. */
import { maskIssuedTokens } from '../../../service/failure/secretShapes.ts';

/** VS Code's webview API, as far as used. */
export interface WebviewApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/**
 * @template Outgoing Messages to the host.
 * @template Incoming Messages from the host.
 */
export class HostLink<Outgoing, Incoming> {
  readonly #api: WebviewApi;
  readonly #parse: (data: unknown) => Incoming | undefined;

  /** @param parse Returns undefined for messages to ignore. */
  constructor(api: WebviewApi, parse: (data: unknown) => Incoming | undefined) {
    this.#api = api;
    this.#parse = parse;
  }

  sendMessage(message: Outgoing): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- not window.postMessage
    this.#api.postMessage(message);
  }

  /** Passes on valid messages. @returns a function that stops it. */
  listenToHost(receive: (message: Incoming) => void): () => void {
    const receiveValid = (event: MessageEvent): void => {
      // VS Code forwards the host's messages from a frame of this origin. Any site in another frame can post
      // messages too.
      const message = event.origin === window.origin ? this.#parse(event.data) : undefined;
      if (message !== undefined) {
        receive(message);
      }
    };
    window.addEventListener('message', receiveValid);
    return () => window.removeEventListener('message', receiveValid);
  }

  /** The state that `keep` stored, of unknown shape. */
  storedState(): unknown {
    return this.#api.getState();
  }

  /**
   * Stores the state, which VS Code writes to a file. Drops texts with an access token that the user pasted by
   * mistake.
   */
  storeState(state: unknown): void {
    this.#api.setState(JSON.parse(JSON.stringify(state, withoutToken)));
  }
}

function withoutToken(_key: string, value: unknown): unknown {
  return typeof value === 'string' && maskIssuedTokens(value) !== value ? '' : value;
}

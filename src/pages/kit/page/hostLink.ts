/** Exchanges messages with the host, and stores the page's state. */
import type * as v from 'valibot';
import { maskWebTokens } from '../../../service/failure/secretShapes.ts';
import { parseHostMessage, type HostMessage, type READY } from '../protocol.ts';

/** VS Code's webview API, as far as used. */
interface WebviewApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/**
 * @template Intent What the user asks for.
 * @template View What the host lets the page draw.
 */
export class HostLink<Intent, View> {
  readonly #api: WebviewApi;

  constructor(api: WebviewApi) {
    this.#api = api;
  }

  send(message: Intent | v.InferOutput<typeof READY>): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- not window.postMessage
    this.#api.postMessage(message);
  }

  /** Passes on valid messages, from the first, which this asks for. @returns a function that stops it. */
  listen(receive: (message: HostMessage<View>) => void): () => void {
    const receiveValid = (event: MessageEvent): void => {
      // VS Code forwards the host's messages from a frame of this origin. Any site in another frame can post
      // messages too.
      const message = event.origin === window.origin ? parseHostMessage<View>(event.data) : undefined;
      if (message !== undefined) {
        receive(message);
      }
    };
    window.addEventListener('message', receiveValid);
    this.send({ type: 'ready', timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone });
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
  return typeof value === 'string' && maskWebTokens(value) !== value ? '' : value;
}

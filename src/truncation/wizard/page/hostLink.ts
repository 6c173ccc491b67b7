/** The page's one way to its host: what it says, in order, and what it keeps while the page is gone. */
import { parseHostMessage, type HostMessage, type PageMessage } from '../protocol.ts';
import type { PlanDraft } from '../../model/plan.ts';

/** An intent: a message that carries nothing but its name. */
export type Intent = Exclude<PageMessage['type'], 'ready' | 'edit'>;

/** The part of VS Code's webview API that is used; `acquireVsCodeApi` may be called once, and nobody else gets hold of it. */
export interface WebviewApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/** Long enough to wait for the next key, short enough that errors appear while one still looks at the field. */
const EDIT_DELAY_MILLIS = 150;

/** Sends to the host. An edit waits for the next one; anything else sends a waiting edit first, so the host never acts on an old draft. */
export class HostLink {
  readonly #api: WebviewApi;
  #waiting: PlanDraft | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(api: WebviewApi) {
    this.#api = api;
  }

  /** Says that the page is up. */
  ready(timeZone: string, draft: PlanDraft | undefined): void {
    this.#post({ type: 'ready', timeZone, ...(draft === undefined ? {} : { draft }) });
  }

  /** Sends what is typed, soon. */
  edit(draft: PlanDraft): void {
    this.#waiting = draft;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), EDIT_DELAY_MILLIS);
  }

  /** Sends an intent at once, after the edit that waits. */
  send(type: Intent): void {
    this.flush();
    this.#post({ type });
  }

  /** Sends the edit that waits, if any. */
  flush(): void {
    clearTimeout(this.#timer);
    const draft = this.#waiting;
    this.#waiting = undefined;
    if (draft !== undefined) {
      this.#post({ type: 'edit', draft });
    }
  }

  /** Whether an edit was made that the host has not been sent. */
  get hasWaitingEdit(): boolean {
    return this.#waiting !== undefined;
  }

  /** Forgets the edit that waits: the host has just replaced the draft. */
  forgetEdit(): void {
    clearTimeout(this.#timer);
    this.#waiting = undefined;
  }

  /** Calls `receive` with each message that is one of the host's. Returns what ends that. */
  listen(receive: (message: HostMessage) => void): () => void {
    const onMessage = (event: MessageEvent): void => {
      const message = parseHostMessage(event.data);
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

  keep(state: unknown): void {
    this.#api.setState(state);
  }

  #post(message: PageMessage): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- VS Code's own channel to the host, not window.postMessage
    this.#api.postMessage(message);
  }
}

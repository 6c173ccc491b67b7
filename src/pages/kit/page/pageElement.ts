/** The element of a page, and its link to the host: takes views, and moves the focus to what the user was waiting for. */
import type * as v from 'valibot';
import { html, LitElement, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import { language, useLanguage } from '../../../language.ts';
import { maskWebTokens } from '../../../service/failure/secretShapes.ts';
import { formatsOf, type LocalizedFormats } from '../../../ui/formats.ts';
import { parseHostMessage, type HostMessage, type READY } from '../protocol.ts';

/** VS Code's webview API, as far as used. */
interface WebviewApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/**
 * Exchanges messages with the host, and stores the page's state.
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

  /** Passes on valid messages as long as the page lives, from the first, which this asks for. */
  listen(receive: (message: HostMessage<View>) => void): void {
    window.addEventListener('message', ({ origin, data }: MessageEvent) => {
      // VS Code forwards the host's messages from a frame of this origin. Any site in another frame can post
      // messages too.
      const message = origin === window.origin ? parseHostMessage<View>(data) : undefined;
      if (message !== undefined) {
        receive(message);
      }
    });
    this.send({ type: 'ready', timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone });
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

/**
 * Its sections draw the element itself: the view, what the user typed, and the actions.
 * @template Intent What the user asks for.
 * @template View What the host lets the page draw.
 */
export abstract class PageElement<Intent, View> extends LitElement {
  static override properties: PropertyDeclarations = { view: { state: true } };

  /** Set by the first message, as are the formats. Nothing is drawn before. */
  declare view: View;
  declare formats: LocalizedFormats;
  protected readonly link = new HostLink<Intent, View>(acquireVsCodeApi());
  readonly send = (intent: Intent): void => this.link.send(intent);
  #hadFocus = false;

  /** Text of the live region. Screen readers announce its changes. */
  protected abstract readonly announcement: string;

  override connectedCallback(): void {
    super.connectedCallback();
    this.link.listen((message) => this.#receiveMessage(message));
  }

  /** Called before a view is drawn. @param before Undefined for a page that was just opened. */
  protected abstract viewArrived(before: View | undefined, view: View): void;

  /** The sections in reading order. */
  protected abstract drawMain(): TemplateResult;

  protected override render(): TemplateResult {
    const isOpen = this.view !== undefined;
    return html`${isOpen ? this.drawMain() : nothing}
      <div class="announcer" role="status" aria-live="polite">${isOpen ? this.announcement : ''}</div>`;
  }

  /** Renders without a shadow root, so that one style sheet applies and elements can refer to each other by ID. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(_changed: PropertyValues): void {
    this.#hadFocus = this.contains(document.activeElement);
  }

  /**
   * Call once the page is drawn.
   * @param focusNews Undefined without news.
   * @param otherwise Selects what gets the focus if the focused element, such as Cancel, is gone, so that the keyboard
   * isn't sent back to the top.
   */
  protected moveFocus(focusNews: (() => void) | undefined, otherwise: string): void {
    if (focusNews !== undefined) {
      onceWindowFocused(focusNews);
    } else if (this.#hadFocus && document.activeElement === document.body) {
      this.querySelector<HTMLElement>(otherwise)?.focus();
    }
  }

  /** Focuses a heading, and scrolls its part into view. */
  protected focusHeading(id: string): void {
    const heading = this.querySelector<HTMLElement>(`#${id}`);
    heading?.focus({ preventScroll: true });
    // The next step and the buttons of a failure are below its heading.
    this.#scrollTo(heading?.closest('.callout') ?? heading);
  }

  #receiveMessage(message: HostMessage<View>): void {
    const isFirst = message.type === 'open';
    if (isFirst) {
      useLanguage(message.locale, message.translations);
      this.formats = formatsOf(language());
    } else if (this.view === undefined) {
      // Meant for the page before VS Code reloaded it, for example in another window: this one has no texts yet.
      return;
    }
    this.viewArrived(isFirst ? undefined : this.view, message.view);
    this.view = message.view;
  }

  /** Scrolls the page alone: browsers' own functions would move VS Code's frames around it too, by some pixels. */
  #scrollTo(part: Element | null): void {
    if (part === null) {
      return;
    }
    const { top, bottom } = part.getBoundingClientRect();
    const header = this.querySelector<HTMLElement>('header');
    const upper = header === null || getComputedStyle(header).position === 'static' ? 0 : header.offsetHeight;
    const below = bottom - window.innerHeight;
    const above = top - upper;
    window.scrollBy(0, above < 0 ? above : Math.max(0, Math.min(below, above)));
  }
}

/** Waits until the window has the focus, so that a restored page doesn't take it from another editor. */
function onceWindowFocused(focus: () => void): void {
  if (document.hasFocus()) {
    focus();
  } else {
    window.addEventListener('focus', focus, { once: true });
  }
}

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

function withoutToken(_key: string, value: unknown): unknown {
  return typeof value === 'string' && maskWebTokens(value) !== value ? '' : value;
}

/** The part of the page that the user may have waited for. */
export interface PageNews {
  /** Names it. Another one gets the focus, once; one that begins with this only had something more, such as a failure. */
  readonly arrival: string;
  /** ID of what gets the focus. Undefined to leave it. */
  readonly focus?: string;
  /** Announced by screen readers when they change. */
  readonly texts: readonly (string | undefined)[];
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
  readonly #host: WebviewApi = acquireVsCodeApi();
  readonly send = (message: Intent | v.InferOutput<typeof READY>): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- not window.postMessage
    this.#host.postMessage(message);
  };
  #hadFocus = false;
  #arrival = '';

  protected abstract readonly news: PageNews;

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener('message', ({ origin, data }: MessageEvent) => {
      // VS Code forwards the host's messages from a frame of this origin. Any site in another frame can post
      // messages too.
      const message = origin === window.origin ? parseHostMessage<View>(data) : undefined;
      if (message !== undefined) {
        this.#receiveMessage(message);
      }
    });
    // Asks for the first message.
    this.send({ type: 'ready', timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  }

  /** The state that was stored, of unknown shape. */
  protected storedState(): unknown {
    return this.#host.getState();
  }

  /**
   * Stores the state, which VS Code writes to a file. Drops texts with an access token that the user pasted by
   * mistake.
   */
  protected storeState(state: unknown): void {
    this.#host.setState(JSON.parse(JSON.stringify(state, withoutToken)));
  }

  /** Called before a view is drawn. @param before Undefined for a page that was just opened. */
  protected abstract viewArrived(before: View | undefined, view: View): void;

  /** The sections in reading order. */
  protected abstract drawMain(): TemplateResult;

  protected override render(): TemplateResult {
    const isOpen = this.view !== undefined;
    const texts = isOpen ? this.news.texts : [];
    return html`${isOpen ? this.drawMain() : nothing}
      <div class="announcer" role="status" aria-live="polite">${texts.filter((text) => text !== undefined).join(' ')}</div>`;
  }

  /** Renders without a shadow root, so that one style sheet applies and elements can refer to each other by ID. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(_changed: PropertyValues): void {
    this.#hadFocus = this.contains(document.activeElement);
  }

  protected override updated(_changed: PropertyValues): void {
    if (this.view === undefined) {
      return;
    }
    const { arrival, focus } = this.news;
    const isPartOfLast = this.#arrival.startsWith(arrival);
    const isLost = document.activeElement === document.body;
    if (focus !== undefined && !isPartOfLast) {
      onceWindowFocused(() => this.focusPart(focus));
    } else if (isLost && isPartOfLast && arrival !== this.#arrival && this.querySelector('#primary') !== null) {
      // VS Code's question took it from the button.
      onceWindowFocused(() => this.focusPart('primary'));
    } else if (isLost && this.#hadFocus) {
      // The focused element, such as Cancel, is gone. Without this, the next Tab would start at the top.
      this.querySelector<HTMLElement>('#primary, h2[tabindex]')?.focus();
    }
    this.#arrival = arrival;
  }

  /** Focuses a part, and scrolls it into view. */
  protected focusPart(id: string): void {
    const part = this.querySelector<HTMLElement>(`#${id}`);
    part?.focus({ preventScroll: true });
    // The next step and the buttons of a failure are below its heading.
    this.#scrollTo(part?.closest('.callout') ?? part);
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

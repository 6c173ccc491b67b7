/** What the wizard's page says to its host, in order. */
import { parseHostMessage, type HostMessage, type PageMessage } from '../protocol.ts';
import type { PlanDraft } from '../../truncation/plan.ts';
import { HostLink, type WebviewApi } from '../../webview/page/hostLink.ts';

/** An intent that says what exactly is wanted. */
type DetailedIntent = Extract<PageMessage, { readonly type: 'fit' | 'copyReceipt' | 'copyRequests' }>;

/** An intent: a message that carries nothing but its name. */
type PlainIntent = Exclude<PageMessage['type'], 'ready' | 'edit' | DetailedIntent['type']>;

/** What a person may ask the host for. */
export type WizardIntent = PlainIntent | DetailedIntent;

/** Long enough to wait for the next key, short enough that errors appear while one still looks at the field. */
const EDIT_DELAY_MILLIS = 150;

/** Sends to the host. An edit waits for the next one; anything else sends a waiting edit first, so the host never acts on an old draft. */
export class WizardLink extends HostLink<PageMessage, HostMessage> {
  #waiting: PlanDraft | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(api: WebviewApi) {
    super(api, parseHostMessage);
  }

  /** Says that the page is up. */
  ready(timeZone: string, draft: PlanDraft | undefined): void {
    this.post({ type: 'ready', timeZone, draft });
  }

  /** Sends what is typed, soon. */
  edit(draft: PlanDraft): void {
    this.#waiting = draft;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), EDIT_DELAY_MILLIS);
  }

  /** Sends an intent at once, after the edit that waits. */
  send(intent: WizardIntent): void {
    this.flush();
    this.post(typeof intent === 'string' ? { type: intent } : intent);
  }

  /** Sends the edit that waits, if any. */
  flush(): void {
    clearTimeout(this.#timer);
    const draft = this.#waiting;
    this.#waiting = undefined;
    if (draft !== undefined) {
      this.post({ type: 'edit', draft });
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
}

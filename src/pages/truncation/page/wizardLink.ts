/** Sends messages to the wizard's host, in order. */
import { parseHostMessage, type WizardHostMessage, type WizardPageMessage } from '../protocol.ts';
import type { PlanDraft } from '../../../truncation/plan.ts';
import { HostLink, type WebviewApi } from '../../kit/page/hostLink.ts';

/** An intent with details. */
type DetailedWizardIntent = Extract<WizardPageMessage, { readonly type: 'fit' | 'copyReceipt' | 'copyRequests' }>;

/** An intent without details. */
type PlainWizardIntent = Exclude<WizardPageMessage['type'], 'ready' | 'edit' | DetailedWizardIntent['type']>;

/** An action that the user can ask the host for. */
export type WizardIntent = PlainWizardIntent | DetailedWizardIntent;

/** Long enough to wait for the next key, short enough to show errors while the user still looks at the field. */
const EDIT_DELAY_MILLIS = 150;

/**
 * Delays an edit until the user pauses. Any intent sends a pending edit first, so the host never acts on an old
 * draft.
 */
export class WizardHostLink extends HostLink<WizardPageMessage, WizardHostMessage> {
  #waiting: PlanDraft | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(api: WebviewApi) {
    super(api, parseHostMessage);
  }

  /** Notifies the host that the page is loaded. */
  announceReady(timeZone: string, draft: PlanDraft | undefined): void {
    this.sendMessage({ type: 'ready', timeZone, draft });
  }

  /** Sends the draft after a short delay. */
  sendEditLater(draft: PlanDraft): void {
    this.#waiting = draft;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.sendWaitingEdit(), EDIT_DELAY_MILLIS);
  }

  /** Sends an intent at once, after the pending edit. */
  sendIntent(intent: WizardIntent): void {
    this.sendWaitingEdit();
    this.sendMessage(typeof intent === 'string' ? { type: intent } : intent);
  }

  /** Sends the pending edit, if any. */
  sendWaitingEdit(): void {
    clearTimeout(this.#timer);
    const draft = this.#waiting;
    this.#waiting = undefined;
    if (draft !== undefined) {
      this.sendMessage({ type: 'edit', draft });
    }
  }

  /** True if an edit is pending. */
  get hasWaitingEdit(): boolean {
    return this.#waiting !== undefined;
  }

  /** Drops the pending edit after the host replaced the draft. */
  forgetWaitingEdit(): void {
    clearTimeout(this.#timer);
    this.#waiting = undefined;
  }
}

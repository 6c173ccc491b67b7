/** A limit to fit the cutoff to: its kind, a number and a button. The host finds the cutoff and fills it in. */
import * as l10n from '@vscode/l10n';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { waitingBar } from '../../webview/page/elements.ts';
import { problemLine } from '../../webview/page/field.ts';
import type { CutOffFitView } from '../protocol.ts';
import { readGoal, type FitKind } from '../../rowsByAge/fitGoal.ts';
import type { WizardIntent } from './wizardLink.ts';

const NUMBER_ID = 'fit-number';

export class CutOffFitField extends LitElement {
  static override properties = {
    fit: { attribute: false },
    sizeRefusal: { attribute: false },
    editable: { attribute: false },
    send: { attribute: false },
    kind: { state: true },
    text: { state: true },
    problem: { state: true },
  };

  declare fit: CutOffFitView | undefined;
  /** Why this server doesn't allow a limit by size. */
  declare sizeRefusal: string | undefined;
  declare editable: boolean;
  declare send: (intent: WizardIntent) => void;
  declare private kind: FitKind;
  declare private text: string;
  declare private problem: string | undefined;

  constructor() {
    super();
    this.editable = true;
    this.kind = 'keepDays';
    this.text = '';
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    const { fit } = this;
    const isSolving = fit?.state === 'solving';
    return html`<div class="field">
      <label for="fit-kind">${l10n.t('Set cut-off by')}</label>
      <div class="fit">
        ${this.#renderKindSelect(isSolving)} ${this.#renderNumberInput(isSolving)}
        <button
          type="button"
          class="secondary"
          aria-disabled=${this.editable ? 'false' : 'true'}
          @click=${() => (isSolving ? this.send('stopFit') : this.#sendFitRequest())}
        >
          ${isSolving ? l10n.t('Stop') : l10n.t('Set Cut-off')}
        </button>
      </div>
      ${problemLine(NUMBER_ID, this.#problem())}
      ${isSolving ? waitingBar() : nothing}
      ${fit === undefined || fit.sentence === '' ? nothing : html`<p class="help">${fit.sentence}</p>`}
    </div>`;
  }

  #renderKindSelect(isSolving: boolean): TemplateResult {
    const kinds: readonly [FitKind, string][] = [
      ['keepDays', l10n.t('Days to keep')],
      ['keepBytes', l10n.t('GB to keep at most')],
      ['deleteRows', l10n.t('Rows to delete at most')],
    ];
    return html`<select
      id="fit-kind"
      ?disabled=${!this.editable || isSolving}
      @change=${(event: Event & { target: HTMLSelectElement }) => {
        this.kind = kinds[event.target.selectedIndex]?.[0] ?? this.kind;
        this.problem = undefined;
      }}
    >
      ${kinds.map(([kind, name]) => html`<option ?selected=${kind === this.kind}>${name}</option>`)}
    </select>`;
  }

  #renderNumberInput(isSolving: boolean): TemplateResult {
    return html`<input
      id=${NUMBER_ID}
      type="text"
      inputmode="decimal"
      autocomplete="off"
      maxlength="32"
      aria-label=${l10n.t('Limit')}
      aria-describedby=${this.#problem() === undefined ? nothing : `${NUMBER_ID}-problem`}
      aria-invalid=${this.#problem() === undefined ? 'false' : 'true'}
      ?readonly=${!this.editable || isSolving}
      .value=${this.text}
      @input=${(event: InputEvent & { target: HTMLInputElement }) => {
        this.text = event.target.value;
        this.problem = undefined;
      }}
      @keydown=${(event: KeyboardEvent) => this.#handleKeydown(event)}
    />`;
  }

  #problem(): string | undefined {
    return this.#limitRefusal() ?? this.problem;
  }

  /** Applies before the user types anything. */
  #limitRefusal(): string | undefined {
    return this.kind === 'keepBytes' ? this.sizeRefusal : undefined;
  }

  /** Enter presses the button beside it, not the dry run. */
  #handleKeydown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && !event.isComposing) {
      event.preventDefault();
      this.#sendFitRequest();
    }
  }

  #sendFitRequest(): void {
    if (!this.editable || this.fit?.state === 'solving') {
      return;
    }
    const refusal = this.#limitRefusal();
    const read = refusal === undefined ? readGoal(this.kind, this.text) : { problem: refusal };
    if ('problem' in read) {
      this.problem = read.problem;
      this.querySelector<HTMLElement>(`#${NUMBER_ID}`)?.focus();
    } else {
      this.send({ type: 'fit', goal: read.goal });
    }
  }
}

/** Elements that several sections of the pages share. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';

/** @param describedBy ID of an element that describes the button. */
export function secondaryButton(label: string, press: () => void, describedBy?: string): TemplateResult {
  return html`<button
    type="button"
    class="secondary"
    aria-describedby=${describedBy ?? nothing}
    @click=${press}
  >${label}</button>`;
}

/** A moving bar while a request is under way. */
export function waitingBar(): TemplateResult {
  return html`<vscode-progress-bar aria-label=${l10n.t('Waiting for the server…')}></vscode-progress-bar>`;
}

/** Elements that both pages share. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { ConnectionView } from '../protocol.ts';
import { icons } from './icons.ts';

/** A part that may be absent. */
export type OptionalTemplate = TemplateResult | typeof nothing;

/** @param describedBy ID of an element that describes the button. */
export function secondaryButton(label: string, press: () => void, describedBy?: string): TemplateResult {
  return html`<button
    type="button"
    class="secondary"
    aria-describedby=${describedBy ?? nothing}
    @click=${press}
  >${label}</button>`;
}

/** A paragraph; nothing for an unknown text. */
export function optionalParagraph(text: string | undefined, style?: 'help' | 'quiet'): OptionalTemplate {
  return text === undefined ? nothing : html`<p class=${style ?? nothing}>${text}</p>`;
}

/** A box with the icon of its kind. */
export function calloutBox(kind: 'warning' | 'error' | 'info' | 'done', content: TemplateResult): TemplateResult {
  return html`<div class="callout ${kind}">${icons[kind]}${content}</div>`;
}

/** A moving bar while a request is under way. */
export function waitingBar(): TemplateResult {
  return html`<vscode-progress-bar aria-label=${l10n.t('Waiting for the server…')}></vscode-progress-bar>`;
}

/** Starts with the role for screen readers. */
export function connectionLine({ name, baseUrl, role }: ConnectionView): TemplateResult {
  const badge = role === undefined ? nothing : html`<span class="role ${role.kind}">${role.name}</span> `;
  return html`<p>${badge}<bdi>${name}</bdi> <span class="quiet">${baseUrl}</span></p>`;
}

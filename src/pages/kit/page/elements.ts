/** Elements that both pages share: icons, buttons, callouts, progress, fields and facts. */
import * as l10n from '@vscode/l10n';
import { html, nothing, svg, type TemplateResult } from 'lit';
import type { ConnectionView, Fact, FailureView } from '../protocol.ts';

/** Inline: the policy allows no images, and fonts are large. Hidden from screen readers, which read the text beside. */
export const icons = {
  warning: inlineIcon(svg`<path d="M8 1.5 15 14H1Z M8 6v4 M8 11.4v1.2" />`),
  error: inlineIcon(svg`<circle cx="8" cy="8" r="6.5" /><path d="M5.5 5.5l5 5 M10.5 5.5l-5 5" />`),
  chevron: inlineIcon(svg`<path d="M4 6l4 4 4-4" />`),
  done: inlineIcon(svg`<circle cx="8" cy="8" r="6.5" /><path d="M5 8.2l2.2 2.2 4-4.6" />`),
} as const;

function inlineIcon(shape: TemplateResult<2>): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">${shape}</svg>`;
}

/** A part that may be absent. */
export type OptionalTemplate = TemplateResult | typeof nothing;

interface ButtonOptions {
  readonly style?: 'primary' | 'secondary' | 'danger' | 'link';
  readonly id?: string;
  /** A disabled one keeps the focus, and can be pressed to see what prevents it. */
  readonly isEnabled?: boolean;
  /** ID of an element that describes it. */
  readonly describedBy?: string | undefined;
}

export function button(
  label: string,
  press: () => void,
  { style = 'secondary', id, isEnabled, describedBy }: ButtonOptions = {},
): TemplateResult {
  return html`<button
    type="button"
    id=${id ?? nothing}
    class=${style}
    aria-disabled=${isEnabled === undefined ? nothing : String(!isEnabled)}
    aria-describedby=${describedBy ?? nothing}
    @click=${press}
  >${label}</button>`;
}

/** A paragraph; nothing for an unknown text. */
export function optionalParagraph(text: string | undefined, style?: 'help' | 'quiet'): OptionalTemplate {
  return text === undefined ? nothing : html`<p class=${style ?? nothing}>${text}</p>`;
}

/** A box with the icon of its kind. */
export function calloutBox(kind: 'warning' | 'error' | 'done', content: TemplateResult): TemplateResult {
  return html`<div class="callout ${kind}">${icons[kind]}${content}</div>`;
}

/** A problem and the next step. @param buttons That lead there, if any. */
export function problemCallout(
  problem: TemplateResult,
  next: string | undefined,
  buttons: OptionalTemplate = nothing,
): TemplateResult {
  const row = buttons === nothing ? nothing : html`<div class="buttons">${buttons}</div>`;
  return calloutBox('error', html`<div>${problem} ${optionalParagraph(next)} ${row}</div>`);
}

/** Why the last request failed, and what helps. @param retry Repeats it, unless another button of the page does. */
export function failureNotice({ view: { failure }, send }: FailingPage, retry?: () => void): OptionalTemplate {
  if (failure === undefined) {
    return nothing;
  }
  const { headline, sentence, next, isSignedOut, hasDetails } = failure;
  return html`<section aria-labelledby="failure-heading">${problemCallout(
    html`<h2 id="failure-heading" tabindex="-1">${headline ?? sentence}</h2>
      ${headline === undefined ? nothing : html`<p>${sentence}</p>`}`,
    next,
    html`${
      isSignedOut === true ? signInButton(send) : retry === undefined ? nothing : button(l10n.t('Try Again'), retry)
    }
    ${hasDetails ? button(l10n.t('Copy Details for a Report'), () => send({ type: 'copyDetails' })) : nothing}`,
  )}</section>`;
}

interface FailingPage {
  readonly view: { readonly failure: FailureView | undefined };
  readonly send: (intent: { readonly type: 'signIn' | 'copyDetails' }) => void;
}

/** Shown beside a failure that signing in may solve. */
export function signInButton(send: FailingPage['send']): TemplateResult {
  return button(l10n.t('Sign In…'), () => send({ type: 'signIn' }));
}

/** A moving bar while a request is under way. */
export function waitingBar(): TemplateResult {
  return html`<vscode-progress-bar aria-label=${l10n.t('Waiting for the server…')}></vscode-progress-bar>`;
}

/** How far a task is. @param percent From 0 to 100; undefined while unknown. */
export function taskProgress(percent: number | undefined): TemplateResult {
  return html`<vscode-progress-bar
    aria-label=${l10n.t('Task progress')}
    .value=${percent}
    .indeterminate=${percent === undefined}
  ></vscode-progress-bar>`;
}

/** Starts with the role for screen readers. */
export function connectionLine({ name, baseUrl, role }: ConnectionView): TemplateResult {
  const badge = role === undefined ? nothing : html`<span class="role ${role.kind}">${role.name}</span> `;
  return html`<p>${badge}<bdi>${name}</bdi> <span class="quiet">${baseUrl}</span></p>`;
}

export function foldedDetails<Intent>(facts: readonly Fact<Intent>[], send: (intent: Intent) => void): TemplateResult {
  return html`<details class="folded">
    <summary>${icons.chevron}<h2>${l10n.t('Details')}</h2></summary>
    <dl>
      ${facts.map((fact, place) => factRow(fact, `detail-${place}`, send))}
    </dl>
  </details>`;
}

function factRow<Intent>(
  { name, value, quoted, code, copy }: Fact<Intent>,
  id: string,
  send: (intent: Intent) => void,
): TemplateResult {
  return html`<div>
    <dt>${name}</dt>
    <dd>
      ${value === undefined ? nothing : html`<p>${value}</p>`}
      ${quoted === undefined ? nothing : html`<p class="quoted">${quoted}</p>`}
      ${code === undefined ? nothing : html`<code id=${id}>${code}</code>`}
      ${
        copy === undefined
          ? nothing
          : button(copy.label, () => send(copy.intent), { describedBy: code === undefined ? undefined : id })
      }
    </dd>
  </div>`;
}

/** For `aria-describedby`, before other IDs: the problem comes first as news. Empty without one. */
export function problemId(id: string, problem: string | undefined): string {
  return problem === undefined ? '' : `${id}-problem`;
}

/** Has an icon, because high contrast has no error colour. */
export function problemLine(id: string, problem: string | undefined): OptionalTemplate {
  return problem === undefined
    ? nothing
    : html`<p class="problem" id="${id}-problem">${icons.error}<span>${problem}</span></p>`;
}

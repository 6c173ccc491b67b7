/** The frame of every stage: title, connection, problems of requests, and the primary button. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { indexNameText } from '../../../indices/indexName.ts';
import type { Problem } from '../../../truncation/outcome.ts';
import {
  calloutBox,
  connectionLine,
  problemCallout,
  button,
  waitingBar,
  type OptionalTemplate,
} from '../../kit/page/elements.ts';
import type { TruncationPageView } from '../protocol.ts';
import type { TruncationPageModel } from './pageModel.ts';

/** Always visible: the index and the server. */
export function header({ view, draft }: TruncationPageModel): TemplateResult {
  return html`<header>
      <h1>${l10n.t('Truncate {0}', indexNameText(draft))}</h1>
      ${connectionLine(view.connection)}
    </header>
    ${
      view.connection.warning === undefined ? nothing : calloutBox('warning', html`<p>${view.connection.warning}</p>`)
    }`;
}

/** The primary button, what stands beside it, and why it can't be pressed. */
export function primaryButton(page: TruncationPageModel, beside: OptionalTemplate = nothing): TemplateResult {
  const { primary } = page.view;
  return html`<div class="buttons">
      ${button(primary.label, () => page.pressPrimary(), {
        id: 'primary',
        style: buttonStyle(page.view),
        isEnabled: primary.enabled,
        describedBy: primary.reason === undefined ? undefined : 'primary-reason',
      })}
      ${beside}
    </div>
    ${primary.reason === undefined ? nothing : html`<p id="primary-reason">${primary.reason}</p>`}`;
}

export function cancelButton({ send }: TruncationPageModel): TemplateResult {
  return button(l10n.t('Cancel'), () => send({ type: 'cancel' }));
}

/** Secondary while a truncation runs: closing the page is no step of it. */
function buttonStyle({ primary, phase }: TruncationPageView): 'primary' | 'secondary' | 'danger' {
  if (primary.intent === 'execute') {
    return 'danger';
  }
  return phase === 'running' ? 'secondary' : 'primary';
}

/** A moving bar while a request is under way. Its place is there from the start, so that nothing moves. */
export function progressLine({ view }: TruncationPageModel): TemplateResult {
  const { phase, outcome } = view;
  const waits = phase === 'dryRunning' || (phase === 'executing' && outcome === undefined);
  return html`<div class="waiting">
    ${waits ? waitingBar() : nothing}
    ${phase === 'confirming' ? html`<p>${l10n.t('Waiting for your confirmation.')}</p>` : nothing}
  </div>`;
}

/** Why the last request failed, and the next step. */
export function failureNotice({ view, send }: TruncationPageModel): OptionalTemplate {
  const { failure } = view;
  return failure === undefined
    ? nothing
    : html`<section aria-labelledby="failure-heading">${problemCallout(
        html`<h2 id="failure-heading" tabindex="-1">${failure.sentence}</h2>`,
        failure.next,
        html`${signInButton(failure, send)}
        ${button(l10n.t('Copy Details for a Report'), () => send({ type: 'copyDetails' }))}`,
      )}</section>`;
}

/** Shown beside a failure that signing in may solve. */
export function signInButton(
  { isSignedOut }: Pick<Problem, 'isSignedOut'>,
  send: TruncationPageModel['send'],
): OptionalTemplate {
  return isSignedOut === true ? button(l10n.t('Sign In…'), () => send({ type: 'signIn' })) : nothing;
}

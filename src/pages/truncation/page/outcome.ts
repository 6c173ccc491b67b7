/** The third stage: the progress or the outcome of a truncation that was sent. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { calloutBox, optionalParagraph, button, foldedDetails, taskProgress } from '../../kit/page/elements.ts';
import type { OutcomeView } from '../protocol.ts';
import { failureNotice, primaryButton, signInButton, type TruncationPageModel } from './frame.ts';

export function outcomeStage(page: TruncationPageModel): TemplateResult {
  const { outcome } = page.view;
  const isOver = outcome?.state !== 'running';
  return html`${failureNotice(page)} ${outcome === undefined ? nothing : outcomeSection(page, outcome)}
    <section>${primaryButton(
      page,
      html`${outcome === undefined ? nothing : sentButtons(page, outcome)}
      ${isOver ? button(l10n.t('New Truncation'), () => page.send({ type: 'startOver' })) : nothing}`,
    )}</section>
    ${outcome === undefined ? nothing : foldedDetails(outcome.details, page.send)}`;
}

function sentButtons({ send }: TruncationPageModel, { canCheck, state }: OutcomeView): TemplateResult {
  return html`${canCheck ? button(l10n.t('Check Now'), () => send({ type: 'checkTask' })) : nothing}
  ${state === 'finished' ? button(l10n.t('Automate…'), () => send({ type: 'automate' })) : nothing}
  ${state === 'running' ? nothing : button(l10n.t('Receipt…'), () => send({ type: 'receipt' }))}`;
}

function outcomeSection({ send }: TruncationPageModel, outcome: OutcomeView): TemplateResult {
  const { state, headline, scope, next, isTrouble, isSignedOut, percent, pace, lastCheck } = outcome;
  const text = html`<div>
    <h2 id="outcome-heading" tabindex="-1">${headline}</h2>
    ${optionalParagraph(scope)} ${optionalParagraph(next)}
    ${isSignedOut === true ? html`<div class="buttons">${signInButton({ isSignedOut }, send)}</div>` : nothing}
  </div>`;
  return html`<section class="outcome" aria-labelledby="outcome-heading">
    ${state === 'running' && !isTrouble ? text : calloutBox(CALLOUTS[state], text)}
    ${state === 'running' ? html`${taskProgress(percent)} ${optionalParagraph(pace)}` : nothing}
    ${optionalParagraph(lastCheck, 'help')}
  </section>`;
}

const CALLOUTS = { failed: 'error', finished: 'done', unknown: 'warning', running: 'warning' } as const;

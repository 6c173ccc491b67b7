/** Header, failure notice and footer of the wizard. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import {
  secondaryButton,
  waitingBar,
  connectionLine,
  calloutBox,
  optionalParagraph,
  type OptionalTemplate,
} from '../../kit/page/elements.ts';
import { icons } from '../../kit/page/icons.ts';
import type { PlanDraft } from '../../../truncation/plan.ts';
import type { Problem } from '../../../truncation/outcome.ts';
import type { WizardPageView } from '../protocol.ts';
import type { WizardPageModel, WizardStage } from './wizardPage.ts';

/** Always visible: the index, the server and the current stage. */
export function wizardHeader(page: WizardPageModel): TemplateResult {
  const { view, draft } = page;
  const [entityType, aspect] = [draft.entityType.trim(), draft.aspect.trim()];
  const title = isIndexNamed(draft)
    ? l10n.t('Truncate {0} / {1}', entityType, aspect)
    : l10n.t('Truncate time series index');
  return html`<header>
    <h1>${title}</h1>
    <div class="place">
      ${connectionLine(view.connection)}
      ${wizardStageLine(page)}
    </div>
  </header>`;
}

/** All stages in one line, with the current one marked. From a review, the first one is the way back. */
function wizardStageLine({ view, stage: present, send }: WizardPageModel): TemplateResult {
  const names: readonly [WizardStage, string][] = [
    ['choose', l10n.t('Choose')],
    ['review', l10n.t('Review and Delete')],
    ['outcome', l10n.t('Outcome')],
  ];
  const canGoBack = present === 'review' && (view.phase === 'reviewed' || view.phase === 'editing');
  return html`<ol class="stages">
    ${names.map(
      ([stage, name]) =>
        html`<li aria-current=${stage === present ? 'step' : 'false'}>${
          stage === 'choose' && canGoBack
            ? html`<button type="button" class="link" @click=${() => send('goBack')}>${name}</button>`
            : name
        }</li>`,
    )}
  </ol>`;
}

/** Size of the index, user and warnings of the connection. The review and the outcome show sizes of their own. */
export function connectionFacts({ view, draft, stage }: WizardPageModel): TemplateResult {
  const { connection, indexSize, sizeNote } = view;
  const isSizeShown = isIndexNamed(draft) && stage === 'choose';
  return html`<div class="where">
    <dl>
      ${
        isSizeShown
          ? html`<div>
            <dt>${l10n.t('Size')}</dt>
            <dd>${indexSize ?? l10n.t('Unknown')}</dd>
          </div>`
          : nothing
      }
      <div>
        <dt>${l10n.t('Acting as')}</dt>
        <dd><bdi>${connection.actor}</bdi></dd>
      </div>
    </dl>
    ${optionalParagraph(isSizeShown ? sizeNote : undefined, 'quiet')}
    ${connection.warning === undefined ? nothing : calloutBox('warning', html`<p>${connection.warning}</p>`)}
  </div>`;
}

function isIndexNamed({ entityType, aspect }: PlanDraft): boolean {
  return entityType.trim() !== '' && aspect.trim() !== '';
}

/** Why the last request failed, and the next step. */
export function failureNotice({ view, stage, send }: WizardPageModel): OptionalTemplate {
  const { failure, report } = view;
  // After sending, the report and its button are folded.
  const offersOtherStrategy = stage === 'outcome' && report?.canForceDeleteByQuery === true;
  if (failure === undefined) {
    return nothing;
  }
  return html`<section class="callout error" aria-labelledby="failure-heading">
    ${icons.error}
    <div>
      <h2 id="failure-heading" tabindex="-1">${l10n.t('Request failed')}</h2>
      <p>${failure.sentence}</p>
      ${optionalParagraph(failure.next)}
      <div class="buttons">
        ${offersOtherStrategy ? deleteByQueryButton(send) : nothing}
        ${signInButton(failure, send)}
        ${secondaryButton(l10n.t('Copy Details'), () => send('copyDetails'))}
      </div>
    </div>
  </section>`;
}

/** Switches the plan to the other strategy. */
export function deleteByQueryButton(send: WizardPageModel['send']): TemplateResult {
  return secondaryButton(l10n.t('Use Delete by Query'), () => send('useDeleteByQuery'));
}

/** Shown beside a failure that signing in may solve. */
export function signInButton(
  { isSignedOut }: Pick<Problem, 'isSignedOut'>,
  send: WizardPageModel['send'],
): OptionalTemplate {
  return isSignedOut === true ? secondaryButton(l10n.t('Sign In…'), () => send('signIn')) : nothing;
}

/** Primary button, Cancel and progress of the request. */
export function wizardFooter(page: WizardPageModel): TemplateResult {
  const { view, send } = page;
  const { primary, phase, task } = view;
  // Once sent, the task has its own progress bar.
  const waitsForServer = phase === 'dryRunning' || (phase === 'executing' && task === undefined);
  return html`<footer>
    ${waitsForServer ? html`${waitingBar()}<p>${l10n.t('Waiting for the server…')}</p>` : nothing}
    ${phase === 'confirming' ? html`<p>${l10n.t('Confirm in the prompt above to continue.')}</p>` : nothing}
    ${primary.reason === undefined ? nothing : html`<p id="primary-reason">${primary.reason}</p>`}
    <div class="buttons">
      <button
        type="button"
        id="primary"
        class=${primaryButtonStyle(view)}
        aria-disabled=${primary.enabled ? 'false' : 'true'}
        aria-describedby=${primary.reason === undefined ? nothing : 'primary-reason'}
        @click=${() => page.pressPrimary()}
      >
        ${primary.label}
      </button>
      ${view.canCancel ? secondaryButton(l10n.t('Cancel'), () => send('cancel')) : nothing}
    </div>
  </footer>`;
}

/** Secondary while a truncation runs, which matters more than the next one. */
function primaryButtonStyle({ primary, phase }: WizardPageView): 'primary' | 'secondary' | 'danger' {
  if (primary.intent === 'execute') {
    return 'danger';
  }
  return phase === 'running' ? 'secondary' : 'primary';
}

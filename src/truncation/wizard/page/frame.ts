/** What stands around the fields: where one is, what went wrong, and the buttons at the end. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { icons } from '../../../webview/page/icons.ts';
import type { WizardView } from '../protocol.ts';
import type { Page } from './page.ts';

/** Which index, named once: by its fields where they are open, else by the heading; how large it is now, on which server, as whom. */
export function heading({ view, draft, indexFields }: Page): TemplateResult {
  const { connection, indexSize } = view;
  const [entityType, aspect] = [draft.entityType.trim(), draft.aspect.trim()];
  const isComplete = entityType !== '' && aspect !== '';
  const isNamed = isComplete && (indexFields === 'folded' || wasSent(view));
  return html`<header>
    <h1>${isNamed ? l10n.t('Truncate {0} / {1}', entityType, aspect) : l10n.t('Truncate time series index')}</h1>
    <dl class="where">
      ${
        isComplete && !wasSent(view)
          ? html`<div>
            <dt>${l10n.t('Size')}</dt>
            <dd>${indexSize ?? l10n.t('Unknown')}</dd>
          </div>`
          : nothing
      }
      <div>
        <dt>${l10n.t('Connection')}</dt>
        <dd><bdi>${connection.name}</bdi> <span class="quiet">${connection.baseUrl}</span></dd>
      </div>
      <div>
        <dt>${l10n.t('Acting as')}</dt>
        <dd><bdi>${connection.actor}</bdi></dd>
      </div>
    </dl>
    ${connection.warning === undefined ? nothing : html`<div class="callout warning">${icons.warning}<p>${connection.warning}</p></div>`}
  </header>`;
}

/** Whether the page tells what came of a plan: there is nothing to edit, and the outcome comes first. */
export function wasSent({ phase, task }: WizardView): boolean {
  return task !== undefined || phase === 'running' || phase === 'finished' || phase === 'failed';
}

/** Why the last request came to nothing, and what to do about it. */
export function failureNotice({ view, send }: Page): TemplateResult | typeof nothing {
  const { failure, report } = view;
  // Without a plan to edit the report stands folded, and with it the other way to delete.
  const offersOtherStrategy = wasSent(view) && report?.canForceDeleteByQuery === true;
  if (failure === undefined) {
    return nothing;
  }
  return html`<section class="callout error" aria-labelledby="failure-heading">
    ${icons.error}
    <div>
      <h2 id="failure-heading" tabindex="-1">${l10n.t('Failed')}</h2>
      <p>${failure.sentence}</p>
      ${failure.next === undefined ? nothing : html`<p>${failure.next}</p>`}
      <div class="buttons">
        ${offersOtherStrategy ? html`<button type="button" class="secondary" @click=${() => send('useDeleteByQuery')}>${l10n.t('Use Delete by Query')}</button>` : nothing}
        <button type="button" class="secondary" @click=${() => send('copyDetails')}>${l10n.t('Copy Details')}</button>
      </div>
    </div>
  </section>`;
}

/** The one primary button, Cancel while there is something to cancel, and what is being waited for. */
export function actions(page: Page): TemplateResult {
  const { view, send } = page;
  const { primary, phase } = view;
  const waitsForServer = phase === 'dryRunning' || phase === 'executing';
  return html`<footer>
    ${waitsForServer ? html`<vscode-progress-bar aria-label=${l10n.t('Waiting for the server…')}></vscode-progress-bar><p>${l10n.t('Waiting for the server…')}</p>` : nothing}
    ${phase === 'confirming' ? html`<p>${l10n.t('Confirm in the prompt above to continue.')}</p>` : nothing}
    <div class="buttons">
      <button
        type="button"
        id="primary"
        class=${primary.intent === 'execute' ? 'danger' : 'primary'}
        aria-disabled=${primary.enabled ? 'false' : 'true'}
        @click=${() => page.goOn()}
      >
        ${primary.label}
      </button>
      ${view.canCancel ? html`<button type="button" class="secondary" @click=${() => send('cancel')}>${l10n.t('Cancel')}</button>` : nothing}
    </div>
  </footer>`;
}

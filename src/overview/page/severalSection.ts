/** The batch: the selected indices, their dry runs, and their progress. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { secondaryButton } from '../../webview/page/buttons.ts';
import { plural } from '../../language.ts';
import type { LocalizedFormats } from '../../ui/formats.ts';
import { icons } from '../../webview/page/icons.ts';
import { MAX_BATCH_ITEMS, type InterruptedBatchView, type BatchIntent, type BatchView } from '../../batch/protocol.ts';
import { readDays } from '../../rowsByAge/fitGoal.ts';
import { ageField } from './ageField.ts';
import type { OverviewPage } from './overviewPage.ts';
import { severalTable } from './severalTable.ts';
import { countsText } from '../../truncation/texts/reviewTexts.ts';

type SectionPart = TemplateResult | typeof nothing;

export function severalSection(page: OverviewPage): SectionPart {
  const { several } = page.view;
  const isChoosing = several.phase === 'choosing';
  return html`${several.interrupted.map((one) => interruptedCallout(one, page))}
  ${
    isChoosing && page.ticked.size === 0
      ? nothing
      : html`<section class="several" id="several" tabindex="-1" aria-labelledby="several-title">
          <h2 id="several-title">${batchTitle(page)}</h2>
          ${isChoosing ? selectionForm(page) : batchPlan(page)}
        </section>`
  }`;
}

function batchTitle({ view, ticked, formats }: OverviewPage): string {
  const { phase, items } = view.several;
  const many = phase === 'choosing' ? ticked.size : items.length;
  const count = formats.number(many);
  return plural(many, l10n.t('Truncate {0} index', count), l10n.t('Truncate {0} indices', count));
}

function selectionForm(page: OverviewPage): TemplateResult {
  const { ticked, formats } = page;
  const read = readDays(page.age);
  const dryRun = (): void => {
    if ('days' in read) {
      sendIntent(page, { type: 'dryRun', ids: [...ticked], days: read.days, timeZone: formats.timeZone });
    } else {
      page.askForAge();
    }
  };
  return html`${ageField(page, dryRun)}
    ${ticked.size < MAX_BATCH_ITEMS ? nothing : html`<p class="help">${l10n.t('At most {0} indices can be truncated at once.', formats.number(MAX_BATCH_ITEMS))}</p>`}
    <div class="buttons">
      <button type="button" class="primary" id="several-primary" aria-disabled=${String('problem' in read)} @click=${dryRun}>
        ${l10n.t('Dry Run')}
      </button>
      ${secondaryButton(l10n.t('Clear Selection'), () => page.tick([...ticked], false))}
    </div>`;
}

function batchPlan(page: OverviewPage): TemplateResult {
  const { cutOff, failure, outcome, onlyCopy, sum, phase, refusal } = page.view.several;
  const isBefore = phase === 'planned' || phase === 'confirming';
  return html`${cutOff === undefined ? nothing : html`<p class="quiet">${cutOff}</p>`} ${severalTable(page)}
    ${isBefore && sum.count > 0 ? html`<p>${onlyCopy}</p>` : nothing}
    ${isBefore && refusal !== undefined ? html`<p class="quiet">${refusal}</p>` : nothing}
    ${failure === undefined ? nothing : outcomeCallout('error', failure.sentence, failure.next)}
    ${outcome === undefined ? nothing : outcomeCallout(outcome.isTrouble ? 'warning' : 'done', outcome.sentence, outcome.next)}
    <div class="buttons">${batchButtons(page)}</div>`;
}

function outcomeCallout(kind: 'warning' | 'error' | 'done', sentence: string, next?: string): TemplateResult {
  return html`<div class="callout ${kind}" role=${kind === 'error' ? 'alert' : nothing}>
    ${icons[kind]}
    <div>
      <p>${sentence}</p>
      ${next === undefined ? nothing : html`<p>${next}</p>`}
    </div>
  </div>`;
}

function batchButtons(page: OverviewPage): SectionPart {
  const { phase, sum, items, isStopping, refusal, canCopyRecipe } = page.view.several;
  const again = batchButton(page, { type: 'dryRunAgain' }, l10n.t('Dry Run Again'), 'secondary');
  const copyRecipe = canCopyRecipe
    ? batchButton(page, { type: 'copyRecipe' }, l10n.t('Copy as datahub-gc Recipe'), 'secondary')
    : nothing;
  const back = (label: string): SectionPart => batchButton(page, { type: 'leave' }, label, 'secondary');
  switch (phase) {
    case 'choosing':
      return nothing;
    case 'dryRunning':
      return batchButton(page, { type: 'cancel' }, l10n.t('Cancel'), 'secondary');
    case 'planned':
      return html`${sum.count === 0 ? nothing : deleteButton(page, refusal === undefined)} ${again} ${copyRecipe} ${back(l10n.t('Back'))}`;
    case 'confirming':
      return deleteButton(page, false);
    case 'executing':
      return batchButton(page, { type: 'stop' }, l10n.t('Stop After This One'), 'secondary', !isStopping);
    case 'ended':
      return html`${items.some(({ isIn, status }) => isIn && status?.isLeft === true) ? again : nothing}
      ${copyRecipe} ${back(l10n.t('Done'))}`;
  }
}

function deleteButton(page: OverviewPage, isEnabled: boolean): SectionPart {
  const label = deleteLabel(page.view.several.sum.rows, page.formats);
  return batchButton(page, { type: 'execute' }, label, 'danger', isEnabled);
}

function deleteLabel(rows: number, formats: LocalizedFormats): string {
  const count = formats.number(rows);
  return plural(rows, l10n.t('Delete {0} Row…', count), l10n.t('Delete {0} Rows…', count));
}

function batchButton(
  page: OverviewPage,
  intent: BatchIntent,
  label: string,
  kind: string,
  isEnabled = true,
): SectionPart {
  return html`<button
    type="button"
    class=${kind}
    aria-disabled=${String(!isEnabled)}
    @click=${() => isEnabled && sendIntent(page, intent)}
  >
    ${label}
  </button>`;
}

/** Indices that were not sent because of a reload or a stop. */
function interruptedCallout(
  { recordId, sentence, left, underWay }: InterruptedBatchView,
  page: OverviewPage,
): TemplateResult {
  const { phase } = page.view.several;
  const isIdle = phase === 'choosing' || phase === 'planned' || phase === 'ended';
  const mayGoOn = isIdle && underWay === undefined;
  const { timeZone } = page.formats;
  return html`<section class="callout warning">
    ${icons.warning}
    <div>
      <p>${sentence}</p>
      <p>${left}</p>
      ${underWay === undefined ? nothing : html`<p>${underWay}</p>`}
      <div class="buttons">
        ${batchButton(page, { type: 'goOn', recordId, timeZone }, l10n.t('Dry Run Those Left'), 'secondary', mayGoOn)}
        ${batchButton(page, { type: 'dismiss', recordId }, l10n.t('Dismiss'), 'secondary')}
      </div>
    </div>
  </section>`;
}

function sendIntent(page: OverviewPage, intent: BatchIntent): void {
  page.send({ type: 'several', intent });
}

export function severalAnnouncement({ phase, sum, outcome, items }: BatchView, formats: LocalizedFormats): string {
  switch (phase) {
    case 'choosing':
    case 'confirming':
      return '';
    case 'dryRunning':
      return l10n.t('counting…');
    case 'planned':
      return sum.count === 0 ? emptyPlanText(items) : countsText({ ...sum, toDelete: sum.rows }, formats);
    case 'executing':
      return items.find(({ status }) => status?.is === 'working')?.name ?? '';
    case 'ended':
      return outcome?.sentence ?? '';
  }
}

/** The reasons beside the indices, each once. */
function emptyPlanText(items: BatchView['items']): string {
  return [...new Set(items.flatMap(({ remark, status }) => remark ?? status?.text ?? []))].join(' ');
}

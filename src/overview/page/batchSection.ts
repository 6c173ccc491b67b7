/** The batch: selected indices, dry runs and progress. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { secondaryButton, optionalParagraph, type OptionalTemplate } from '../../webview/page/elements.ts';
import { plural } from '../../language.ts';
import { type LocalizedFormats, aboutText } from '../../ui/formats.ts';
import { icons } from '../../webview/page/icons.ts';
import {
  MAX_BATCH_ITEMS,
  type InterruptedBatchView,
  type BatchIntent,
  type BatchView,
  type BatchItemView,
} from '../../batch/protocol.ts';
import { readDays } from '../../rowsByAge/fitGoal.ts';
import type { Problem } from '../../truncation/outcome.ts';
import type { OverviewPageModel } from './overviewPage.ts';
import { countsText } from '../../truncation/texts/reviewTexts.ts';
import { cutOffAgeField } from './batchSelection.ts';

export function batchSection(page: OverviewPageModel): OptionalTemplate {
  const { batch } = page.view;
  const isChoosing = batch.phase === 'choosing';
  return html`${batch.interrupted.map((one) => interruptedCallout(one, page))}
  ${
    isChoosing && page.ticked.size === 0
      ? nothing
      : html`<section class="batch" id="batch" tabindex="-1" aria-labelledby="batch-title">
          <h2 id="batch-title">${batchSectionTitle(page)}</h2>
          ${isChoosing ? selectionForm(page) : batchPlanContent(page)}
        </section>`
  }`;
}

function batchSectionTitle({ view, ticked, formats }: OverviewPageModel): string {
  const { phase, items } = view.batch;
  const many = phase === 'choosing' ? ticked.size : items.length;
  const count = formats.number(many);
  return plural(many, l10n.t('Truncate {0} index', count), l10n.t('Truncate {0} indices', count));
}

function selectionForm(page: OverviewPageModel): TemplateResult {
  const { ticked, formats } = page;
  const read = readDays(page.age);
  const limitText = l10n.t('At most {0} indices can be truncated at once.', formats.number(MAX_BATCH_ITEMS));
  const startDryRun = (): void => {
    if ('days' in read) {
      sendBatchIntent(page, { type: 'dryRun', ids: [...ticked], days: read.days, timeZone: formats.timeZone });
    } else {
      page.showAgeProblem();
    }
  };
  return html`${cutOffAgeField(page, startDryRun)}
    ${optionalParagraph(ticked.size < MAX_BATCH_ITEMS ? undefined : limitText, 'help')}
    <div class="buttons">
      <button
        type="button"
        class="primary"
        id="batch-primary"
        aria-disabled=${String('problem' in read)}
        @click=${startDryRun}
      >
        ${l10n.t('Dry Run')}
      </button>
      ${secondaryButton(l10n.t('Clear Selection'), () => page.tickIndices([...ticked], false))}
    </div>`;
}

function batchPlanContent(page: OverviewPageModel): TemplateResult {
  const { cutOff, failure, outcome, onlyCopy, sum, phase, refusal } = page.view.batch;
  const isBefore = phase === 'planned' || phase === 'confirming';
  return html`${optionalParagraph(cutOff, 'quiet')} ${batchPlanTable(page)}
    ${isBefore && sum.count > 0 ? html`<p>${onlyCopy}</p>` : nothing}
    ${optionalParagraph(isBefore ? refusal : undefined, 'quiet')}
    ${failure === undefined ? nothing : outcomeCallout('error', failure)}
    ${outcome === undefined ? nothing : outcomeCallout(outcome.isTrouble ? 'warning' : 'done', outcome)}
    <div class="buttons">${batchButtons(page)}</div>`;
}

function outcomeCallout(kind: 'warning' | 'error' | 'done', { sentence, next }: Problem): TemplateResult {
  return html`<div class="callout ${kind}" role=${kind === 'error' ? 'alert' : nothing}>
    ${icons[kind]}
    <div>
      <p>${sentence}</p>
      ${optionalParagraph(next)}
    </div>
  </div>`;
}

function batchButtons(page: OverviewPageModel): OptionalTemplate {
  const { phase, sum, items, isStopping, refusal, canCopyRecipe } = page.view.batch;
  const again = batchButton(page, { type: 'dryRunAgain' }, l10n.t('Dry Run Again'), 'secondary');
  const copyRecipe = canCopyRecipe
    ? batchButton(page, { type: 'copyRecipe' }, l10n.t('Copy as datahub-gc Recipe'), 'secondary')
    : nothing;
  const backButton = (label: string): OptionalTemplate => batchButton(page, { type: 'startOver' }, label, 'secondary');
  switch (phase) {
    case 'choosing':
      return nothing;
    case 'dryRunning':
      return batchButton(page, { type: 'cancel' }, l10n.t('Cancel'), 'secondary');
    case 'planned':
      return html`${sum.count === 0 ? nothing : deleteButton(page, refusal === undefined)} ${again} ${copyRecipe}
      ${backButton(l10n.t('Back'))}`;
    case 'confirming':
      return deleteButton(page, false);
    case 'executing':
      return batchButton(page, { type: 'stop' }, l10n.t('Stop After This One'), 'secondary', !isStopping);
    case 'ended':
      return html`${items.some(({ isSelected, status }) => isSelected && status?.isUnsent === true) ? again : nothing}
      ${copyRecipe} ${backButton(l10n.t('Done'))}`;
  }
}

function deleteButton(page: OverviewPageModel, isEnabled: boolean): OptionalTemplate {
  const label = deleteButtonLabel(page.view.batch.sum.rows, page.formats);
  return batchButton(page, { type: 'execute' }, label, 'danger', isEnabled);
}

function deleteButtonLabel(rows: number, formats: LocalizedFormats): string {
  const count = formats.number(rows);
  return plural(rows, l10n.t('Delete {0} Row…', count), l10n.t('Delete {0} Rows…', count));
}

function batchButton(
  page: OverviewPageModel,
  intent: BatchIntent,
  label: string,
  kind: string,
  isEnabled = true,
): OptionalTemplate {
  return html`<button
    type="button"
    class=${kind}
    aria-disabled=${String(!isEnabled)}
    @click=${() => isEnabled && sendBatchIntent(page, intent)}
  >
    ${label}
  </button>`;
}

/** Indices left unsent by a reload or stop. */
function interruptedCallout(
  { recordId, sentence, left, underWay }: InterruptedBatchView,
  page: OverviewPageModel,
): TemplateResult {
  const { phase } = page.view.batch;
  const isIdle = phase === 'choosing' || phase === 'planned' || phase === 'ended';
  const canContinue = isIdle && underWay === undefined;
  const { timeZone } = page.formats;
  return html`<section class="callout warning">
    ${icons.warning}
    <div>
      <p>${sentence}</p>
      <p>${left}</p>
      ${optionalParagraph(underWay)}
      <div class="buttons">
        ${batchButton(page, { type: 'continue', recordId, timeZone }, l10n.t('Dry Run Those Left'), 'secondary', canContinue)}
        ${batchButton(page, { type: 'dismiss', recordId }, l10n.t('Dismiss'), 'secondary')}
      </div>
    </div>
  </section>`;
}

function sendBatchIntent(page: OverviewPageModel, intent: BatchIntent): void {
  page.send({ type: 'batch', intent });
}

export function batchAnnouncement({ phase, sum, outcome, items }: BatchView, formats: LocalizedFormats): string {
  switch (phase) {
    case 'choosing':
    case 'confirming':
      return '';
    case 'dryRunning':
      return l10n.t('counting…');
    case 'planned':
      return sum.count === 0 ? emptyPlanText(items) : countsText({ ...sum, toDelete: sum.rows }, formats);
    case 'executing':
      return items.find(({ status }) => status?.kind === 'working')?.name ?? '';
    case 'ended':
      return outcome?.sentence ?? '';
  }
}

/** The reasons beside the indices, each once. */
function emptyPlanText(items: BatchView['items']): string {
  return [...new Set(items.flatMap(({ remark, status }) => remark ?? status?.text ?? []))].join(' ');
}

function batchPlanTable(page: OverviewPageModel): TemplateResult {
  const { items, phase } = page.view.batch;
  const isSent = phase === 'executing' || phase === 'ended';
  return html`<table class="plan" aria-labelledby="batch-title">
    <thead>
      <tr>
        <th scope="col" class="name">${l10n.t('Index')}</th>
        <th scope="col" class="count">${l10n.t('Rows to delete')}</th>
        <th scope="col" class="held">${l10n.t('Size of these rows')}</th>
        <th scope="col" class="strategy">${isSent ? l10n.t('Status') : l10n.t('Strategy')}</th>
      </tr>
    </thead>
    <tbody>
      ${items.map((item, place) => batchItemRows(item, place, page))} ${batchSumRow(page)}
    </tbody>
  </table>`;
}

function batchItemRows(item: BatchItemView, place: number, page: OverviewPageModel): TemplateResult {
  const { name, cutOff, remark, isSelected } = item;
  const { phase } = page.view.batch;
  const alone = item.canUseWizard === true && phase === 'planned' ? truncateAloneButton(place, page) : nothing;
  return html`<tr class=${isSelected || phase === 'dryRunning' ? '' : 'quiet'}>
      <th scope="row" class="name">
        ${batchIndexCell(item, place, page)}
        ${cutOff === undefined ? nothing : html`<div class="quiet">${cutOff}</div>`}
        <div class="narrow quiet">${batchStatusCell(item, page)}</div>
      </th>
      <td class="count">${rowsToDeleteCell(item, page)}</td>
      <td class="held">${estimatedBytesCell(item.bytesToDelete, page)}</td>
      <td class="strategy">${batchStatusCell(item, page)}</td>
    </tr>
    ${
      remark === undefined
        ? nothing
        : html`<tr class="remark">
            <td colspan="4" aria-label=${name}>
              <div>${icons.warning}<span>${remark}</span>${alone}</div>
            </td>
          </tr>`
    }`;
}

function truncateAloneButton(place: number, page: OverviewPageModel): TemplateResult {
  return html`<button
    type="button"
    class="secondary"
    @click=${() => page.send({ type: 'batch', intent: { type: 'openWizard', place } })}
  >
    ${l10n.t('Truncate Alone')}
  </button>`;
}

function batchIndexCell(
  { name, isSelected, canBeSelected }: BatchItemView,
  place: number,
  page: OverviewPageModel,
): TemplateResult {
  return page.view.batch.phase === 'planned'
    ? html`<label class="check"
        ><input
          type="checkbox"
          ?disabled=${!canBeSelected}
          .checked=${isSelected}
          @change=${(event: Event & { target: HTMLInputElement }) =>
            page.send({ type: 'batch', intent: { type: 'select', place, isSelected: event.target.checked } })}
        />${breakableName(name)}</label
      >`
    : breakableName(name);
}

/** Breaks `entityType/aspect` after the slash first. */
function breakableName(name: string): TemplateResult {
  return html`<bdi>${name.split(/(?<=\/)/).map((part, place) => (place === 0 ? part : html`<wbr />${part}`))}</bdi>`;
}

function rowsToDeleteCell({ rows }: BatchItemView, { formats }: OverviewPageModel): OptionalTemplate {
  return rows === undefined
    ? nothing
    : html`<span>${formats.number(rows.toDelete)}</span> <span class="quiet">${formats.percent(rows.percent)}</span>`;
}

function batchStatusCell(
  { status, strategy }: BatchItemView,
  { view }: OverviewPageModel,
): TemplateResult | string | typeof nothing {
  const { phase } = view.batch;
  if (status !== undefined) {
    const icon = status.kind === 'done' ? icons.done : status.kind === 'trouble' ? icons.error : nothing;
    return html`<span class="status ${status.kind}">${icon}<span>${status.text}</span></span>`;
  }
  return phase === 'executing' || phase === 'ended' ? nothing : (strategy ?? nothing);
}

function batchSumRow(page: OverviewPageModel): OptionalTemplate {
  const { sum, phase } = page.view.batch;
  return phase === 'dryRunning' || sum.count < 2
    ? nothing
    : html`<tr class="sum">
        <th scope="row" class="name">${l10n.t('Total')}</th>
        <td class="count">${page.formats.number(sum.rows)}</td>
        <td class="held">${estimatedBytesCell(sum.bytesToDelete, page)}</td>
        <td class="strategy"></td>
      </tr>`;
}

/** An estimate, because rows differ in size. */
function estimatedBytesCell(bytes: number | undefined, { formats }: OverviewPageModel): string | typeof nothing {
  return bytes === undefined ? nothing : aboutText(formats.size(bytes));
}

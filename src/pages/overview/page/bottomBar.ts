/** The bar at the bottom: what is selected, how far the job is, and the next step. There in every phase. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { MAX_ITEMS } from '../../../truncation/jobSize.ts';
import type { JobIntent, JobView, InterruptedJobView } from '../jobProtocol.ts';
import { plural } from '../../../language.ts';
import { readDays } from '../../../truncation/cutoff.ts';
import { type LocalizedFormats, aboutText, sizeText } from '../../../ui/formats.ts';
import { calloutBox, optionalParagraph, type OptionalTemplate } from '../../kit/page/elements.ts';
import { problemLine } from '../../kit/page/field.ts';
import { icons } from '../../kit/page/icons.ts';
import { menuButton } from '../../kit/page/menuButton.ts';
import { AGE_ID, cutoffAgeField, cutoffAgeProblem } from './jobSelection.ts';
import type { OverviewPageModel } from './overviewPage.ts';

const SUMMARY_ID = 'bar-summary';

/** The text and the buttons of a phase. */
interface BarContent {
  readonly summary: TemplateResult | string;
  readonly buttons: OptionalTemplate;
  /** In percent. Undefined without progress. */
  readonly progress?: number | undefined;
}

export function bottomBar(page: OverviewPageModel): TemplateResult {
  const { phase, failure, refusal } = page.view.job;
  const { summary, buttons, progress } = barContent(page);
  const problem = phase === 'choosing' ? cutoffAgeProblem(page) : undefined;
  const isReviewed = (phase === 'planned' && page.view.job.outdated === undefined) || phase === 'confirming';
  const reason = isReviewed ? refusal : undefined;
  return html`<footer role="group" aria-labelledby=${SUMMARY_ID}>
    ${progress === undefined ? nothing : progressLine(progress)}
    ${interruptedCallouts(page)} ${failure === undefined ? nothing : failureCallout(failure)} ${problemLine(AGE_ID, problem)}
    ${optionalParagraph(reason)} ${phase === 'choosing' ? optionalParagraph(page.lastTimeNote, 'quiet') : nothing}
    <div class="bar-line">
      <div class="summary" id=${SUMMARY_ID}>${summary}</div>
      <div class="buttons">${buttons}</div>
    </div>
  </footer>`;
}

/** Indices left unsent by a reload or stop. In the bar, where they come and go without moving a row. */
export function interruptedCallouts(page: OverviewPageModel): readonly TemplateResult[] {
  return page.view.job.interrupted.map((one) => interruptedCallout(one, page));
}

function interruptedCallout(
  { jobId, sentence, left, underWay }: InterruptedJobView,
  page: OverviewPageModel,
): TemplateResult {
  const { phase } = page.view.job;
  const isIdle = phase === 'choosing' || phase === 'planned' || phase === 'ended';
  const isEnabled = isIdle && underWay === undefined;
  return calloutBox(
    'warning',
    html`<div class="interrupted">
      <div>
        <p>${sentence}</p>
        <p>${left}</p>
        ${optionalParagraph(underWay)}
      </div>
      <div class="buttons">
        ${jobButton(page, { type: 'continue', jobId }, l10n.t('Dry Run the Rest'), { isEnabled })}
        ${jobButton(page, { type: 'dismiss', jobId }, l10n.t('Dismiss'))}
      </div>
    </div>`,
  );
}

function failureCallout({ sentence, next }: NonNullable<JobView['failure']>): TemplateResult {
  return html`<div role="alert">
    ${calloutBox(
      'error',
      html`<div>
        <p>${sentence}</p>
        ${optionalParagraph(next)}
      </div>`,
    )}
  </div>`;
}

function progressLine(percent: number): TemplateResult {
  return html`<progress max="100" .value=${percent} aria-label=${l10n.t('Task progress')}></progress>`;
}

function barContent(page: OverviewPageModel): BarContent {
  const { phase, items, progress } = page.view.job;
  switch (phase) {
    case 'choosing':
      return { summary: selectionSummary(page), buttons: selectionButtons(page) };
    case 'dryRunning': {
      const counted = items.filter(({ status }) => status === undefined).length;
      return {
        summary: countingText(counted, items.length, page.formats),
        buttons: jobButton(page, { type: 'cancel' }, l10n.t('Cancel')),
        progress: (counted / items.length) * 100,
      };
    }
    case 'planned':
      return { summary: planSummary(page), buttons: planButtons(page) };
    case 'confirming':
      return { summary: l10n.t('Confirm in the prompt above to continue.'), buttons: planButtons(page) };
    case 'executing':
      return { summary: executionText(page), buttons: stopButton(page), progress: progress ?? 0 };
    case 'ended':
      return { summary: outcomeSummary(page), buttons: outcomeButtons(page) };
  }
}

/** Number and size of the selected indices. */
function selectionSummary(page: OverviewPageModel): TemplateResult {
  const { all, ticked, view, formats, tickIndices, selectAsLastTime } = page;
  if (ticked.size === 0) {
    const sameAsLastTime = html`<button type="button" class="link" @click=${selectAsLastTime}>${l10n.t(
      'Same as Last Time',
    )}</button>`;
    return html`<span>${l10n.t('Select indices to truncate')}</span> ${view.lastTime === undefined ? nothing : sameAsLastTime}`;
  }
  const sizes = all.filter(({ id }) => ticked.has(id)).flatMap(({ bytes }) => bytes ?? []);
  const bytes = sizes.reduce((sum, one) => sum + one, 0);
  // A sum without the unknown ones would be too low.
  const size = sizes.length < ticked.size ? [] : [sizeText(bytes, view.sizePrecision, formats)];
  const facts = [selectedText(ticked.size, formats), ...size].join(' · ');
  return html`<span>${facts}</span>
    <button type="button" class="link" @click=${() => tickIndices([...ticked], false)}>${l10n.t('Clear Selection')}</button>`;
}

function selectedText(count: number, { number }: LocalizedFormats): string {
  const text = number(count);
  return count === MAX_ITEMS
    ? l10n.t('{0} indices (maximum)', text)
    : plural(count, l10n.t('{0} index', text), l10n.t('{0} indices', text));
}

function selectionButtons(page: OverviewPageModel): TemplateResult {
  const { ticked } = page;
  const read = readDays(page.age);
  const startDryRun = (): void => {
    if (!('days' in read)) {
      page.showAgeProblem();
    } else if (ticked.size > 0) {
      sendJobIntent(page, { type: 'dryRun', ids: [...ticked], days: read.days });
    }
  };
  return html`${cutoffAgeField(page, startDryRun)}
    <button
      type="button"
      class="primary"
      aria-disabled=${String(ticked.size === 0 || 'problem' in read)}
      aria-describedby=${ticked.size === 0 ? SUMMARY_ID : nothing}
      title=${ticked.size === 0 ? l10n.t('Select indices to truncate') : nothing}
      @click=${startDryRun}
    >
      ${l10n.t('Dry Run')}
    </button>`;
}

function countingText(counted: number, count: number, { number }: LocalizedFormats): string {
  const [done, all] = [number(counted), number(count)];
  return plural(
    count,
    l10n.t('Counting rows: {0} of {1} index', done, all),
    l10n.t('Counting rows: {0} of {1} indices', done, all),
  );
}

function planSummary({ view, formats }: OverviewPageModel): string {
  const { sum, outdated } = view.job;
  if (outdated !== undefined) {
    return outdated;
  }
  if (sum.count === 0) {
    // Each row says why: it may have no old rows, or its dry run may have failed.
    return l10n.t('No index to truncate');
  }
  const [count, rows, total] = [formats.number(sum.count), formats.number(sum.rows), formats.number(sum.total)];
  return [
    plural(sum.count, l10n.t('{0} index', count), l10n.t('{0} indices', count)),
    plural(sum.total, l10n.t('{0} of {1} row', rows, total), l10n.t('{0} of {1} rows', rows, total)),
    ...(sum.bytesToDelete === undefined ? [] : [aboutText(formats.size(sum.bytesToDelete))]),
  ].join(' · ');
}

/** One template for both phases: a button that stays keeps the focus while the prompt is open. */
function planButtons(page: OverviewPageModel): TemplateResult {
  const { phase, sum, outdated } = page.view.job;
  const canDelete = sum.count > 0 && outdated === undefined;
  const others = html`${backButton(page, l10n.t('Back'))} ${moreMenu(page, canDelete)}`;
  return html`${phase === 'planned' ? others : nothing}
  ${canDelete ? deleteButton(page) : dryRunAgainButton(page, outdated === undefined ? 'secondary' : 'primary')}`;
}

/** The actions that few need. */
function moreMenu(page: OverviewPageModel, canDryRunAgain: boolean): OptionalTemplate {
  const dryRunAgain = { label: l10n.t('Dry Run Again'), press: () => sendJobIntent(page, { type: 'dryRunAgain' }) };
  const copyRecipe = {
    label: l10n.t('Copy as datahub-gc Recipe'),
    press: () => sendJobIntent(page, { type: 'copyRecipe' }),
  };
  const copyJob = { label: l10n.t('Copy as Scheduled Job'), press: () => sendJobIntent(page, { type: 'copyJob' }) };
  const { canCopyRecipe, canCopyJob } = page.view.job;
  const items = [
    ...(canDryRunAgain ? [dryRunAgain] : []),
    ...(canCopyRecipe ? [copyRecipe] : []),
    ...(canCopyJob ? [copyJob] : []),
  ];
  return items.length === 0 ? nothing : menuButton({ id: 'more', label: l10n.t('More Actions'), items });
}

function executionText({ view }: OverviewPageModel): TemplateResult {
  const { current, isStopping } = view.job;
  return html`<span>${executionStep(current, isStopping)}</span> ${paceText(current)}`;
}

function executionStep(current: JobView['current'], isStopping: boolean): string {
  if (isStopping) {
    return current?.isSent === true ? l10n.t('Stopping after this one…') : l10n.t('Stopping…');
  }
  if (current === undefined) {
    return l10n.t('checking…');
  }
  return current.isSent ? l10n.t('Truncating {0}…', current.name) : l10n.t('Counting {0} again…', current.name);
}

function paceText(current: JobView['current']): OptionalTemplate {
  return current?.pace === undefined ? nothing : html`<span class="pace">${current.pace}</span>`;
}

function outcomeSummary({ view, formats }: OverviewPageModel): TemplateResult | string {
  const { outcome, sum, current } = view.job;
  if (outcome === undefined) {
    return '';
  }
  if (outcome.kind === 'running') {
    return html`<span>${outcome.sentence}</span> ${paceText(current)}`;
  }
  const icon = { done: icons.done, trouble: icons.warning, failed: icons.error }[outcome.kind];
  return html`<span class="outcome ${outcome.kind}">${icon}<span>${outcome.sentence}</span></span>
    <span>${deletedText(sum, formats)}</span>`;
}

/** Empty while nothing is known. */
export function deletedText({ rows, isLeast }: JobView['sum'], { number }: LocalizedFormats): string {
  const count = number(rows);
  if (isLeast) {
    return rows === 0
      ? ''
      : plural(rows, l10n.t('at least {0} row deleted', count), l10n.t('at least {0} rows deleted', count));
  }
  return plural(rows, l10n.t('{0} row deleted', count), l10n.t('{0} rows deleted', count));
}

function outcomeButtons(page: OverviewPageModel): TemplateResult {
  const { items, hasReceipt, outcome } = page.view.job;
  const isUnsent = items.some(({ isSelected, status }) => isSelected && status?.isUnsent === true);
  const isRunning = outcome?.kind === 'running';
  return html`${hasReceipt ? receiptMenu(page) : nothing} ${moreMenu(page, isUnsent)}
  ${backButton(page, isRunning ? l10n.t('Back') : l10n.t('Done'))}`;
}

function receiptMenu(page: OverviewPageModel): TemplateResult {
  const copy = (format: 'markdown' | 'json') => (): void => sendJobIntent(page, { type: 'copyReceipt', format });
  return menuButton({
    id: 'receipt',
    label: l10n.t('Receipt'),
    items: [
      { label: l10n.t('Copy as Markdown'), press: copy('markdown') },
      { label: l10n.t('Copy as JSON'), press: copy('json') },
      { label: l10n.t('Save…'), press: () => sendJobIntent(page, { type: 'saveReceipt' }) },
    ],
  });
}

function backButton(page: OverviewPageModel, label: string): TemplateResult {
  return jobButton(page, { type: 'startOver' }, label);
}

function dryRunAgainButton(page: OverviewPageModel, style: 'primary' | 'secondary'): TemplateResult {
  return jobButton(page, { type: 'dryRunAgain' }, l10n.t('Dry Run Again'), { style });
}

function stopButton(page: OverviewPageModel): TemplateResult {
  const { current, isStopping } = page.view.job;
  const label = current?.isSent === true ? l10n.t('Stop After This One') : l10n.t('Stop');
  return jobButton(page, { type: 'stop' }, label, { isEnabled: !isStopping });
}

function deleteButton(page: OverviewPageModel): TemplateResult {
  const { sum, phase, refusal } = page.view.job;
  const rows = page.formats.number(sum.rows);
  const label = plural(sum.rows, l10n.t('Delete {0} Row…', rows), l10n.t('Delete {0} Rows…', rows));
  const isEnabled = phase === 'planned' && refusal === undefined;
  return jobButton(page, { type: 'execute' }, label, { style: 'danger', isEnabled });
}

function jobButton(
  page: OverviewPageModel,
  intent: JobIntent,
  label: string,
  {
    style = 'secondary',
    isEnabled = true,
  }: { readonly style?: 'primary' | 'secondary' | 'danger'; readonly isEnabled?: boolean } = {},
): TemplateResult {
  return html`<button
    type="button"
    class=${style}
    aria-disabled=${String(!isEnabled)}
    @click=${() => isEnabled && sendJobIntent(page, intent)}
  >
    ${label}
  </button>`;
}

function sendJobIntent(page: OverviewPageModel, intent: JobIntent): void {
  page.send({ type: 'job', intent });
}

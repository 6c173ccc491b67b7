/** The second stage: the decision on what is ticked, then its progress and its end. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { asSentence, plural } from '../../../language.ts';
import type { LocalizedFormats } from '../../../ui/formats.ts';
import {
  calloutBox,
  optionalParagraph,
  button,
  type OptionalTemplate,
  foldedDetails,
} from '../../kit/page/elements.ts';
import { rowFigures } from '../../kit/page/rowFigures.ts';
import type { JobIntent, JobView } from '../protocol.ts';
import { jobItems } from './jobItems.ts';
import type { OverviewPageModel } from './overviewPage.ts';
import { countsText } from '../../../truncation/texts/reviewTexts.ts';

export const JOB_HEADING_ID = 'job-heading';

export function jobStage(page: OverviewPageModel): TemplateResult {
  const { details, phase, sum } = page.view.job;
  const isDecision = (phase === 'planned' || phase === 'confirming') && sum.count > 0;
  const hasDetails = details.length > 0 && (isDecision || phase === 'ended');
  return html`<section class="job" aria-labelledby=${JOB_HEADING_ID}>
      ${headingPart(page)} ${decision(page)} ${jobItems(page)}
      <div>
        <div class="buttons">${buttons(page)}</div>
        ${belowButtons(page)}
      </div>
    </section>
    ${hasDetails ? foldedDetails(details, () => undefined) : nothing}`;
}

function headingPart({ view, formats }: OverviewPageModel): TemplateResult {
  const { phase, outcome, scope, current } = view.job;
  const heading = html`<h2 id=${JOB_HEADING_ID} tabindex="-1">${jobHeading(view.job, formats)}</h2>`;
  if (phase === 'ended' && outcome !== undefined) {
    const text = html`<div>${heading} ${optionalParagraph(outcome.deleted)} ${optionalParagraph(current?.pace)}</div>`;
    return outcome.kind === 'running' ? text : calloutBox(CALLOUTS[outcome.kind], text);
  }
  const isWaiting = phase === 'dryRunning' || phase === 'executing';
  return html`<div class="heading stack">
      ${heading} ${optionalParagraph(isWaiting ? current?.pace : scope)} ${isWaiting ? progressBar(view.job) : nothing}
    </div>`;
}

const CALLOUTS = { done: 'done', trouble: 'warning', failed: 'error' } as const;

function jobHeading(job: JobView, formats: OverviewPageModel['formats']): string {
  const { number } = formats;
  switch (job.phase) {
    case 'choosing':
      return '';
    case 'dryRunning':
      return countingText(job, number);
    case 'planned':
    case 'confirming':
      return job.question;
    case 'executing':
      return stepText(job);
    case 'ended':
      return job.outcome?.headline ?? '';
  }
}

function countingText({ items }: JobView, number: (value: number) => string): string {
  const counted = items.filter(({ status }) => status === undefined).length;
  const [done, all] = [number(counted), number(items.length)];
  return plural(
    items.length,
    l10n.t('Counting rows: {0} of {1} index', done, all),
    l10n.t('Counting rows: {0} of {1} indices', done, all),
  );
}

function hasBoxes({ items }: JobView): boolean {
  return items.some(({ canBeSelected }) => canBeSelected);
}

function stepText({ current, isStopping }: JobView): string {
  if (isStopping) {
    return l10n.t('Stopping…');
  }
  return current === undefined ? l10n.t('Checking…') : l10n.t('Truncating {0}…', current.name);
}

/** Those that are counted, or that have ended, of all. */
function progressBar({ items, phase }: JobView): TemplateResult {
  const asked = phase === 'dryRunning' ? items : items.filter(({ isSelected }) => isSelected);
  const done = asked.filter(
    ({ status }) => status === undefined || status.kind === 'done' || status.kind === 'trouble',
  );
  return html`<vscode-progress-bar
    aria-label=${l10n.t('Task progress')}
    .value=${(done.length / asked.length) * 100}
  ></vscode-progress-bar>`;
}

/** What the rows of all ticked indices are, and that they are lost. */
function decision({ view, formats }: OverviewPageModel): OptionalTemplate {
  const { phase, sum, consequences, tally } = view.job;
  if (phase !== 'planned' && phase !== 'confirming') {
    return nothing;
  }
  return html`${sum.count === 0 ? nothing : rowFigures(sum, formats)}
    ${optionalParagraph(consequences)}
    <p class="tally">${tally}</p>`;
}

function buttons(page: OverviewPageModel): OptionalTemplate {
  const { phase, sum } = page.view.job;
  switch (phase) {
    case 'choosing':
      return html``;
    case 'dryRunning':
      return jobButton(page, { type: 'cancel' }, l10n.t('Cancel'));
    case 'executing':
      return stopButton(page);
    case 'ended':
      return endButtons(page);
    case 'planned':
    case 'confirming': {
      const back = (style: 'primary' | 'secondary'): TemplateResult =>
        jobButton(page, { type: 'startOver' }, l10n.t('Back'), { style });
      return sum.count > 0 || hasBoxes(page.view.job)
        ? html`${deleteButton(page)} ${phase === 'planned' ? back('secondary') : nothing}`
        : back('primary');
    }
  }
}

/** One button in both phases: it keeps the focus while the prompt is open. */
function deleteButton(page: OverviewPageModel): TemplateResult {
  const { sum, phase, refusal, deleteLabel: label } = page.view.job;
  const isEnabled = phase === 'planned' && refusal === undefined && sum.count > 0;
  return jobButton(page, { type: 'execute' }, label, { style: 'danger', isEnabled, id: 'primary' });
}

function belowButtons({ view }: OverviewPageModel): OptionalTemplate {
  const { phase, refusal, isAnyWaiting, isStopping } = view.job;
  if (phase === 'confirming') {
    return html`<p>${l10n.t('Waiting for your confirmation.')}</p>`;
  }
  if (isAnyWaiting && !isStopping) {
    return html`<p>${l10n.t("Keep this page open: if you close it, the waiting indices aren't sent.")}</p>`;
  }
  return phase === 'planned' ? optionalParagraph(refusal) : nothing;
}

/** Stops nothing once the last one is sent. */
function stopButton(page: OverviewPageModel): OptionalTemplate {
  const { current, isStopping, isAnyWaiting } = page.view.job;
  if (current?.isSent === true && !isAnyWaiting) {
    return nothing;
  }
  const label = current?.isSent === true ? l10n.t('Stop After This One') : l10n.t('Stop');
  return jobButton(page, { type: 'stop' }, label, { isEnabled: !isStopping });
}

function endButtons(page: OverviewPageModel): TemplateResult {
  const { items, hasReceipt, outcome, canAutomate } = page.view.job;
  const isUnsent = items.some(({ isSelected, status }) => isSelected && status?.isUnsent === true);
  const style = outcome?.kind === 'running' ? 'secondary' : 'primary';
  return html`${jobButton(page, { type: 'startOver' }, l10n.t('Back to Overview'), { style })}
  ${isUnsent ? jobButton(page, { type: 'dryRunAgain' }, l10n.t('Dry Run Again')) : nothing}
  ${canAutomate ? jobButton(page, { type: 'automate' }, l10n.t('Automate…')) : nothing}
  ${hasReceipt ? jobButton(page, { type: 'receipt' }, l10n.t('Receipt…')) : nothing}`;
}

function jobButton(
  page: OverviewPageModel,
  intent: JobIntent,
  label: string,
  options: Parameters<typeof button>[2] = {},
): TemplateResult {
  return button(label, () => options.isEnabled !== false && page.send(intent), options);
}

export function jobAnnouncement({ phase, sum, outcome, items }: JobView, formats: LocalizedFormats): string {
  switch (phase) {
    case 'choosing':
    case 'confirming':
      return '';
    case 'dryRunning':
      return l10n.t('counting…');
    case 'planned':
      return sum.count === 0 ? emptyPlanText(items) : countsText(sum, formats);
    case 'executing':
      return items.find(({ status }) => status?.kind === 'working')?.name ?? '';
    case 'ended':
      return outcome?.headline ?? '';
  }
}

/** The reasons beside the indices, each once; or that none is ticked. */
function emptyPlanText(items: JobView['items']): string {
  const reasons = items.flatMap(({ remark, cautions, status }) => [
    ...cautions.map(({ text }) => text),
    ...(remark === undefined ? (status === undefined ? [] : [status.text]) : [remark]),
  ]);
  const isTickable = items.some(({ canBeSelected }) => canBeSelected);
  return [...(isTickable ? [l10n.t('No index is ticked')] : []), ...new Set(reasons)].map(asSentence).join(' ');
}

/** The second stage: the decision on what is ticked, then its progress and its end. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { plural } from '../../../language.ts';
import {
  calloutBox,
  optionalParagraph,
  button,
  type OptionalTemplate,
  foldedDetails,
  icons,
  taskProgress,
} from '../../kit/page/elements.ts';
import { rowFigures, rowsOfAllText } from '../../kit/page/rowFigures.ts';
import type { JobItemView, JobView, OverviewIntent } from '../protocol.ts';
import type { OverviewPageModel } from './frame.ts';

export const JOB_HEADING_ID = 'job-heading';

export function jobStage(page: OverviewPageModel): TemplateResult {
  const { details } = page.view.job;
  return html`<section class="job" aria-labelledby=${JOB_HEADING_ID}>
      ${headingPart(page)} ${decision(page)} ${jobItems(page, 'above')}
      <div>
        <div class="buttons">${buttons(page)}</div>
        ${belowButtons(page)}
      </div>
      ${jobItems(page, 'below')}
    </section>
    ${details.length === 0 ? nothing : foldedDetails(details, page.send)}`;
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
  return taskProgress((done.length / asked.length) * 100);
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
    return html`<p>${l10n.t("Keep this page open: if you close it, the waiting indices won't be truncated.")}</p>`;
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
  ${hasReceipt ? jobButton(page, { type: 'receipt' }, l10n.t('Copy Receipt')) : nothing}`;
}

function jobButton(
  page: OverviewPageModel,
  intent: OverviewIntent,
  label: string,
  options: Parameters<typeof button>[2] = {},
): TemplateResult {
  return button(label, () => options.isEnabled !== false && page.send(intent), options);
}

/** In the order of sending: what each would lose, and later how it ended. */
function jobItems(page: OverviewPageModel, where: JobItemView['shown']): OptionalTemplate {
  const items = page.view.job.items.map((item, place) =>
    item.shown === where ? jobItem(page, item, place) : undefined,
  );
  return items.some((item) => item !== undefined) ? html`<ul class="items">${items}</ul>` : nothing;
}

function jobItem(page: OverviewPageModel, item: JobItemView, place: number): TemplateResult {
  const { consequence, cautions, remark } = item;
  return html`<li class=${item.isSelected ? 'tight stack' : 'tight stack left-out'}>
    <div class="item-line">${itemName(page, item, place)}<span class="state">${itemState(page, item)}</span></div>
    ${optionalParagraph(consequence, 'quiet')}
    ${
      cautions.length === 0
        ? nothing
        : html`<div class="caution" id=${cautionId(place)}>
            ${icons.warning}
            <div class="tight stack">${cautions.map(({ text }) => html`<p>${text}</p>`)}</div>
          </div>`
    }
    ${remark === undefined ? nothing : html`<p class="remark">${remark}</p>`}
  </li>`;
}

/** Its box accepts what it is warned of. */
function itemName(page: OverviewPageModel, item: JobItemView, place: number): TemplateResult {
  const { name, canBeSelected, recordId, cautions, isSelected, at } = item;
  if (recordId !== undefined) {
    return html`<button
      type="button"
      class="link name"
      @click=${() => page.send({ type: 'showTruncation', recordId })}
    ><bdi>${name}</bdi></button>`;
  }
  if (!canBeSelected || at === undefined) {
    return html`<span class="name"><bdi>${name}</bdi></span>`;
  }
  return html`<label class="check name"
    ><input
      type="checkbox"
      aria-describedby=${cautions.length === 0 ? nothing : cautionId(place)}
      ?disabled=${page.view.job.phase !== 'planned'}
      .checked=${live(isSelected)}
      @change=${({ target }: Event & { target: HTMLInputElement }) =>
        page.send({ type: 'tick', place, isTicked: target.checked, at, cautions: cautions.map(({ kind }) => kind) })}
    /><bdi>${name}</bdi></label
  >`;
}

function cautionId(place: number): string {
  return `caution-${place}`;
}

/** Its rows before it is sent, then its progress. */
function itemState({ formats }: OverviewPageModel, { status, rows }: JobItemView): TemplateResult | string {
  if (status !== undefined) {
    const icon = status.kind === 'done' ? icons.done : status.kind === 'trouble' ? icons.error : nothing;
    return html`<span class="status ${status.kind}">${icon}<span>${status.text}</span></span>`;
  }
  if (rows === undefined) {
    return '';
  }
  return rowsOfAllText(formats.number(rows.toDelete), rows.total, formats.percent(rows.percent), formats);
}

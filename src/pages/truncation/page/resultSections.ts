/** The result of a dry run, and the progress and outcome of a truncation that was sent. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { secondaryButton, calloutBox, optionalParagraph, type OptionalTemplate } from '../../kit/page/elements.ts';
import { menuButton } from '../../kit/page/menuButton.ts';
import type { LocalizedFormats } from '../../../ui/formats.ts';
import type { TruncationTaskView, DryRunReportView } from '../protocol.ts';
import { signInButton, deleteByQueryButton } from './frame.ts';
import type { WizardPageModel } from './wizardPage.ts';
import { cautionQuestions } from './cutoffFields.ts';
import { barPartSample, SHARE_HATCH, rowsShareBar } from './shareBar.ts';

export function reportSection(page: WizardPageModel): OptionalTemplate {
  const { report } = page.view;
  if (report === undefined) {
    return nothing;
  }
  const figures = html`${countsSection(page, report)}
    ${report.outdated === undefined ? reviewSections(page, report) : nothing}
    <dl>${reportFactRows(page, report)}</dl>`;
  return html`<section class="report" aria-labelledby="report-heading">
    <h2 id="report-heading" tabindex="-1">${
      report.outdated === undefined ? l10n.t('Dry run') : l10n.t('Outdated dry run')
    }</h2>
    ${outdatedNotice(page, report)}
    ${report.notice === undefined ? nothing : calloutBox('warning', html`<p>${report.notice}</p>`)}
    ${report.outdated === undefined ? figures : html`<div class="outdated">${figures}</div>`}
  </section>`;
}

/** Why the figures no longer count. A sign-in may come before the next dry run. */
function outdatedNotice({ send }: WizardPageModel, { outdated, isSignedOut }: DryRunReportView): OptionalTemplate {
  return outdated === undefined
    ? nothing
    : calloutBox('info', html`<div><p>${outdated}</p>${signInButton({ isSignedOut }, send)}</div>`);
}

/** Sentences to read before deleting. */
function reviewSections(page: WizardPageModel, report: DryRunReportView): TemplateResult {
  return html`${strategySection(page, report)} ${aspectLineTexts(report)} ${serverNoteList(page)}
    ${cautionQuestions(page)}`;
}

/** Rows for the facts besides the counts. */
export function reportFactRows({ formats }: WizardPageModel, report: DryRunReportView): TemplateResult {
  return html`<div>
      <dt>${l10n.t('Server response')}</dt>
      <dd class="quoted">${report.serverText}</dd>
    </div>
    <div>
      <dt>${l10n.t('Dry run time')}</dt>
      <dd>${formats.exactTime(report.at)}</dd>
    </div>`;
}

/** Rows to delete and keep, with a bar. */
function countsSection(
  page: WizardPageModel,
  { rowsToDelete, rowsTotal, percent, sizeToDelete }: DryRunReportView,
): TemplateResult {
  if (rowsToDelete === undefined || rowsTotal === undefined || percent === undefined) {
    const text = l10n.t("This extension couldn't interpret the server's response. Read it before continuing.");
    return calloutBox('warning', html`<p>${text}</p>`);
  }
  const { draft, formats } = page;
  const shareKept = formats.percent(100 - percent);
  return html`<dl class="figures">
      <div>
        <dt>${barPartSample('deleted', SHARE_HATCH)}${l10n.t('Rows to delete')}</dt>
        <dd>${formats.number(rowsToDelete)}</dd>
        ${rowsTotal === 0 ? nothing : html`<dd class="when">${formats.percent(percent)}</dd>`}
      </div>
      <div>
        <dt>${barPartSample('kept', SHARE_HATCH)}${l10n.t('Rows to keep')}</dt>
        <dd>${formats.number(rowsTotal - rowsToDelete)}</dd>
        ${
          rowsTotal === 0 || draft.endTimeMillis === undefined
            ? nothing
            : html`<dd class="when">${shareKept} · ${l10n.t('since {0}', formats.date(draft.endTimeMillis))}</dd>`
        }
      </div>
      ${
        sizeToDelete === undefined
          ? nothing
          : html`<div>
              <dt>${l10n.t('Size of the rows to delete')}</dt>
              <dd>${sizeToDelete.bytes}</dd>
              <dd class="when">${sizeToDelete.ofAll}</dd>
            </div>`
      }
    </dl>
    ${rowsTotal === 0 ? nothing : rowsShareBar(percent, formats)}`;
}

/** Other activity on the server. */
function serverNoteList({ view }: WizardPageModel): OptionalTemplate {
  const { serverNotes = [] } = view;
  return serverNotes.length === 0
    ? nothing
    : calloutBox('warning', html`<div>${serverNotes.map((note) => html`<p>${note}</p>`)}</div>`);
}

/** Purpose of the rows, which are the only copy. */
function aspectLineTexts({ aspectLines: lines }: DryRunReportView): TemplateResult {
  return html`<div class="lines">
    <p><strong>${l10n.t('Before you delete')}</strong></p>
    ${lines.map((line) => html`<p>${line}</p>`)}
  </div>`;
}

function strategySection(page: WizardPageModel, report: DryRunReportView): TemplateResult {
  const text = html`<div>
    <p><strong>${l10n.t('Strategy: {0}', report.strategy)}</strong></p>
    <p>${report.strategyMeaning}</p>
    ${optionalParagraph(report.spaceNeeded)}
    ${report.executionNotes.map((note) => html`<p>${note}</p>`)}
    ${
      report.smallBatchSize === undefined
        ? nothing
        : secondaryButton(l10n.t('Use Batches of {0}', page.formats.number(report.smallBatchSize)), () =>
            page.send('useSmallBatches'),
          )
    }
    ${report.canForceDeleteByQuery ? deleteByQueryButton(page.send) : nothing}
  </div>`;
  return report.strategyIsRisky ? calloutBox('warning', text) : text;
}

export function taskSection(page: WizardPageModel): OptionalTemplate {
  const { task } = page.view;
  if (task === undefined) {
    return nothing;
  }
  return html`<section class="task" aria-labelledby="task-heading">
    ${outcomeCallout(page, task)} ${task.state === 'running' ? taskProgressBar(page, task) : nothing}
    ${optionalParagraph(task.lastLook, 'help')} ${mergeRequestAdvice(page, task)}
    ${taskFailureList(page, task)} ${taskFactRows(page, task)}
    <div class="buttons">${task.canCheck ? secondaryButton(l10n.t('Check Now'), () => page.send('checkTask')) : nothing}
    ${requestButtons(page, task)} ${task.state === 'running' ? nothing : receiptButton(page)}</div>
  </section>`;
}

/** Users look for the outcome first, so it's the heading. */
function outcomeCallout(
  { send }: WizardPageModel,
  { state, sentence, next, isTrouble, isSignedOut }: TruncationTaskView,
): TemplateResult {
  const text = html`<div>
    <h2 id="task-heading" tabindex="-1">${sentence}</h2>
    ${optionalParagraph(next)}
    ${isSignedOut === true ? html`<div class="buttons">${signInButton({ isSignedOut }, send)}</div>` : nothing}
  </div>`;
  switch (state) {
    case 'failed':
      return calloutBox('error', text);
    case 'unknown':
      return calloutBox('warning', text);
    case 'finished':
      return calloutBox('done', text);
    case 'running':
      return isTrouble ? calloutBox('warning', text) : text;
  }
}

/** Only for cluster administrators: DataHub has no such operation. */
function mergeRequestAdvice({ send }: WizardPageModel, { merge: request }: TruncationTaskView): OptionalTemplate {
  if (request === undefined) {
    return nothing;
  }
  const copy = (): void => send({ type: 'copyRequests', for: 'merge' });
  const row = html`<code id="merge-request">${request.request}</code>
    ${secondaryButton(l10n.t('Copy Request'), copy, 'merge-request')}`;
  return html`<p>${request.advice}</p>
    <dl>${labelledFactRow(l10n.t('Request'), row)}</dl>`;
}

/** Copies requests for an administrator of the search cluster. */
function requestButtons({ send }: WizardPageModel, { requests }: TruncationTaskView): TemplateResult {
  const labels: Readonly<Record<TruncationTaskView['requests'][number], string>> = {
    repair: l10n.t('Copy Requests for Administrator'),
    cancel: l10n.t('Copy Cancel Request'),
  };
  return html`${requests.map((kind) =>
    secondaryButton(labels[kind], () => send({ type: 'copyRequests', for: kind })),
  )}`;
}

/** The receipt as text or as a file. The dialog offers both formats. */
function receiptButton({ send }: WizardPageModel): TemplateResult {
  return menuButton({
    id: 'receipt',
    label: l10n.t('Receipt'),
    items: [
      { label: l10n.t('Copy as Markdown'), press: () => send({ type: 'copyReceipt', format: 'markdown' }) },
      { label: l10n.t('Copy as JSON'), press: () => send({ type: 'copyReceipt', format: 'json' }) },
      { label: l10n.t('Save…'), press: () => send('saveReceipt') },
    ],
  });
}

function taskProgressBar(_: WizardPageModel, { percent, pace }: TruncationTaskView): TemplateResult {
  return html`<vscode-progress-bar
    aria-label=${l10n.t('Task progress')}
    .value=${percent}
    .indeterminate=${percent === undefined}
  ></vscode-progress-bar>
  ${optionalParagraph(pace)}`;
}

function taskFailureList(_: WizardPageModel, task: TruncationTaskView): OptionalTemplate {
  return task.failures.length === 0
    ? nothing
    : html`<h3>${l10n.t('Failures')}</h3>
        <ul>
          ${task.failures.map((failure) => html`<li class="quoted">${failure}</li>`)}
        </ul>`;
}

/** Without a response, it may not have started. */
function taskFactRows({ formats, send }: WizardPageModel, task: TruncationTaskView): TemplateResult {
  const id = (text: string): TemplateResult => html`<code id="task-id">${text}</code>
    ${secondaryButton(l10n.t('Copy'), () => send('copyTaskId'), 'task-id')}`;
  const duration = task.endedAt === undefined ? undefined : durationText(task.endedAt - task.startedAt, formats);
  return html`<dl>
    ${labelledFactRow(l10n.t('Task ID'), task.id === undefined ? undefined : id(task.id))}
    ${labelledFactRow(task.id === undefined ? l10n.t('Sent') : l10n.t('Started'), formats.exactTime(task.startedAt))}
    ${labelledFactRow(l10n.t('Ended'), task.endedAt === undefined ? undefined : formats.exactTime(task.endedAt))}
    ${labelledFactRow(l10n.t('Duration'), duration)}
    ${labelledFactRow(l10n.t('Size before'), task.sizeBefore)}
  </dl>`;
}

/** Uses the largest sensible unit. At least a second. */
function durationText(millis: number, formats: LocalizedFormats): string {
  const seconds = Math.max(1, Math.round(millis / 1_000));
  if (seconds < 2 * 60) {
    return formats.duration(seconds, 'second');
  }
  const minutes = Math.round(seconds / 60);
  return minutes < 2 * 60 ? formats.duration(minutes, 'minute') : formats.duration(Math.round(minutes / 60), 'hour');
}

/** A name with its value; nothing for an unknown value. */
export function labelledFactRow(name: string, value: string | OptionalTemplate | undefined): OptionalTemplate {
  return value === undefined
    ? nothing
    : html`<div>
        <dt>${name}</dt>
        <dd>${value}</dd>
      </div>`;
}
